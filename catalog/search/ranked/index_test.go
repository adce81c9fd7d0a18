package ranked

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// shelf has documents with the words of the tests in different fields.
var shelf = []Document{
	0: {ID: "go-errors", Title: "Wrap errors", Categories: "go errors", Summary: "Say what you were doing.", Body: "Wrap each error once."},
	1: {ID: "logging", Title: "Log once", Categories: "operations", Body: "An error is logged where it is handled. Wrapping it is no handling."},
	2: {ID: "locks", Title: "Locks", Categories: "go", Body: "Hold a lock for a few lines. readLine may wait."},
	3: {ID: "strasse", Title: "Die Straße", Body: "代码评审 und GROẞE Füße"},
	4: {ID: "empty"},
	5: {ID: "invalid", Title: "a\xffb", Body: "\xed\xa0\x80 na\u0308ive \u0301"},
}

func indexOf(documents []Document) *Index {
	return New(len(documents), func(i int) string { return fmt.Sprint(documents[i]) }, func(i int) Document { return documents[i] }, nil)
}

func positions(hits []Hit) []int {
	found := []int{}
	for _, h := range hits {
		found = append(found, h.Document)
	}
	return found
}

func TestRank(t *testing.T) {
	t.Parallel()
	r := indexOf(append(slices.Clone(shelf), make([]Document, fullCatalog)...)) // a small catalog would return more documents
	for _, c := range []struct {
		query string
		want  []int
	}{
		{"wrap errors", []int{0, 1}},
		{"WRAP, Errors!", []int{0, 1}},
		{"errors wrapped", []int{0, 1}},
		{"logs", []int{1}},
		{"operations", []int{1}},
		{"doing", []int{}}, // a stop word, although a summary has it
		{"says", []int{0}},
		{"strasse", []int{3}},
		{"große FÜSSE", []int{3}},
		{"go-errors", []int{0, 1, 2}},
		{"go-errors go-errors GO_ERRORS", []int{0, 1, 2}},
		{"readline", []int{2}},
		{"read line", []int{2}},
		{"readLine", []int{2}},
		{"ReadLines", []int{2}}, // by its parts
		{"评审", []int{3}},
		{"代码 评审", []int{3}},
		{"评", []int{3}}, // the beginning of a pair
		{"how do i wrap an error", []int{0, 1}},
		// Beginnings of words match for the last word only, unless something follows it.
		{"operatio", []int{1}},
		{"operatio ", []int{}},
		{"operatio logged", []int{}}, // log alone scores too little
		{"wrap operatio", []int{0, 1}},
		{"wr", []int{}},
		// Of several words, the rarest must match.
		{"readline kubernetes", []int{}},
		{"error locks kubernetes", []int{}},
		{"wrap each error wherever", []int{0, 1}},
		// A typing error is tolerated if no document has the word.
		{"operatoins", []int{1}},
		{"operatons", []int{1}},
		{"operatiions", []int{1}},
		{"pperations", []int{}}, // the first letter must be correct
		{"lokcs", []int{2}},
		{"lofs", []int{}}, // too short
		// Queries without words find nothing.
		{"", []int{}},
		{" \t", []int{}},
		{"?!", []int{}},
		{"the of and", []int{}},
		{"\u0301", []int{}},
		{"\xff\xfe", []int{}},
		{"\ufffd", []int{}},
		{"a", []int{}},
		{"b", []int{5}},
		{"na\u0308ive", []int{5}},
		{"näive", []int{}}, // composed: a different word
		{strings.Repeat("x", 1000), []int{}},
		{strings.Repeat("wrap ", 200), []int{0, 1}},
		{strings.Repeat("\u0301", 1000), []int{}},
	} {
		if got := positions(r.Rank(c.query).Hits); !slices.Equal(got, c.want) {
			t.Errorf("Rank(%.40q) = %v, want %v", c.query, r.Rank(c.query).Hits, c.want)
		}
	}
}

