// Package segment cuts a sequence of texts into segments of consecutive texts. Content
// computed for a segment can then be reused for the next sequence if the texts of the
// segment are the same.
//
// The content of a text, not its position, decides whether a segment ends after it, unless
// the segment reaches the maximum length. A text that is added, changed or removed therefore
// usually affects only its own segment, or two segments if it is the last text of one.
// [NewRow] sees only hashes of texts; the package keeps no texts.
package segment

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// The average length of segments depends on the length of the sequence: many short segments
// make changes cheap, few long ones make searches cheap.
const (
	minAverage = 256
	maxAverage = 4096
	// segmentsPerRow is roughly the number of segments in a row whose average length is
	// between the two limits.
	segmentsPerRow = 16
	// longest is the maximum length of a segment, as a multiple of the average.
	longest = 4
)

// A Segment is the consecutive texts from position First up to, but not including, End, and
// the content computed from them.
type Segment[T any] struct {
	First, End int
	Content    T

	hash uint64 // hash of the hashes of its texts
}

// A Row is a list of segments, in order, that together cover all texts.
type Row[T any] []Segment[T]

// seed is shared by all rows, so that their hashes can be compared.
var seed = maphash.MakeSeed()

// Hash returns the hash of a text that consists of fields. It is constant within a process
// and differs between processes.
func Hash(fields ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, field := range fields {
		var length [8]byte
		binary.LittleEndian.PutUint64(length[:], uint64(len(field)))
		h.Write(length[:])
		h.WriteString(field)
	}
	return h.Sum64()
}

// NewRow cuts a sequence of n texts. hash returns the hash of text i. content computes the
// content of the texts from first up to, but not including, end; NewRow calls it only for
// segments that before does not have. It calls both functions from several goroutines.
func NewRow[T any](n int, hash func(i int) uint64, before Row[T], content func(first, end int) T) Row[T] {
	hashes := make([]uint64, n)
	Parallel(n, func(i int) { hashes[i] = hash(i) })
	known := make(map[uint64]T, len(before))
	for _, s := range before {
		known[s.hash] = s.Content
	}
	row := cut[T](hashes)
	Parallel(len(row), func(i int) {
		s := &row[i]
		same, ok := known[s.hash]
		if !ok {
			same = content(s.First, s.End)
		}
		s.Content = same
	})
	return row
}

// cut ends a segment after each text whose hash is a multiple of the average length, at the
// maximum length, and after the last text.
func cut[T any](hashes []uint64) (row Row[T]) {
	average := min(max(1<<bits.Len(uint(len(hashes)/segmentsPerRow)), minAverage), maxAverage)
	first := 0
	for i, hash := range hashes {
		last := i == len(hashes)-1
		if hash%uint64(average) == 0 || i+1-first == longest*average || last {
			row = append(row, Segment[T]{First: first, End: i + 1, hash: combine(hashes[first : i+1])})
			first = i + 1
		}
	}
	return row
}

func combine(hashes []uint64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, hash := range hashes {
		maphash.WriteComparable(&h, hash)
	}
	return h.Sum64()
}

// Parallel calls do for each number from 0 up to, but not including, n, using all
// processors. It returns when all calls have returned.
func Parallel(n int, do func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}
