package writing

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"instruction-catalog/catalog/files"
	"instruction-catalog/toolsets/notes"
)

// maxName is the maximum length of a file name before ".md", in bytes.
const maxName = 200

// FileName returns the file name, without ".md", of a note with the given title. It
// keeps the letters and digits of all scripts, in lower case, and replaces blanks and
// dashes with hyphens. It returns "" if the title has no letter or digit.
func FileName(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFC.String(strings.ToLower(norm.NFC.String(title))) {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Pd, r):
			gap = true
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r) && b.Len() > 0 && !gap:
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		}
	}
	name := norm.NFC.String(shortened(b.String()))
	if reserved(name) {
		name += "-note"
	}
	return name
}

// shortened cuts a name to maxName bytes, without separating a combining mark from its
// letter.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	end := maxName
	for end > 0 {
		if r, _ := utf8.DecodeRuneInString(name[end:]); utf8.RuneStart(name[end]) && !unicode.IsMark(r) {
			break
		}
		end--
	}
	return strings.TrimRight(name[:end], "-")
}

// reserved reports whether name is a device name on Windows.
func reserved(name string) bool {
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, name) {
		return true
	}
	digit, port := strings.CutPrefix(name, "com")
	if !port {
		digit, port = strings.CutPrefix(name, "lpt")
	}
	return port && slices.Contains(strings.Split("0123456789¹²³", ""), digit)
}

// ParamError reports an invalid param and how to correct it.
type ParamError struct{ Param, Message string }

func (e *ParamError) Error() string {
	if e.Param == "" {
		return e.Message
	}
	return e.Param + ": " + e.Message
}

// checkTitle returns the file name for a title, or a [ParamError] if there is none.
func checkTitle(title string) (string, error) {
	name := FileName(title)
	if name == "" {
		return "", &ParamError{"title", "it leaves no file name: give one with a letter or a digit"}
	}
	return name, nil
}

// checkDirectory validates and cleans the path of a folder. It returns "." for the
// vault.
func checkDirectory(name string) (string, error) {
	refuse := func(message string) (string, error) { return "", &ParamError{"directory", message} }
	switch {
	case strings.HasPrefix(name, "/"), strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || unicode.IsControl(r) }),
		len(name) > 1 && name[1] == ':', !utf8.ValidString(name):
		return refuse("it must be a path below the vault, like notes/drafts, with no backslash or control character")
	}
	clean := path.Clean(name)
	for segment := range strings.SplitSeq(name, "/") {
		switch {
		case segment == "..":
			return refuse(`".." leads out of it: name a folder below the vault`)
		case strings.HasPrefix(segment, ".") && segment != ".":
			return refuse("hidden folders hold no notes: name another one")
		case len(segment) > 255:
			return refuse("a folder's name has 255 bytes at most")
		}
	}
	return clean, nil
}

// checkFolder returns an error if the folder or one above it is a file or a link.
func checkFolder(root *os.Root, folder string) error {
	at := "."
	for segment := range strings.SplitSeq(folder, "/") {
		at = path.Join(at, segment)
		info, err := root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !info.IsDir():
			return &ParamError{"directory", at + " is a file or a link: name a folder"}
		}
	}
	return nil
}

// taken returns the existing file with the given id, or "" if there is none. It ignores
// case and Unicode composition.
func taken(root *os.Root, id notes.ID) (string, error) {
	found := []string{"."}
	segments := strings.Split(string(id), "/")
	for i, segment := range segments {
		var below []string
		for _, folder := range found {
			members, err := files.List(root, folder)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", unreadable(folder, err)
			}
			for _, m := range members {
				if notes.Key(m.Name()) == notes.Key(segment) && (m.IsDir() || i == len(segments)-1) {
					below = append(below, path.Join(folder, m.Name()))
				}
			}
		}
		found = below
	}
	if len(found) == 0 {
		return "", nil
	}
	return slices.Min(found), nil
}
