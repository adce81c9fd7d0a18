package ranked

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/search/fold"
)

func TestLocateWords(t *testing.T) {
	t.Parallel()
	r := indexOf(shelf)
	for _, c := range []struct {
		query, text string
		want        []string
	}{
		{"wrap errors", "Wrap the error, and no errorf: wrapping, unwrap.", []string{"Wrap", "error", "wrapping"}},
		{"error wra", "Wrappers wrap", []string{"Wrappers", "wrap"}},
		{"error wra.", "Wrappers wrap", nil},
		{"readline", "readLine(read, line)", []string{"readLine"}},
		{"read line", "readLine(read, line)", []string{"read", "Line", "read", "line"}},
		{"代码评审", "做代码评审吧", []string{"代码", "评", "审"}},
		{"the", "the", nil},
		{"strasse", "Straße STRASSE", []string{"Straße", "STRASSE"}},
	} {
		var got []string
		for m := range r.Rank(c.query).Locate(c.text) {
			got = append(got, c.text[m.Start:m.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

func TestLocateWordsStops(t *testing.T) {
	t.Parallel()
	for m := range indexOf(shelf).Rank("wrap").Locate("wrap wrap") {
		if m != (fold.Match{Start: 0, End: 4}) {
			t.Fatal(m)
		}
		break
	}
}

func TestWindow(t *testing.T) {
	t.Parallel()
	var documents []Document
	for range 9 {
		documents = append(documents, Document{Body: "common usual"})
	}
	r := indexOf(append(documents, Document{Body: "rare"}))
	far := strings.Repeat(" -", 40)
	for _, c := range []struct{ name, query, text, want string }{
		{"none", "rare", "nothing", ""},
		{"the first", "rare", far + "rare 1" + far + "rare 2", "rare 1"},
		{"the rare word", "rare common", "common 1" + far + "rare 2" + far + "common 3", "rare 2"},
		{"more than the rare word", "rare common", "rare 1" + far + "common 2 rare 3", "common 2 rare 3"},
		{"two beside each other", "common usual", "common 1" + far + "usual 2 common 3" + far, "usual 2 common 3"},
		{"no more before than is needed", "rare common", "common 1 common 2 common 3 rare 4", "common 3 rare 4"},
		{"a word longer than the reach", "rare", strings.Repeat("x", 100) + " rare", "rare"},
	} {
		m := r.Rank(c.query).Window(c.text, 50)
		if got := c.text[m.Start:]; !strings.HasPrefix(got, c.want) || (c.want == "") != (m == fold.Match{}) {
			t.Errorf("%s: %v, %.40q, want %q", c.name, m, got, c.want)
		}
	}
}

// checkPlaces checks that matches are in order, do not overlap and are within the text, and
// that the window begins at one of them if there is one.
func checkPlaces(t *testing.T, r *Result, text string) {
	t.Helper()
	end, all := 0, map[fold.Match]bool{}
	for m := range r.Locate(text) {
		if m.Start < end || m.End < m.Start || m.End > len(text) {
			t.Fatalf("%q: %v after %d", text, m, end)
		}
		end = m.End
		all[m] = true
	}
	for _, reach := range []int{0, 1, 20, 1000} {
		if m := r.Window(text, reach); len(all) > 0 && !all[m] || len(all) == 0 && m != (fold.Match{}) {
			t.Errorf("%q: the window begins at %v, matches are %v", text, m, all)
		}
	}
}

func TestWindowInMixedTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 8))
	for range 2000 {
		text := mixed(random, 100)
		checkPlaces(t, indexOf([]Document{{Body: text}, {Body: "abc"}}).Rank(mixed(random, 10)), text)
	}
}
