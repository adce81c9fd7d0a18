// Package segment cuts a sequence of texts into segments of neighbours, so that what
// was made of a segment can be used again for the next sequence, where its texts are
// the same.
//
// Where a segment ends is decided by the content of its last text, not by its
// position: a text that is new, changed or gone touches the segment it lies in, or
// two where it is the last of one, and no other. The package knows texts by their
// hashes only, and neither reads nor keeps them.
package segment

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// The average length of segments depends on that of the sequence: many short segments
// make changes cheap, few long ones make searches cheap.
const (
	minAverage = 256
	maxAverage = 4096
	// segmentsPerRow is how many segments a row has that is neither short nor long.
	segmentsPerRow = 16
	// longest is how many times the average a segment may be long.
	longest = 4
)

// A Segment is texts side by side, from the position First up to, and not
// including, End, and what was made of them.
type Segment[T any] struct {
	First, End int
	Content    T

	hash uint64 // of its texts
}

// A Row is segments in order, which together have all texts.
type Row[T any] []Segment[T]

// seed is the same in all rows, so that they can be compared.
var seed = maphash.MakeSeed()

// Hash returns the hash of a text that consists of fields. It is the same
// throughout the process, and another in the next one.
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

// NewRow cuts a sequence of n texts. Each has a hash; content makes something of those
// from first up to end, unless the row before has a segment of the same texts. Both
// functions are called by several goroutines at once.
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

// cut ends a segment after each text whose hash says so, and at the greatest length.
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

// Parallel calls do with each number below n, on every processor, and returns when
// all calls have.
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