// TestRankInSmallCatalog checks that in a small catalog, a word that no document or every
// document has does not empty the result.
func TestRankInSmallCatalog(t *testing.T) {
	t.Parallel()
	for _, documents := range []int{1, 3, 10, 20} {
		shelf := make([]Document, documents)
		for i := range shelf {
			shelf[i] = Document{ID: fmt.Sprint("filler-", i), Title: "Some rules", Body: "All rules of the team" + strings.Repeat(" and more", 20)}
		}
		shelf[documents/2].Body += strings.Repeat(" other text", 300) + " passwords come from a store"
		x := indexOf(shelf)
		for _, query := range []string{
			"where do passwords go", "passwords kubernetes", "passwords rules", "rules passwords kubernetes helm",
			"which of the kubernetes deployments in production may read passwords from environment variables of another namespace",
		} {
			hits := x.Rank(query).Hits
			if len(hits) == 0 || hits[0].Document != documents/2 {
				t.Errorf("%d documents: Rank(%q) = %v, want %d first", documents, query, hits, documents/2)
			}
		}
		for _, query := range []string{"some rules", "rules kubernetes"} {
			if hits := x.Rank(query).Hits; len(hits) != documents {
				t.Errorf("%d documents: Rank(%q) = %v, want all", documents, query, hits)
			}
		}
		if hits := x.Rank("kubernetes helm").Hits; len(hits) != 0 {
			t.Errorf("%d documents: words that none has find %v", documents, hits)
		}
	}
}

func TestRankingWithoutDocuments(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*Index{"zero": {}, "nil": indexOf(nil), "empty": indexOf(make([]Document, 3))} {
		for _, query := range []string{"", "a", "wrap errors"} {
			if hits := r.Rank(query).Hits; len(hits) != 0 {
				t.Errorf("%s: Rank(%q) = %v", name, query, hits)
			}
		}
	}
}

// TestRankTies checks that documents with equal scores stay in the order of their numbers.
func TestRankTies(t *testing.T) {
	t.Parallel()
	documents := slices.Repeat([]Document{{Title: "wrap"}, {Body: "wrap"}, {Body: "other"}}, 40)
	hits := indexOf(documents).Rank("wrap").Hits
	for i, h := range hits {
		want := 3 * i
		if i >= 40 {
			want = 3*(i-40) + 1
		}
		if h.Document != want || h.Score != hits[i/40*40].Score {
			t.Fatalf("hit %d is %v, want document %d", i, h, want)
		}
	}
	if len(hits) != 80 || hits[0].Score <= hits[79].Score {
		t.Errorf("%d hits, scores %d and %d", len(hits), hits[0].Score, hits[len(hits)-1].Score)
	}
}

// TestRankOrder checks that a word counts more in a title, in a short body, if it is more
// frequent in the body, in exactly the form of the query, and the rarer it is.
func TestRankOrder(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat(" filler text made of many other things", 30)
	documents := []Document{
		{ID: "once", Body: "lock" + filler},
		{ID: "short", Body: "lock and little else"},
		{ID: "often", Body: "lock lock lock" + filler},
		{ID: "title", Title: "lock", Body: filler},
		{ID: "category", Categories: "lock", Body: filler},
		{ID: "summary", Summary: "lock", Body: filler},
		{ID: "lock-x", Body: filler},
		{ID: "form", Body: "locked" + filler},
		{ID: "longer", Body: "locksmith" + filler},
		{ID: "rare", Body: "mutex" + filler},
	}
	for range 20 {
		documents = append(documents, Document{ID: "many", Body: "lock" + filler})
	}
	r := indexOf(documents)
	for _, c := range []struct{ query, better, worse string }{
		{"lock", "often", "once"}, {"lock", "short", "once"}, {"lock", "title", "category"}, {"lock", "title", "summary"},
		{"lock", "often", "lock-x"},
		{"lock", "once", "form"}, {"lock", "form", "longer"},
	} {
		places := map[string]int{}
		for i, h := range r.Rank(c.query).Hits {
			places[documents[h.Document].ID] = i + 1
		}
		if better, worse := places[c.better], places[c.worse]; better == 0 || worse <= better {
			t.Errorf("%s: %s is at place %d, %s at %d", c.query, c.better, better, c.worse, worse)
		}
	}
}

