package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/search/embed"
)

// Format of the vector file: a header, then the hash and the numbers of each vector,
// then the SHA-256 of everything before it. Numbers are little endian.
const (
	magic    = "notes vectors 1\n" // the index was first made for notes
	headSize = len(magic) + 4      // including the number of dimensions
	maxKept  = 4 << 30             // maximum file size to read, in bytes
)

// file returns the path of the file with the vectors that this embedder made for these
// documents, or "" if vectors are not stored.
func (x *Index) file() string {
	if x.Folder == "" {
		return ""
	}
	name := sha256.Sum256([]byte(x.Path + "\x00" + x.Embedder.Identity()))
	return filepath.Join(x.Folder, fmt.Sprintf("%x.vectors", name[:16]))
}

// read loads the stored vectors. If the file cannot be used, the vectors are computed
// again.
func (x *Index) read() {
	name := x.file()
	if name == "" {
		return
	}
	kept, err := files.Read(name, maxKept)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	vectors, dimensions, wrong := decode(kept.Data)
	if err = errors.Join(err, wrong); err != nil {
		x.Log.Warn("the file of the vectors of "+x.Name+" cannot be used, and is made anew", "file", name, "error", err)
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.vectors, x.dimensions, x.table = vectors, dimensions, nil
}

// save stores the vectors if there are new ones.
func (x *Index) save() {
	name := x.file()
	x.mu.Lock()
	if name == "" || x.version == x.saved {
		x.mu.Unlock()
		return
	}
	x.saved = x.version
	dimensions, vectors := x.dimensions, maps.Clone(x.vectors)
	x.mu.Unlock()
	// A failed write is retried when the next vectors are added.
	if err := write(name, encode(vectors, dimensions)); err != nil {
		x.Log.Warn("the vectors of "+x.Name+" cannot be kept, and will be made anew at the next start", "error", err)
	}
}

// write replaces a file. Only its owner can read it.
func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return files.Replace(name, data, 0o600)
}

func encode(vectors map[key]embed.Vector, dimensions int) []byte {
	data := make([]byte, 0, headSize+len(vectors)*(sha256.Size+4*dimensions)+sha256.Size)
	data = append(data, magic...)
	data = binary.LittleEndian.AppendUint32(data, uint32(dimensions))
	for k, v := range vectors {
		data = append(data, k[:]...)
		for _, n := range v {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(n))
		}
	}
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

var errKept = errors.New("it is not as it was written")

func decode(data []byte) (map[key]embed.Vector, int, error) {
	end := len(data) - sha256.Size
	if end < headSize || !bytes.HasPrefix(data, []byte(magic)) {
		return nil, 0, errKept
	}
	dimensions := int(binary.LittleEndian.Uint32(data[len(magic):]))
	rows, size := data[headSize:end], sha256.Size+4*dimensions
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) || dimensions == 0 || len(rows)%size != 0 {
		return nil, 0, errKept
	}
	vectors := make(map[key]embed.Vector, len(rows)/size)
	for ; len(rows) > 0; rows = rows[size:] {
		v := make(embed.Vector, dimensions)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(rows[sha256.Size+4*i:]))
		}
		vectors[key(rows[:sha256.Size])] = v
	}
	return vectors, dimensions, nil
}
