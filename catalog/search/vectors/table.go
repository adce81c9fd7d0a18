package vectors

import (
	"math"
	"runtime"
	"sync"

	"instruction-catalog/catalog/search/embed"
)

// table holds the vectors of documents. It is immutable.
type table struct {
	documents  Documents
	dimensions int
	matrix     []float32 // one row per passage, in the order of the documents, then unused rows
	owners     []int32   // by row: position of the document
	lacking    int       // number of passages without a vector
}

// Match is a document found by a search.
type Match struct {
	Position int     // of the document
	Score    float32 // cosine of the best passage, 0 to 1
	// Deviations is the number of standard deviations by which Score exceeds the mean
	// score of all documents.
	Deviations float64
}

// nearest returns at most limit documents, sorted by descending similarity to v and then
// by position.
func (t *table) nearest(v embed.Vector, limit int) []Match {
	best, cosines := top{limit: limit}, t.cosines(v)
	var all spread
	for row := 0; row < len(cosines); {
		owner, score := t.owners[row], float32(0)
		for ; row < len(cosines) && t.owners[row] == owner; row++ {
			score = max(score, cosines[row])
		}
		score = min(score, 1)
		best.offer(owner, score)
		all.add(float64(score))
	}
	matches := make([]Match, len(best.found))
	for i, f := range best.found {
		matches[i] = Match{int(f.owner), f.score, all.deviations(float64(f.score))}
	}
	return matches
}

// cosines returns the cosine of v and each row. It uses all processors.
func (t *table) cosines(v embed.Vector) []float32 {
	cosines := make([]float32, len(t.owners))
	share := 1 + len(cosines)/runtime.GOMAXPROCS(0)
	var shares sync.WaitGroup
	for from := 0; from < len(cosines); from += share {
		shares.Go(func() {
			for row := from; row < min(from+share, len(cosines)); row++ {
				cosines[row] = dot(v, t.matrix[row*t.dimensions:][:t.dimensions])
			}
		})
	}
	shares.Wait()
	return cosines
}

// dot returns the dot product of two vectors of equal length. For unit vectors it is
// their cosine. Four independent sums are faster than one, because additions need not
// wait for each other.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(a) >= 8 && len(b) >= 8 {
		p, q := (*[8]float32)(a), (*[8]float32)(b)
		s0 += p[0]*q[0] + p[4]*q[4]
		s1 += p[1]*q[1] + p[5]*q[5]
		s2 += p[2]*q[2] + p[6]*q[6]
		s3 += p[3]*q[3] + p[7]*q[7]
		a, b = a[8:], b[8:]
	}
	for i := range min(len(a), len(b)) {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// spread accumulates the mean and the variance of numbers.
type spread struct{ n, sum, squares float64 }

func (s *spread) add(x float64) { s.n, s.sum, s.squares = s.n+1, s.sum+x, s.squares+x*x }

// deviations returns the number of standard deviations by which x exceeds the mean, or 0
// if all numbers are equal.
func (s *spread) deviations(x float64) float64 {
	mean := s.sum / s.n
	variance := s.squares/s.n - mean*mean
	if variance <= 0 {
		return 0
	}
	return (x - mean) / math.Sqrt(variance)
}

// top keeps the best offers in descending order of score. Among equal scores, the
// earlier offer comes first.
type top struct {
	limit int
	found []scored
}

type scored struct {
	owner int32
	score float32
}

func (t *top) offer(owner int32, score float32) {
	if len(t.found) == t.limit && score <= t.found[t.limit-1].score {
		return
	}
	if len(t.found) < t.limit {
		t.found = append(t.found, scored{})
	}
	i := len(t.found) - 1
	for ; i > 0 && t.found[i-1].score < score; i-- {
		t.found[i] = t.found[i-1]
	}
	t.found[i] = scored{owner, score}
}
