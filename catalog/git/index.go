// Package git reads the data that git keeps in a repository. It does not run git,
// because the configuration of an untrusted repository can make git run programs.
//
// The package writes nothing. If it cannot parse the data, it returns an error instead
// of guessing.
package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path"
	"path/filepath"
	"strings"

	"instruction-catalog/catalog/files"
)

// maxIndex is the maximum size of an index, in bytes. It suffices for about a million
// files.
const maxIndex = 128 << 20

var errIndex = errors.New("this is not an index of git that can be read")

// Tracked returns the set of files that git tracks in a repository, and of the folders
// that contain them. The paths are relative to its top, with slashes. In a worktree,
// .git is a file that names the folder of the index.
func Tracked(top string) (map[string]bool, error) {
	dir := filepath.Join(top, ".git")
	if f, err := files.Read(dir, 4096); err == nil {
		named, found := strings.CutPrefix(strings.TrimSpace(string(f.Data)), "gitdir: ")
		if !found {
			return nil, errIndex
		}
		if dir = filepath.FromSlash(named); !filepath.IsAbs(dir) {
			dir = filepath.Join(top, dir)
		}
	}
	f, err := files.Read(filepath.Join(dir, "index"), maxIndex)
	if err != nil {
		return nil, err
	}
	tracked := map[string]bool{}
	return tracked, parse(f.Data, func(name string) {
		for ; name != "." && name != "/" && !tracked[name]; name = path.Dir(name) {
			tracked[name] = true
		}
	})
}

// parse parses an index of version 2, 3 or 4 with SHA-1 object names
// (https://git-scm.com/docs/index-format), and calls found with each path.
func parse(index []byte, found func(name string)) error {
	const header, fixed = 12, 62 // lengths in bytes, of the header and of an entry up to its name
	if len(index) < header || string(index[:4]) != "DIRC" {
		return errIndex
	}
	version, count := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	if version < 2 || version > 4 {
		return errIndex
	}
	rest, last := index[header:], ""
	for range count {
		if len(rest) < fixed+2 {
			return errIndex
		}
		size := fixed
		if version >= 3 && rest[60]&0x40 != 0 { // extended flags follow
			size += 2
		}
		name, next, ok := entryName(rest, size, version, last)
		if !ok {
			return errIndex
		}
		found(name)
		rest, last = rest[next:], name
	}
	return nil
}

// entryName returns the name of an entry, which begins at offset at, and the length of
// the entry. last is the name of the previous entry, from which version 4 derives the
// next one. ok is false if the entry is invalid.
func entryName(entry []byte, at int, version uint32, last string) (name string, length int, ok bool) {
	if version < 4 {
		end := bytes.IndexByte(entry[at:], 0)
		length = (at + end + 8) &^ 7 // one to eight null bytes follow the name
		return string(entry[at : at+max(end, 0)]), length, end > 0 && length <= len(entry)
	}
	drop, n := offset(entry[at:])
	end := -1
	if n > 0 {
		at += n
		end = bytes.IndexByte(entry[at:], 0)
	}
	if end < 0 || drop > len(last) {
		return "", 0, false
	}
	return last[:len(last)-drop] + string(entry[at:at+end]), at + end + 1, true
}

// offset decodes a variable-length number in the encoding of offsets in pack files. It
// returns the value and the length of the encoding, which is 0 if there is no number.
func offset(b []byte) (value, length int) {
	for i, c := range b[:min(len(b), 4)] {
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}
