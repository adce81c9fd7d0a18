package notes

import (
	"cmp"
	"math"
	"slices"
)

// Direction says which way links go between a note and a neighbour.
type Direction string

// The directions.
const (
	In   Direction = "in"   // from the neighbour
	Out  Direction = "out"  // to it
	Both Direction = "both" // both ways, or to itself
)

// Neighbor is a note beside another one.
type Neighbor struct {
	*Note
	Direction Direction
}

// Degrees returns how many notes link to a note, and how many it links to.
func (s *Snapshot) Degrees(n *Note) (in, out int) {
	i := s.place(n)
	return len(s.in[i]), len(s.out[i])
}

// Neighbors returns the notes beside a note, those that it links to before those
// that only link to it, each by id; at most limit. Direction In or Out leaves out
// those that have no link that way; both ways is either.
func (s *Snapshot) Neighbors(n *Note, d Direction, limit int) []Neighbor {
	i := s.place(n)
	var found []Neighbor
	add := func(places []int32, other []int32, alone Direction, again bool) {
		for _, place := range places {
			_, both := slices.BinarySearch(other, place)
			switch {
			case len(found) == limit:
				return
			case !both:
				found = append(found, Neighbor{s.notes[place], alone})
			case again:
				found = append(found, Neighbor{s.notes[place], Both})
			}
		}
	}
	if d != In {
		add(s.out[i], s.in[i], Out, true)
	}
	if d != Out {
		add(s.in[i], s.out[i], In, d == In)
	}
	return found
}

// Path returns the shortest way between two notes, with both ends: along links with
// Out, against them with In, either way with Both. Of several it returns the one that
// comes first by ids, and nil if there is no way.
func (s *Snapshot) Path(source, target *Note, d Direction) []*Note {
	from, to := s.place(source), s.place(target)
	next, previous := s.beside(d), s.beside(reverse(d))
	steps := make([]int32, len(s.notes)) // by note: 1 + the distance to the target, 0 if it was not reached
	steps[to] = 1
	for queue := []int32{to}; len(queue) > 0 && steps[from] == 0; queue = queue[1:] {
		for _, i := range previous(queue[0]) {
			if steps[i] == 0 {
				steps[i] = steps[queue[0]] + 1
				queue = append(queue, i)
			}
		}
	}
	if steps[from] == 0 {
		return nil
	}
	way := []*Note{source}
	for at := from; at != to; {
		beside := next(at)
		k := slices.IndexFunc(beside, func(i int32) bool { return steps[i] == steps[at]-1 })
		at = beside[k]
		way = append(way, s.notes[at])
	}
	return way
}

func reverse(d Direction) Direction {
	switch d {
	case In:
		return Out
	case Out:
		return In
	}
	return d
}

// beside returns what lists the notes beside a note in a direction, by id.
func (s *Snapshot) beside(d Direction) func(int32) []int32 {
	switch d {
	case In:
		return func(i int32) []int32 { return s.in[i] }
	case Out:
		return func(i int32) []int32 { return s.out[i] }
	}
	return func(i int32) []int32 {
		both := slices.Concat(s.in[i], s.out[i])
		slices.Sort(both)
		return slices.Compact(both)
	}
}

// Metric says what makes a note a hub.
type Metric uint8

// The metrics.
const (
	InDegree  Metric = iota // how many notes link to it
	OutDegree               // how many it links to
	PageRank                // how often a reader comes by who follows links at random
)

// Hub is a note with its score.
type Hub struct {
	*Note
	Score float64
}

// Hubs returns all notes, those with the highest score first, then by id. The
// caller must not change them.
func (s *Snapshot) Hubs(m Metric) []Hub { return s.hubs[m]() }

func (s *Snapshot) rankHubs(m Metric) []Hub {
	hubs := make([]Hub, len(s.notes))
	for i, n := range s.notes {
		hubs[i].Note = n
		switch m {
		case InDegree:
			hubs[i].Score = float64(len(s.in[i]))
		case OutDegree:
			hubs[i].Score = float64(len(s.out[i]))
		case PageRank:
			hubs[i].Score = math.Round(s.ranks()[i]*1e6) / 1e6 // processors differ beyond that
		}
	}
	slices.SortStableFunc(hubs, func(a, b Hub) int { return cmp.Compare(b.Score, a.Score) })
	return hubs
}

// How PageRank is worked out (Page, Brin: The Anatomy of a Large-Scale Hypertextual
// Web Search Engine, 1998): a reader follows a link with this probability, else
// starts anew anywhere; after these rounds nothing changes that shows.
const (
	damping = 0.85
	rounds  = 60
)

// pageRank returns the shares of the notes, which add up to 1. A reader at a note
// without links starts anew.
func (s *Snapshot) pageRank() []float64 {
	n := float64(max(1, len(s.notes)))
	rank, next := make([]float64, len(s.notes)), make([]float64, len(s.notes))
	for i := range rank {
		rank[i] = 1 / n
	}
	for range rounds {
		stuck := 0.0
		for i, out := range s.out {
			if len(out) == 0 {
				stuck += rank[i]
			}
		}
		for i, in := range s.in {
			followed := 0.0
			for _, from := range in {
				followed += rank[from] / float64(len(s.out[from]))
			}
			next[i] = (1-damping)/n + damping*(followed+stuck/n)
		}
		rank, next = next, rank
	}
	return rank
}
