package search

const (
	// outlined is how many shards an outline is of.
	outlined = 64

	// outlineBits is how much outline a byte of text gets. A shard of prose or
	// code has one distinct run of three, four or five bytes in two to six bytes,
	// depending on its size.
	outlineBits = 1

	// The outline knows runs of these lengths. Of a query it looks at the longest
	// it can, since those are the ones that a text may lack though it has all
	// their parts.
	shortestRun = 3
	longestRun  = 5
)

// An outline is a coarse index over up to 64 neighbouring shards: Bloom filters,
// one for each shard, of the runs of three, four and five bytes in it. It is
// bit-sliced as [signatures] are, so that a few words say which shards can be
// passed over. It tells apart what signatures of trigrams cannot: a word joined
// of two common ones has the trigrams of many texts, but runs of five that none
// has.
type outline struct {
	rows       []uint64 // bit i stands for shard i
	shards     int
	dictionary dictionary
}

// holding returns a bit for each of the shards that may hold n.
func (o *outline) holding(n *needle) uint64 {
	left := ^uint64(0) >> (64 - o.shards)
	for _, r := range n.runs {
		if left &= o.rows[r.row(len(o.rows))]; left == 0 {
			break
		}
	}
	return left
}

// A run is the hash of three to five neighbouring bytes, spread over 32 bits.
type run uint64

// hashRun hashes bytes, the last in the lowest, by multiplication (Knuth, The
// Art of Computer Programming, vol. 3, 6.4).
func hashRun(bytes uint64) run { return run(bytes * 0x9E3779B97F4A7C15 >> 32) }

// hashAgain is a second hash of three bytes. A query of three bytes has but one
// run; where it shares a row with a run that every shard has, the other row has
// to tell.
func hashAgain(bytes uint64) run { return run((bytes + 1<<40) * 0xD6E8FEB86659FD93 >> 32) }

// row scales the hash to a number of rows.
func (r run) row(rows int) int { return int(uint64(r) * uint64(rows) >> 32) }

// runsOf returns the runs by which the outline knows a query: those of the
// greatest length within its first filteredBytes bytes, and shorter ones where
// these are few. A query of one or two bytes has none.
func runsOf(text []byte) []run {
	const enough = 8
	text = text[:min(len(text), filteredBytes)]
	runs := make([]run, 0, filteredBytes)
	for length := longestRun; length >= shortestRun && len(runs) < enough; length-- {
		for at := 0; at+length <= len(text); at++ {
			var bytes uint64
			for _, c := range text[at:][:length] {
				bytes = bytes<<8 | uint64(c)
			}
			runs = append(runs, hashRun(bytes))
			if length == shortestRun {
				runs = append(runs, hashAgain(bytes))
			}
		}
	}
	return runs
}
