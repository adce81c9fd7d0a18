package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// maxFile is how large a file may be, in bytes: some 500,000 entries.
const maxFile = 64 << 20

// format and version are what a file says in its first line that it is.
const (
	format  = "revisions of instructions"
	version = 1
)

// What can be wrong with a file.
var (
	errDamaged = errors.New("it is damaged")
	errNewer   = errors.New("a newer version of this program has written it")
)

// header is the first line of a file.
type header struct {
	History string `json:"history"`
	Version int    `json:"version"`
	SHA256  string `json:"sha256"` // of all that follows the line
}

// record is what a file holds after its header: the revisions, and the entries of
// the last one, to compare with those that are found at the next start.
type record struct {
	Steps   []step                             `json:"steps"`
	Entries map[catalog.ID]catalog.Fingerprint `json:"entries"`
}

func (r record) encode() ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(header{format, version, sum(body)})
	return bytes.Join([][]byte{head, body}, []byte("\n")), err
}

func decode(text []byte) (r record, err error) {
	head, body, _ := bytes.Cut(text, []byte("\n"))
	var h header
	switch err := json.Unmarshal(head, &h); {
	case err != nil || h.History != format || h.Version < 1:
		return record{}, errDamaged
	case h.Version > version:
		return record{}, errNewer
	case h.SHA256 != sum(body) || json.Unmarshal(body, &r) != nil || len(r.Steps) == 0:
		return record{}, errDamaged
	}
	return r, nil
}

func sum(body []byte) string {
	digest := sha256.Sum256(body)
	return hex.EncodeToString(digest[:])
}

// file is where a history is kept. Several processes may keep theirs there: each
// adds its own to what it finds.
type file struct {
	path string
	seen fs.FileInfo // as it was last read or written; nil for none
}

// changed reports whether the file is another than the one that was seen.
func (f *file) changed() bool {
	now, err := os.Stat(f.path)
	if err != nil || f.seen == nil {
		return f.seen != nil || !errors.Is(err, fs.ErrNotExist)
	}
	return !os.SameFile(now, f.seen) || now.Size() != f.seen.Size() || !now.ModTime().Equal(f.seen.ModTime())
}

// read returns what the file holds. Where there is none that is nothing.
func (f *file) read() (record, error) {
	seen, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.seen = nil
		return record{}, nil
	}
	if err != nil {
		return record{}, files.Cause(err)
	}
	f.seen = seen
	text, err := files.Read(f.path, maxFile)
	if err != nil {
		return record{}, files.Cause(err)
	}
	return decode(text.Data)
}

// lock waits until no other process writes. The folder is made where it is not
// there.
func (f *file) lock() (unlock func(), err error) {
	mutex := lockedfile.MutexAt(f.path + ".lock")
	if unlock, err = mutex.Lock(); !errors.Is(err, fs.ErrNotExist) {
		return unlock, err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, err
	}
	return mutex.Lock()
}

// write puts a new file into the place of the old one. It need not be on disk: one
// that a machine loses by stopping, or keeps in part, is as none, or damaged.
func (f *file) write(r record) (fs.FileInfo, error) {
	text, err := r.encode()
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("it would have more than %d bytes", maxFile)
	}
	fresh := f.path + ".new"
	err = os.WriteFile(fresh, text, 0o600)
	if err == nil {
		err = os.Rename(fresh, f.path)
	}
	if err != nil {
		_ = os.Remove(fresh)
		return nil, files.Cause(err)
	}
	return os.Stat(f.path)
}
