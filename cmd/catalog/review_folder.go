package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/source"
)

// textFinder collects the texts of a folder for review.
type textFinder struct {
	*app
	dir     string
	reader  *files.Reader
	texts   []reviewText
	leftOut int // number of files that are neither prose nor read by an agent
}

// visit is an [fs.WalkDirFunc]. It only returns nil or [fs.SkipDir], so an unreadable
// file does not end the review of the others.
func (f *textFinder) visit(within string, entry fs.DirEntry, err error) error {
	name := filepath.Join(f.dir, filepath.FromSlash(within))
	_, ofAgent := agents.At(within)
	switch {
	case err != nil:
		f.addUnread(name, files.Cause(err).Error())
	case entry.IsDir() && slices.Contains([]string{".git", "node_modules"}, entry.Name()):
		return fs.SkipDir
	case entry.IsDir():
	case isHidden(within) && !ofAgent:
	case entry.Type()&fs.ModeSymlink != 0:
		fmt.Fprintf(f.stderr, "catalog: %s is a symbolic link, and is skipped\n", oneLine(name))
	case !entry.Type().IsRegular():
	case source.IsBundleName(name):
		f.addBundle(name)
	case ofAgent || isProse(within) || format.MayBeEntry(within):
		f.add(within, name, ofAgent)
	default:
		f.leftOut++
	}
	return nil
}

// isHidden reports whether a file or one of its parent folders has a name that begins
// with a dot.
func isHidden(within string) bool {
	return strings.HasPrefix(within, ".") || strings.Contains(within, "/.")
}

// isProse reports whether the name of a file suggests a prompt or prose.
func isProse(within string) bool {
	folder, name := path.Split(strings.ToLower(within))
	return slices.Contains([]string{".md", ".mdx", ".mdc", ".markdown", ".txt", ".text", ".rst", ".adoc"}, path.Ext(name)) ||
		strings.Contains(name, "prompt") || slices.Contains([]string{"prompt", "prompts"}, path.Base(folder))
}

// add reads a file and adds its text. It skips JSON files that are neither instructions
// nor prompts.
func (f *textFinder) add(within, name string, ofAgent bool) {
	file, err := f.reader.Read(within, maxInput)
	switch {
	case errors.Is(err, files.ErrTooLarge):
		f.addUnread(name, fmt.Sprintf("it has more than %d bytes", maxInput))
	case err != nil:
		f.addUnread(name, files.Cause(err).Error())
	case bytes.IndexByte(file.Data, 0) >= 0 && !utf8.Valid(file.Data) && !format.MayBeEntry(within):
		fmt.Fprintf(f.stderr, "catalog: %s is not a text file, and is skipped\n", oneLine(name))
	case !utf8.Valid(file.Data):
		f.addUnread(name, "it is not UTF-8")
	default:
		text := fileText(name, file.Data)
		if path.Ext(within) == ".json" && !ofAgent && !isProse(within) && !text.within {
			f.leftOut++
			return
		}
		f.texts = append(f.texts, text)
	}
}

func (f *textFinder) addBundle(name string) {
	bodies, err := f.bodiesOf(name)
	if err != nil {
		f.addUnread(name, err.Error())
		return
	}
	f.texts = append(f.texts, bodies...)
}

func (f *textFinder) addUnread(name, why string) {
	f.texts = append(f.texts, reviewText{path: name, first: 1, unread: why})
}
