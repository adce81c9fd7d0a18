package cachefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// MaxSize is how large the content of a file may be, in bytes.
const MaxSize = 1 << 30

var (
	// ErrTampered says that the file, or its folder, is not what only the user
	// can have put there. The error around it says why.
	ErrTampered = errors.New("others may have written it")
	// ErrForm says that the file is one of another form, as another version of
	// the program writes it.
	ErrForm = errors.New("it is of another version")
	// ErrDamaged says that the file is not as it was written.
	ErrDamaged = errors.New("it is damaged")
	// ErrTooLarge says that the content has more than [MaxSize] bytes.
	ErrTooLarge = fmt.Errorf("it has more than %d MiB", MaxSize>>20)
	// ErrUnsupported says that on this system nothing is kept.
	ErrUnsupported = errors.New("caches are not supported on this system")
)

// File is a file in a folder of the user's. It need not exist.
type File struct {
	folder string
	name   string
	form   string
}

// New returns the file of that name in the folder. The form is a line, without
// its newline, that names the kind and the version of what is kept.
func New(folder, name, form string) *File { return &File{folder, name, form} }

// Read returns the content. The error is one of this package or of the operating
// system: [io/fs.ErrNotExist] where nothing is kept yet.
func (f *File) Read() ([]byte, error) {
	if err := checkFolder(f.folder); err != nil {
		return nil, err
	}
	opened, err := openOwn(f.path())
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	data, sum, err := readWhole(opened, int64(f.overhead())+MaxSize)
	if err != nil {
		return nil, err
	}
	return f.content(data, sum)
}

func (f *File) path() string { return filepath.Join(f.folder, f.name) }

func (f *File) heading() string { return f.form + "\n" }

// overhead is what a file has besides its content.
func (f *File) overhead() int { return len(f.heading()) + checksumSize }

// content returns the content of a file that is as it was written. The sum is of
// all but the checksum that it ends with.
func (f *File) content(data []byte, sum checksum) ([]byte, error) {
	behind, ok := bytes.CutPrefix(data, []byte(f.heading()))
	switch {
	case !ok && !bytes.HasPrefix([]byte(f.heading()), data):
		return nil, ErrForm
	case !ok || len(behind) < checksumSize:
		return nil, ErrDamaged
	}
	end := len(behind) - checksumSize
	if sum != checksum(behind[end:]) {
		return nil, ErrDamaged
	}
	return behind[:end:end], nil
}

// readWhole reads a file into memory of its size, and adds it up but for the
// checksum at its end: piece by piece, while the processor has it at hand.
func readWhole(opened *os.File, limit int64) ([]byte, checksum, error) {
	info, err := opened.Stat()
	if err != nil {
		return nil, checksum{}, err
	}
	if info.Size() > limit {
		return nil, checksum{}, ErrTooLarge
	}
	data := make([]byte, info.Size())
	expectAll(data)
	const piece = 256 << 10
	var sum summer
	for rest := data[:max(0, len(data)-checksumSize)]; len(rest) > 0; {
		next := rest[:min(piece, len(rest))]
		if err := fill(opened, next); err != nil {
			return nil, checksum{}, err
		}
		_, _ = sum.Write(next)
		rest = rest[len(next):]
	}
	return data, sum.checksum(), fill(opened, data[max(0, len(data)-checksumSize):])
}

func fill(opened *os.File, data []byte) error {
	if _, err := io.ReadFull(opened, data); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err) // it was cut off meanwhile
	}
	return nil
}
