package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// maxFile is the maximum size of a file in bytes: about 500,000 entries.
const maxFile = 64 << 20

var state = files.State{Name: "history", Kind: "revisions of instructions", Version: 1}

// record is the content of a file after its header: the revisions, and the entries of
// the last one. At the next start, these entries are compared with the catalog's.
type record struct {
	Steps   []step                             `json:"steps"`
	Entries map[catalog.ID]catalog.Fingerprint `json:"entries"`
}

func (r record) encode() ([]byte, error) {
	body, err := json.Marshal(r)
	return state.Encode(body), err
}

func decode(content []byte) (r record, err error) {
	body, err := state.Decode(content)
	if err == nil && (json.Unmarshal(body, &r) != nil || len(r.Steps) == 0) {
		return record{}, files.ErrDamaged
	}
	return r, err
}

// file is the file of a history. Several processes may share it. Each adds its steps to
// those that it finds.
type file struct {
	path string
	seen fs.FileInfo // info of the file when last read or written; nil if missing
}

// read returns the content of the file. A missing file yields an empty record.
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

// write replaces the file with one that holds r. It returns the info of the new file.
func (f *file) write(r record) (fs.FileInfo, error) {
	text, err := r.encode()
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("it would have more than %d bytes", maxFile)
	}
	if err := files.Replace(f.path, text, 0o600); err != nil {
		return nil, files.Cause(err)
	}
	return os.Stat(f.path)
}