// TestLongQuestion checks that the other words of a task do not hide its subject, and that
// a question about an unknown subject finds nothing.
func TestLongQuestion(t *testing.T) {
	t.Parallel()
	a := newAuthor(7, 400)
	documents := make([]Document, 200)
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprint("entry-", i), Title: a.prose(3), Body: a.prose(200)}
	}
	documents[117] = Document{ID: "terraform-plan", Title: "Read a terraform plan", Body: "What a diff of azure gateways means. " + a.prose(60)}
	x := indexOf(documents)
	const unknown = " verkleinern umwandeln ausserdem nachtraeglich widerspruechlich unterbrechung"
	q := "terraform diff azure" + unknown + " why how when" + strings.ToUpper(unknown) + " entzwischen abgeschlossen"
	if hits := x.Rank(q).Hits; len(hits) == 0 || hits[0].Document != 117 {
		t.Errorf("Rank(%q) = %v", q, hits)
	}
	if hits := x.Rank("azure" + unknown).Hits; len(hits) != 0 {
		t.Errorf("found %v", hits)
	}
}

func TestScoreAsJSON(t *testing.T) {
	t.Parallel()
	for score, want := range map[Score]string{0: "0", 1: "0.001", 7: "0.007", 29: "0.029", 500: "0.5", 580: "0.58", 999: "0.999", 1000: "1"} {
		if got := string(score.AppendJSON(nil)); got != want {
			t.Errorf("%d: %s, want %s", score, got, want)
		}
	}
}

// naiveRank does the same as Rank, without an index.
func naiveRank(documents []Document, query string) []Hit {
	var sums, most = make([]float64, len(documents)), 0.0
	terms := indexOf(documents).terms(query)
	words := make([]map[string]float64, len(documents))
	for i := range documents {
		words[i] = naiveWeights(documents[i])
	}
	for _, t := range terms {
		weights, found := naiveTerm(t, words)
		if found == 0 && len(t.word) >= leastMisspelt {
			t.misspelt = true
			weights, found = naiveTerm(t, words)
		}
		n := float64(len(documents))
		idf := math.Pow(math.Log(1+(n-float64(found)+0.5)/(float64(found)+0.5)), 0.8)
		most += idf
		for i := range sums {
			sums[i] += idf * weights[i]
		}
	}
	var hits []Hit
	for i, sum := range sums {
		if sum > 0 {
			hits = append(hits, Hit{i, Score(max(1, math.Round(1000*sum/most)))})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return int(b.Score) - int(a.Score) })
	if len(hits) == 0 {
		return nil
	}
	n := float64(len(documents))
	least := 260 * min(1, 1.9*math.Pow(math.Log(1+(n+0.5)/0.5), 0.8)/most) * min(1, max(0, (n-20)/40))
	if float64(hits[0].Score) < least && len(terms) > 1 {
		return nil
	}
	return slices.DeleteFunc(hits, func(h Hit) bool { return 100*int(h.Score) < 15*int(hits[0].Score) })
}

// naiveTerm returns the weight of a term in each document, and the number of documents that
// have it.
func naiveTerm(t term, words []map[string]float64) (weights []float64, found int) {
	for _, of := range words {
		most := 0.0
		for word, w := range of {
			if !strings.HasPrefix(word, t.start()) {
				continue
			}
			most = max(most, float64(t.factor(word))*w)
		}
		if weights = append(weights, most); most > 0 {
			found++
		}
	}
	return weights, found
}

// naiveWeights returns the weights of the words of a document.
func naiveWeights(d Document) map[string]float64 {
	weights := map[string]float64{}
	body := telling(d.Body)
	for _, word := range body {
		weights[word]++
	}
	for word, f := range weights {
		weights[word] = f / (f + 0.9*(0.25+0.75*float64(len(body))/500)) / 1.9
	}
	summary := d.Summary
	if summary == "" {
		summary = d.Title
	}
	for field, weight := range map[string]float64{d.ID + " " + d.Title: 0.4, summary + " " + d.Categories + " ": 0.5} {
		of := telling(field)
		slices.Sort(of)
		for _, word := range slices.Compact(of) {
			weights[word] += weight / 1.9
		}
	}
	return weights
}

func telling(text string) []string {
	return slices.DeleteFunc(wordsOf(text), func(word string) bool { return stopWords()[word] })
}

