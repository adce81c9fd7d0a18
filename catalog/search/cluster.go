package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	shortestCluster = 4
	longestCluster  = 6
)

// A cluster is four to six neighbouring bytes of a text, of which one at least
// separates words. In the lowest bits it has them, the last in the lowest, and above
// them their number.
type cluster uint64

func clusterOf(text []byte) cluster { return firstEight(text).cluster(len(text)) }

// eightBytes are the first of a text, the first in the highest bits, and zeros where
// it has fewer.
type eightBytes uint64

func firstEight(text []byte) eightBytes {
	if len(text) >= 8 {
		return eightBytes(binary.BigEndian.Uint64(text))
	}
	var eight [8]byte
	copy(eight[:], text)
	return eightBytes(binary.BigEndian.Uint64(eight[:]))
}

// cluster returns what so many of them are.
func (e eightBytes) cluster(length int) cluster {
	return cluster(length)<<(8*length) | cluster(e>>(64-8*length))
}

func (c cluster) length() int { return (bits.Len64(uint64(c)) - 1) / 8 }

// shorter returns what it is without its last byte, which may be no cluster.
func (c cluster) shorter() cluster {
	length := c.length() - 1
	return cluster(length)<<(8*length) | c>>8&(1<<(8*length)-1)
}

// firstFour returns its first four bytes.
func (c cluster) firstFour() uint32 { return uint32(c >> (8 * (c.length() - shortestCluster))) }

// clusters are some that many texts have. An index says of every text and each of
// them whether the one has the other: what is common is what takes longest to find
// by looking.
type clusters struct {
	numbers numbering         // from 1 on
	shorter []int             // of each, from 0 on, the number of that without its last byte, -1 where that is none
	begins  [beginnings]uint8 // a bit for each length of those that begin with four bytes
}

// beginnings is how many are told apart. That many bytes stay in the nearest cache.
const beginnings = 1 << 14

func beginningOf(four uint32) uint32 { return uint32(firstKey(four)) / (1 << 32 / beginnings) }

// newClusters numbers clusters, each behind what it begins with.
func newClusters(all []cluster) *clusters {
	c := &clusters{shorter: make([]int, len(all))}
	c.numbers.reset()
	for i, one := range all {
		c.numbers.enter(c.numbers.slot(uint64(one)), uint64(one), uint32(i+1))
		c.shorter[i] = c.number(one.shorter())
		c.begins[beginningOf(one.firstFour())] |= 1 << one.length()
	}
	return c
}

// len returns how many are known.
func (c *clusters) len() int { return len(c.shorter) }

// number returns the number of a cluster, -1 where it is not known.
func (c *clusters) number(of cluster) int { return int(c.numbers.slot(uint64(of)).number) - 1 }

// find calls yield with the number of the longest known cluster at each place of a
// text. It returns the scratch that it is given, for the next.
func (c *clusters) find(text []byte, scratch []uint32, yield func(number int)) []uint32 {
	scratch = c.mayBegin(text, scratch)
	for _, at := range scratch {
		eight := firstEight(text[at:])
		lengths := c.begins[beginningOf(uint32(eight>>32))]
		for length := min(len(text)-int(at), longestCluster); length >= shortestCluster; length-- {
			if lengths>>length&1 == 0 {
				continue
			}
			if number := c.number(eight.cluster(length)); number >= 0 {
				yield(number)
				break
			}
		}
	}
	return scratch
}

// mayBegin returns the places at which known clusters may begin.
func (c *clusters) mayBegin(text []byte, scratch []uint32) []uint32 {
	if len(text) < shortestCluster {
		return scratch[:0]
	}
	scratch = slices.Grow(scratch[:0], len(text))[:len(text)]
	four := uint32(text[0])<<16 | uint32(text[1])<<8 | uint32(text[2])
	n := 0
	for i, b := range text[shortestCluster-1:] {
		four = four<<8 | uint32(b)
		scratch[n] = uint32(i)
		some := 0
		if c.begins[beginningOf(four)] != 0 { // no branch, which nobody could predict
			some = 1
		}
		n += some
	}
	return scratch[:n]
}
