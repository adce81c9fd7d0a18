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

// MaxCriteria is the maximum size of a file of criteria, in bytes.
const MaxCriteria = 1 << 20

// Criteria is the content of the PROMPT-CRITERIA.json of a catalog.
type Criteria struct {
	Name string // name relative to the repository, with slashes, for messages
	Path string // path of the file; for a bundle, the path that it would have in the bundle's folder
	Data []byte // nil if there are no criteria
	// Carried means that the criteria are in the catalog's own folder or bundle, for
	// example after a pull, and not in a docs folder of its repository.
	Carried bool
}

// Criteria reads the criteria of the catalog: those in its bundle or folder, else the
// nearest docs/PROMPT-CRITERIA.json in that folder or above it. It searches up to the
// folder that contains .git. Outside a repository, it searches only the catalog's
// folder and its parent. Without criteria it returns the zero Criteria. The error is an
// [*UnreadableError].
func (s *Source) Criteria() (Criteria, error) {
	path := filepath.Join(s.Folder(), catalog.CriteriaFile)
	var data []byte
	_, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) { // texts can be reviewed without a catalog
		err = nil
	} else {
		data, err = s.readMetadata(catalog.CriteriaFile, MaxCriteria)
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

// ReadCriteria reads a file of criteria and follows symbolic links. The error is that of
// [files.Read].
func ReadCriteria(path string) ([]byte, error) {
	f, err := files.Read(path, MaxCriteria)
	if err != nil {
		return nil, err
	}
	return append([]byte{}, f.Data...), nil // not nil, even if the file is empty
}

// docsCriteria returns the path of the nearest docs/PROMPT-CRITERIA.json and its name in
// the repository. Both are empty if there is no such file.
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