// checkRank compares Rank with naiveRank. Nearly equal sums may be rounded to different
// scores.
func checkRank(t *testing.T, documents []Document, query string) {
	t.Helper()
	got, want := indexOf(documents).Rank(query).Hits, naiveRank(documents, query)
	byDocument := map[int]Score{}
	for _, h := range want {
		byDocument[h.Document] = h.Score
	}
	for i, h := range got {
		score, found := byDocument[h.Document]
		if !found || max(h.Score, score)-min(h.Score, score) > 1 {
			t.Errorf("Rank(%q) = %v, want %v", query, got, want)
		}
		if i > 0 && (h.Score > got[i-1].Score || h.Score == got[i-1].Score && h.Document <= got[i-1].Document) {
			t.Errorf("Rank(%q) = %v: out of order", query, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("Rank(%q) = %v, want %v", query, got, want)
	}
}

// TestRankAgreesWithTheNaiveWay checks, for random documents and queries, that Rank finds
// exactly the documents that fit, with the scores of the formula.
func TestRankAgreesWithTheNaiveWay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	a := newAuthor(5, 150)
	for range 20 {
		documents := make([]Document, random.IntN(2*fullCatalog))
		for i := range documents {
			documents[i] = Document{
				ID: fmt.Sprint(a.words[random.IntN(150)], "-", i), Title: a.prose(random.IntN(30)),
				Categories: a.prose(random.IntN(12)), Summary: a.prose(random.IntN(40)), Body: a.prose(random.IntN(300)) + mixed(random, 20),
			}
		}
		for range 6 {
			query := a.prose(random.IntN(40)) + mixed(random, 4)
			checkRank(t, documents, strings.TrimRight(query, " .:?-\n"))
		}
	}
}

// TestNextIndexSharesSegments checks that the same documents rank the same regardless of
// the previous index, and that adding or changing a document leaves nearly all segments
// unchanged.
func TestNextIndexSharesSegments(t *testing.T) {
	t.Parallel()
	a := newAuthor(6, 300)
	documents := make([]Document, 4000) // about 16 segments, of at most 1024 documents; their ends differ between processes
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprint(i), Title: a.prose(20), Body: a.prose(40)}
	}
	before := indexOf(documents)
	documents = slices.Insert(documents, 777, Document{ID: "new", Body: a.prose(500)})
	next, alone := New(len(documents), func(i int) string { return fmt.Sprint(documents[i]) }, func(i int) Document { return documents[i] }, before), indexOf(documents)
	for range 50 {
		query := a.prose(10)
		if got, want := next.Rank(query).Hits, alone.Rank(query).Hits; !slices.Equal(got, want) {
			t.Fatalf("Rank(%q) = %v, want %v", query, got, want)
		}
	}
	old := map[*postings]bool{}
	for _, s := range before.segments {
		old[s.Content] = true
	}
	others := 0
	for _, s := range next.segments {
		if !old[s.Content] {
			others++
		}
	}
	if others < 1 || others > 3 || len(next.segments) < 4 {
		t.Errorf("%d of %d segments are not shared", others, len(next.segments))
	}
}

func FuzzRank(f *testing.F) {
	for _, d := range shelf {
		f.Add(d.Title, d.Body, "wrap errors")
	}
	f.Add("HTTPServer", "readLine 代码评审", "readline 评")
	f.Add("e\u0301", "\u0301\u200d\ufffd", "\u0301")
	f.Add("x", strings.Repeat("aB", 100), strings.Repeat("aB", 100))
	f.Fuzz(func(t *testing.T, title, body, query string) {
		checkWords(t, query)
		checkRank(t, []Document{{Title: title, Body: body}, {ID: title, Summary: body}, {Body: title + " " + body}, {Body: query}}, query)
		checkPlaces(t, indexOf([]Document{{Body: body}}).Rank(query), body)
	})
}

func ExampleIndex() {
	documents := []Document{
		{Title: "Wrap errors", Body: "Say what you were doing."},
		{Title: "Logging", Body: "An error is logged once."},
		{Title: "Locks", Body: "Hold a lock for a few lines."},
	}
	x := New(len(documents), func(i int) string { return fmt.Sprint(documents[i]) }, func(i int) Document { return documents[i] }, nil)
	for _, hit := range x.Rank("how to wrap an error").Hits {
		fmt.Println(documents[hit.Document].Title, hit.Score)
	}
	// Output:
	// Wrap errors 440
	// Logging 153
}
