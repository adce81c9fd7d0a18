package search

import "reflect"

// Len returns the number of texts.
func (x *Index) Len() int { return x.texts.Len }

// Size returns how many bytes the index holds beside the texts: filters,
// tables, and what is allocated but unused.
func (x *Index) Size() int64 {
	var size int64
	for _, g := range x.groups {
		size += g.size()
	}
	return size
}

func (s *shard) size() int64 {
	return sizeOf[shard]() +
		4*int64(cap(s.starts)) +
		int64(cap(s.pieces))*sizeOf[piece]() +
		s.filters.size() + s.tokens.size()
}

func (t *tokenSets) size() int64 { return int64(2 * cap(t.data)) }

func (d *dictionary) size() int64 {
	return int64(cap(d.tokens.text)+4*cap(d.tokens.ends)+4*cap(d.starts)+4*cap(d.places)+4*cap(d.blocks)) + d.filters.size()
}

func (gs *grams) size() int64 {
	return int64(4*cap(gs.known) + 4*cap(gs.starts) + cap(gs.data))
}

func (g *group) size() int64 {
	size := sizeOf[group]() + g.grams.size() + g.dictionary.size() + int64(8*cap(g.rest)+8*cap(g.clusters))
	for i := range g.shards {
		size += g.shards[i].size()
	}
	return size
}

func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

func (s *signatures) size() int64 { return 8 * int64(cap(s.rows)) }

// Size returns how many bytes the ranking holds.
func (r *Ranking) Size() int64 {
	return sizeOf[Ranking]() + int64(len(r.words.text)) +
		4*int64(cap(r.words.ends)+cap(r.starts)+cap(r.where)) + sizeOf[weight]()*int64(cap(r.weights))
}
