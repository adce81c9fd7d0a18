package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// MaxCriteria is how large a file of criteria may be, in bytes.
const MaxCriteria = 1 << 20

// Criteria is the content of the PROMPT-CRITERIA.json of a catalog.
type Criteria struct {
	Name string // in its repository, with slashes, for people
	Path string // of the file, or of the bundle that carries it
	Data []byte // nil for no criteria
	// Carried means that the file lies in the catalog itself, as in one that was
	// pulled and in a bundle, and not in a folder docs of its repository.
	Carried bool
}

// Criteria reads the criteria of the catalog: those in the bundle or in its folder,
// else the nearest docs/PROMPT-CRITERIA.json in that folder or above it. It looks up to
// the folder that has .git, and without one no further than the folder's parent. The
// error is an [*UnreadableError].
func (s *Source) Criteria() (Criteria, error) {
	path := filepath.Join(s.Folder(), catalog.CriteriaFile)
	var data []byte
	_, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) { // texts can be reviewed where there is no catalog
		err = nil
	} else {
		data, err = s.readBeside(catalog.CriteriaFile, MaxCriteria)
	}
	switch {
	case err != nil:
		return Criteria{}, &UnreadableError{catalog.CriteriaFile, err}
	case data != nil:
		return Criteria{catalog.CriteriaFile, path, data, true}, nil
	}
	path, name := s.docsCriteria()
	if path == "" {
		return Criteria{}, nil
	}
	data, err = ReadCriteria(path)
	if err != nil {
		return Criteria{}, &UnreadableError{path, err}
	}
	return Criteria{name, path, data, false}, nil
}

// ReadCriteria reads a file of criteria. Symbolic links are followed. The error is that
// of [files.Read].
func ReadCriteria(path string) ([]byte, error) {
	f, err := files.Read(path, MaxCriteria)
	if err != nil {
		return nil, err
	}
	return append([]byte{}, f.Data...), nil // which is not nil where the file is empty
}

// docsCriteria returns the path of the nearest docs/PROMPT-CRITERIA.json, and its name
// in the repository; "" if there is none.
func (s *Source) docsCriteria() (path, name string) {
	below, err := filepath.Abs(s.Folder())
	if err != nil {
		return "", ""
	}
	folders, isRepository := []string{below}, false
	for dir := below; ; folders = append(folders, dir) {
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		isRepository = err == nil
		if isRepository || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	if !isRepository {
		folders = folders[:min(2, len(folders))]
	}
	for up, dir := range folders {
		file := filepath.Join("docs", catalog.CriteriaFile)
		if _, err := os.Lstat(filepath.Join(dir, file)); err != nil {
			continue
		}
		name, err := filepath.Rel(folders[len(folders)-1], filepath.Join(dir, file))
		if err != nil || !isRepository {
			name = file
		}
		return filepath.Join(s.Folder(), strings.Repeat("../", up), file), filepath.ToSlash(name)
	}
	return "", ""
}
