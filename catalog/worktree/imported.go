package worktree

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
	"instruction-catalog/schemas/strict"
)

// ImportedPath is the path of the record of imported files within the catalog.
const ImportedPath = ".catalog/imported.json"

// maxRecord is the maximum size of a record, in bytes.
const maxRecord = 64 << 20

// Imported is the record of the files that were imported into a catalog.
type Imported struct{ byPath map[string]ImportedFile }

// ImportedFile is a file that was imported.
type ImportedFile struct {
	Folder string `json:"folder"` // in the catalog; "." for its top
	Path   string `json:"path"`   // relative to the source repository, and to Folder
	SHA256 string `json:"sha256"` // of its bytes when it was last imported
}

// CatalogPath returns the path of the file within the catalog.
func (f ImportedFile) CatalogPath() string { return path.Join(f.Folder, f.Path) }

// ReadImported reads the record in a catalog's folder. A missing file yields an empty
// record. Errors name the file.
func ReadImported(root *os.Root) (Imported, error) {
	f, err := files.ReadIn(root, ImportedPath, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return Imported{map[string]ImportedFile{}}, nil
	}
	if err == nil {
		var r Imported
		if r, err = parseImported(f.Data); err == nil {
			return r, nil
		}
	}
	return Imported{}, fmt.Errorf("%s: %w", ImportedPath, files.Cause(err))
}

// importedJSON is the JSON form of the record.
type importedJSON struct {
	Version int            `json:"version"`
	Files   []ImportedFile `json:"files"`
}

const importedVersion = 1

func parseImported(data []byte) (Imported, error) {
	r := Imported{map[string]ImportedFile{}}
	var said importedJSON
	if err := decodeStrictly(data, &said); err != nil {
		return r, err
	}
	if said.Version != importedVersion {
		return r, fmt.Errorf("it has version %d, and this program reads version %d: use a newer program", said.Version, importedVersion)
	}
	for _, f := range said.Files {
		if !isPlainPath(f.Path) || f.Folder != "." && !isPlainPath(f.Folder) || !isSHA256(f.SHA256) {
			return r, fmt.Errorf("folder %q, path %q: each must be a path within the catalog, with the SHA-256 in hexadecimal: restore the file from git", f.Folder, f.Path)
		}
		if _, ok := r.byPath[f.CatalogPath()]; ok {
			return r, fmt.Errorf("%q is recorded twice: keep one of the two lines", f.CatalogPath())
		}
		r.byPath[f.CatalogPath()] = f
	}
	return r, nil
}

// At returns the imported file at a path within the catalog.
func (r Imported) At(catalogPath string) (ImportedFile, bool) {
	f, ok := r.byPath[catalogPath]
	return f, ok
}

// HasSource reports whether a file at a path of some repository was imported.
func (r Imported) HasSource(p string) bool {
	for _, f := range r.byPath {
		if f.Path == p {
			return true
		}
	}
	return false
}

// onlyFolder returns the folder that all files were imported to, or "" if there are
// several or none.
func (r Imported) onlyFolder() string {
	folder := ""
	for _, f := range r.byPath {
		if folder != "" && f.Folder != folder {
			return ""
		}
		folder = f.Folder
	}
	return folder
}

// set records a file and reports whether the record changed.
func (r Imported) set(f ImportedFile) bool {
	if r.byPath[f.CatalogPath()] == f {
		return false
	}
	r.byPath[f.CatalogPath()] = f
	return true
}

// encode returns the content of the record's file, with one line per imported file.
func (r Imported) encode() []byte {
	all := make([]ImportedFile, 0, len(r.byPath))
	for _, f := range r.byPath {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b ImportedFile) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path))
	})
	return encodeLines(fmt.Sprintf(`{"version": %d, "files": [`, importedVersion), all, "]}\n")
}

// encodeLines encodes values as the elements of an array, one per line, between head
// and tail.
func encodeLines[T any](head string, values []T, tail string) []byte {
	text := []byte(head + "\n")
	for i, v := range values {
		text = append(text, jsonscan.MustEncode(v)...)
		if i < len(values)-1 {
			text = append(text, ',')
		}
		text = append(text, '\n')
	}
	return append(text, tail...)
}

// decodeStrictly decodes JSON. It returns an error for ambiguous JSON and for unknown
// members.
func decodeStrictly(data []byte, to any) error {
	data, err := strict.JSON(data)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if decoder.Decode(to) != nil {
		return errors.New("it has an unknown member or a value of another type: restore the file from git")
	}
	return nil
}

// isPlainPath reports whether p is a clean, slash-separated path below the folder
// that it is relative to.
func isPlainPath(p string) bool {
	return p != "." && p == path.Clean(p) && filepath.IsLocal(filepath.FromSlash(p)) && !strings.Contains(p, "\\")
}

func isSHA256(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
