package cachefile

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// stale is how long a file is kept that nobody writes anew.
const stale = 30 * 24 * time.Hour

// Write puts what produce writes into the file's place. If need be it makes the
// folder, and the one that this lies in, but none above. With an error, what was there before is there
// still. Files in the folder that nobody has written for a month are removed.
//
// It is not waited for the disk: after a crash the file may be torn, which
// [File.Read] finds out, and nothing is lost but time.
func (f *File) Write(ctx context.Context, produce func(io.Writer) error) error {
	for _, folder := range []string{filepath.Dir(f.folder), f.folder} {
		if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := checkFolder(f.folder); err != nil {
		return err
	}
	temp, err := os.CreateTemp(f.folder, f.name+"-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // unless it was renamed
	w := &boundedWriter{ctx: ctx, to: temp, left: int64(f.overhead()) + MaxSize}
	if err := errors.Join(w.write(f.heading(), produce), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), f.path()); err != nil {
		return err
	}
	sweep(f.folder, time.Now().Add(-stale))
	return nil
}

// boundedWriter writes until ctx ends or there is too much.
type boundedWriter struct {
	ctx  context.Context
	to   io.Writer
	left int64
}

func (w *boundedWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	if w.left -= int64(len(p)); w.left < 0 {
		return 0, ErrTooLarge
	}
	return w.to.Write(p)
}

// write writes the heading, what produce has to write, and the checksum of both.
func (w *boundedWriter) write(heading string, produce func(io.Writer) error) error {
	var sum summer
	const piece = 256 << 10
	buffered := bufio.NewWriterSize(io.MultiWriter(w, &sum), piece)
	_, err := buffered.WriteString(heading)
	if err := errors.Join(err, produce(buffered), buffered.Flush()); err != nil {
		return err
	}
	end := sum.checksum()
	_, err = w.Write(end[:])
	return err
}

// sweep removes the files of the folder that are older, those of a write that
// was cut off among them. What cannot be removed does no harm.
func sweep(folder string, before time.Time) {
	members, _ := os.ReadDir(folder)
	for _, m := range members {
		info, err := m.Info()
		if err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(folder, m.Name()))
		}
	}
}
