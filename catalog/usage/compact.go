package usage

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/files"
)

// compact replaces a journal that has become long by one with a single record
// for each entry. It is called under the lock, when everything has been read.
// Where that fails, the journal goes on, and it is tried again when the journal
// is twice as long.
func (j *journal) compact() {
	if j.read.records < j.compactAfter+2*len(j.read.totals) {
		return
	}
	if err := j.replace(j.read); err != nil {
		j.compactAfter = 2 * j.read.records
		j.log.Warn("the journal of uses cannot be compacted, and goes on growing", "file", j.path, "error", err)
	}
}

// replace puts a new journal into the place of the old one, whole and on disk.
// Whoever has the old one open finds that another file has its name.
func (j *journal) replace(c contents) error {
	c.Generation = rand.Text()
	text, err := appendLine(nil, c.header)
	if err == nil {
		text, err = appendRecords(text, c.totals, rand.Text(), 1)
	}
	if err != nil {
		return err
	}
	j.close() // some systems do not replace an open file
	fresh := j.path + ".new"
	if err := j.writeWhole(fresh, text); err != nil {
		_ = os.Remove(fresh)
		return err
	}
	if err := os.Rename(fresh, j.path); err != nil {
		_ = os.Remove(fresh)
		return err
	}
	return files.SyncFolder(os.Open, filepath.Dir(j.path))
}

// writeWhole writes a file and has it on disk when it returns.
func (j *journal) writeWhole(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = j.write(f, text)
	if err == nil && j.seen != nil {
		err = f.Chmod(j.seen.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
