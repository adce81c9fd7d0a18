package search

import (
	"encoding/binary"
	"iter"
)

// notes hold what was counted in one document after the other, in three or four
// bytes for each word where an array of it would take eight: all of it is in
// memory until the last document is counted.
//
// Of each document there is the number of counts, and of each count the word, the
// body with a bit for whether there is a head, and the head. All are unsigned
// varints (package encoding/binary).
type notes struct {
	blocks [][]byte // whole documents each
}

// blockBytes is the usual length of a block. What grew in one piece would be
// copied again and again.
const blockBytes = 64 << 10

func (n *notes) add(counts []count) {
	const most = binary.MaxVarintLen32 + 2*binary.MaxVarintLen16 + 1 // bytes of a count
	need := binary.MaxVarintLen64 + most*len(counts)
	last := len(n.blocks) - 1
	if last < 0 || cap(n.blocks[last])-len(n.blocks[last]) < need {
		n.blocks = append(n.blocks, make([]byte, 0, max(need, blockBytes)))
		last++
	}
	block := binary.AppendUvarint(n.blocks[last], uint64(len(counts)))
	for _, c := range counts {
		block = binary.AppendUvarint(block, uint64(c.word))
		if c.head == 0 {
			block = binary.AppendUvarint(block, uint64(c.body)<<1)
			continue
		}
		block = binary.AppendUvarint(block, uint64(c.body)<<1|1)
		block = binary.AppendUvarint(block, uint64(c.head))
	}
	n.blocks[last] = block
}

// all yields the counts of all documents in order, each with the number of its
// document, from 0 on.
func (n *notes) all() iter.Seq2[int, count] {
	return func(yield func(int, count) bool) {
		document := 0
		for _, block := range n.blocks {
			for len(block) > 0 {
				var left uint64
				for left, block = uvarint(block); left > 0; left-- {
					var c count
					if c, block = nextCount(block); !yield(document, c) {
						return
					}
				}
				document++
			}
		}
	}
}

func nextCount(block []byte) (count, []byte) {
	word, block := uvarint(block)
	body, block := uvarint(block)
	c := count{word: uint32(word), body: uint16(body >> 1)}
	if body&1 != 0 {
		var head uint64
		head, block = uvarint(block)
		c.head = uint16(head)
	}
	return c, block
}

func uvarint(b []byte) (uint64, []byte) {
	value, size := binary.Uvarint(b)
	return value, b[size:]
}
