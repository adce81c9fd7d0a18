package notes

import (
	"cmp"
	"math"
	"slices"
)

// Direction is the direction of the links between a note and a neighbour.
type Direction string

// Values of Direction.
const (
	In   Direction = "in"   // from the neighbour to the note
	Out  Direction = "out"  // from the note to the neighbour
	Both Direction = "both" // in both directions, or from a note to itself
)

// Neighbor is a note that is linked with another note.
type Neighbor struct {
	*Note
	Direction Direction
}

// Degrees returns the number of notes that link to n, and the number that n links to.
func (s *Snapshot) Degrees(n *Note) (in, out int) {
	i := s.place(n)
	return len(s.in[i]), len(s.out[i])
}

// Neighbors returns at most limit neighbours of n: first those that n links to, then
// those that only link to n, each group sorted by id. With In or Out, it returns only
// neighbours with a link in that direction. With Both, a link in either direction is
// enough.
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

// Path returns a shortest path from source to target, including both. With Out it
// follows links, with In it follows them backwards, and with Both it does either. If
// there are several shortest paths, it returns the first in order of ids. It returns nil
// if there is no path.
func (s *Snapshot) Path(source, target *Note, d Direction) []*Note {
	from, to := s.place(source), s.place(target)
	next, previous := s.beside(d), s.beside(reverse(d))
	steps := make([]int32, len(s.notes)) // by note: 1 + the distance to the target, or 0 if not reached
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

// beside returns a function that lists the neighbours of a note in a direction, sorted
// by id.
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

// Metric is a measure of how central a note is.
type Metric uint8

// Values of Metric.
const (
	InDegree  Metric = iota // number of notes that link to it
	OutDegree               // number of notes that it links to
	PageRank                // share of visits by a reader who follows random links
)

// Hub is a note with its score.
type Hub struct {
	*Note
	Score float64
}

// Hubs returns all notes, sorted by descending score and then by id. The caller must not
// modify the slice.
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
			hubs[i].Score = math.Round(s.ranks()[i]*1e6) / 1e6 // digits beyond that differ between processors
		}
	}
	slices.SortStableFunc(hubs, func(a, b Hub) int { return cmp.Compare(b.Score, a.Score) })
	return hubs
}

// Parameters of PageRank (Page, Brin: The Anatomy of a Large-Scale Hypertextual Web
// Search Engine, 1998). A reader follows a link with probability damping, and otherwise
// starts again at a random note. More iterations than rounds do not change the displayed
// scores.
const (
	damping = 0.85
	rounds  = 60
)

// pageRank returns the PageRank of each note. The ranks add up to 1. A reader at a note
// without links starts again at a random note.
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
