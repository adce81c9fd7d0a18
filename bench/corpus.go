package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// File is a piece of a generated catalog: an instruction file, or a line of the
// bundle.
type File struct {
	Path string // within the catalog, with slashes
	Data []byte
}

// Generate writes a catalog of n entries into dir, which it makes if need be.
// Up to 99,999 entries have one file each, two of three in JSON, the others in
// Markdown, in a folder for each topic, 1.8 KB long on average; more are the
// lines of one bundle, [BundleName], 1 KB each on average. All of them are
// well-formed and record the right hash or none. The same n and seed give the
// same bytes with the same release of Go; a greater n of the same form adds
// entries. It stops when ctx ends.
func Generate(ctx context.Context, dir string, n int, seed uint64) error {
	_, err := formOf(n).generate(ctx, dir, n, seed, func(int) {})
	return err
}

// corpus is a generated catalog.
type corpus struct {
	form  *form
	path  string   // what a server is given for it
	files []string // what it consists of
	bytes int64    // in them
	truth *truth
}

// generate is [Generate] with a result. It tells now and then how many entries
// are written.
func (f *form) generate(ctx context.Context, dir string, n int, seed uint64, progress func(entries int)) (*corpus, error) {
	sink, err := f.open(dir)
	if err != nil {
		return nil, fmt.Errorf("generate a catalog: %w", err)
	}
	c := &corpus{form: f, path: sink.path(), truth: newTruth(n)}
	err = eachBlock(ctx, f, n, seed, func(b *block) error {
		c.truth.add(b)
		if err := sink.write(b.files); err != nil {
			return err
		}
		progress(c.truth.entries)
		return nil
	})
	if closed := sink.close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("generate a catalog: %w", err)
	}
	c.truth.complete()
	c.files, c.bytes = sink.written()
	return c, nil
}

// eachBlock makes the blocks of a catalog on every processor and hands them
// over in their order.
func eachBlock(ctx context.Context, f *form, n int, seed uint64, use func(*block) error) error {
	blocks := (n + blockEntries - 1) / blockEntries
	for first := 0; first < blocks; first += runtime.GOMAXPROCS(0) {
		made := make([]*block, min(runtime.GOMAXPROCS(0), blocks-first))
		workers, ctx := errgroup.WithContext(ctx)
		for i := range made {
			workers.Go(func() (err error) {
				made[i], err = newGenerator(f, n, seed, first+i).block(ctx)
				return err
			})
		}
		if err := workers.Wait(); err != nil {
			return err
		}
		for _, b := range made {
			if err := use(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// sink is where the pieces of a catalog go: a folder, or one file in it.
type sink struct {
	dir    string
	bundle *os.File // nil for a folder
	paths  []string
	bytes  int64
}

func (f *form) open(dir string) (*sink, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s := &sink{dir: dir}
	if f.name == Folder {
		return s, nil
	}
	var err error
	s.bundle, err = os.Create(filepath.Join(dir, BundleName))
	s.paths = []string{filepath.Join(dir, BundleName)}
	return s, err
}

// path is what a server is given as its catalog.
func (s *sink) path() string {
	if s.bundle != nil {
		return s.paths[0]
	}
	return s.dir
}

func (s *sink) write(files []File) error {
	for _, f := range files {
		s.bytes += int64(len(f.Data))
		if s.bundle == nil {
			if err := s.writeFile(f); err != nil {
				return err
			}
		} else if _, err := s.bundle.Write(f.Data); err != nil {
			return err
		}
	}
	return nil
}

func (s *sink) writeFile(f File) error {
	path := filepath.Join(s.dir, filepath.FromSlash(f.Path))
	s.paths = append(s.paths, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, f.Data, 0o644)
}

// written returns the paths of the files, and how many bytes are in them.
func (s *sink) written() ([]string, int64) { return s.paths, s.bytes }

func (s *sink) close() error {
	if s.bundle == nil {
		return nil
	}
	return s.bundle.Close()
}
