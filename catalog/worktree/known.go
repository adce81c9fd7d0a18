package worktree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
)

// knowledge records what this program has written to a repository. It is stored in the
// user's state folder, which nothing in the repository can change.
type knowledge struct {
	file string
	// Written holds the SHA-256 sums of the texts written to each path, newest last.
	// For a region, it is the sum of the text between the markers.
	Written map[string][]string `json:"written"`
	// Pending holds what a run was about to write when it began. A run that ends
	// removes its lines, so any line left comes from a run that was killed.
	Pending map[string][]Line `json:"pending,omitempty"`
}

// knowledgeFile describes the state file.
var knowledgeFile = files.State{Name: "rendered", Kind: "rendered files of a repository", Version: 1}

// maxWritten is the maximum number of texts remembered per path.
const maxWritten = 8

// readKnowledge reads the record of texts written to a repository. The path of the
// repository must have no symbolic links. If the file is missing or damaged, the record
// is empty; rendering then only keeps more copies of existing files.
func readKnowledge(state, repository string) (*knowledge, error) {
	k := &knowledge{file: filepath.Join(state, hashOf([]byte(repository))[:32]+".json")}
	if err := readState(k.file, knowledgeFile, k); err != nil {
		return nil, err
	}
	if k.Written == nil {
		k.Written = map[string][]string{}
	}
	return k, nil
}

// readState decodes a state file. It does nothing if the file is missing or damaged.
func readState(file string, form files.State, to any) error {
	f, err := files.Read(file, maxRecord)
	if err == nil {
		var body []byte
		if body, err = form.Decode(f.Data); err == nil {
			err = json.Unmarshal(body, to)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, files.ErrDamaged) {
		return fmt.Errorf("%s: %w", file, files.Cause(err))
	}
	return nil
}

// saveState writes a state file durably.
func saveState(file string, form files.State, from any) error {
	body, err := json.Marshal(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return files.Replace(file, form.Encode(body), 0o600)
}

func (k *knowledge) save() error { return saveState(k.file, knowledgeFile, k) }

// intend records durably what a run is about to write.
func (k *knowledge) intend(lines []Line) error {
	if len(lines) == 0 {
		return nil
	}
	if k.Pending == nil {
		k.Pending = map[string][]Line{}
	}
	for _, l := range lines {
		if !slices.ContainsFunc(k.Pending[l.Path], l.equal) {
			k.Pending[l.Path] = append(k.Pending[l.Path], l)
		}
		k.learn(l.Path, l.SHA256)
	}
	return k.save()
}

// end removes the pending lines of the paths. It must be called after the record has
// been written.
func (k *knowledge) end(paths iter.Seq[string]) error {
	had := len(k.Pending)
	for p := range paths {
		delete(k.Pending, p)
	}
	if len(k.Pending) == had {
		return nil
	}
	return k.save()
}

func (k *knowledge) learn(path, hash string) {
	all := slices.DeleteFunc(k.Written[path], func(h string) bool { return h == hash })
	all = append(all, hash)
	k.Written[path] = all[max(0, len(all)-maxWritten):]
}

// hasPath reports whether this program wrote to a path.
func (k *knowledge) hasPath(path string) bool { return len(k.Written[path]) > 0 }

// has reports whether this program wrote text to path; see isText about line endings.
func (k *knowledge) has(path string, text []byte) bool {
	return slices.ContainsFunc(k.Written[path], func(hash string) bool { return isText(text, hash) })
}

// isText reports whether text has the given SHA-256. If all its line endings are LF or
// all are CRLF, the sum of the other form counts, too.
func isText(text []byte, hash string) bool {
	return render.Decide(hash, nil, text) == render.Orphan
}
