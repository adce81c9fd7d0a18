package sum

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// snapshot returns a snapshot with the given number of entries: e00, e01 and so on.
func snapshot(entries int) *catalog.Snapshot {
	var all []*catalog.Entry
	for n := range entries {
		i := instruction()
		i.ID = catalog.ID(fmt.Sprintf("e%02d", n))
		all = append(all, entry(i))
	}
	return catalog.NewSnapshot(all, nil)
}

func TestSumIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	for entries := range 5 {
		s := Of(snapshot(entries), map[string][]byte{catalog.GatesFile: []byte(`{"gates":[]}`)})
		again, err := Parse(s.Bytes())
		if err != nil || len(again.Changes(s)) > 0 || len(again) != entries+1 {
			t.Errorf("%d entries: %v, %v", entries, again, err)
		}
	}
}

func TestMalformedSum(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("a1", 32)
	for text, want := range map[string]string{
		"a " + hash:                                    "catalog.sum:1: the line is cut off",
		"a " + hash + "\nb " + hash[:9]:                "catalog.sum:2: the line is cut off",
		"a " + hash + "\r\n":                           `catalog.sum:1: the line ends in \r\n`,
		"a " + hash + "\na " + hash + "\n":             "catalog.sum:2: a has a second line here",
		"b " + hash + "\na " + hash + "\n":             "catalog.sum:2: a comes after b, but the lines are in byte order",
		"a " + hash + "\n\n":                           `catalog.sum:2: the line begins with "", which is not the id of an entry`,
		"A " + hash + "\n":                             `catalog.sum:1: the line begins with "A", which is not the id`,
		"\uFEFFa " + hash + "\n":                       `catalog.sum:1: the line begins with "\ufeffa", which is not the id`,
		"a " + hash + "\n\xff " + hash + "\n":          "catalog.sum:2: the line is not valid UTF-8",
		"a  " + hash + "\n":                            "catalog.sum:1: what follows the id",
		"a " + strings.ToUpper(hash) + "\n":            "catalog.sum:1: what follows the id",
		"a " + hash + " \n":                            "catalog.sum:1: what follows the id",
		"a\n":                                          "catalog.sum:1: what follows the id",
		"<<<<<<< HEAD\n":                               `catalog.sum:1: the line begins with "<<<<<<<", which is not the id`,
		"gates.jso " + hash + "\n":                     `catalog.sum:1: the line begins with "gates.jso", which is not the id`,
		strings.Repeat("x", 1<<16) + " " + hash + "\n": "catalog.sum:1: ",
	} {
		_, err := Parse([]byte(text))
		malformed, ok := errors.AsType[*Malformed](err)
		if !ok || !strings.HasPrefix(err.Error(), want) || malformed.Line == 0 || len(err.Error()) > 400 {
			t.Errorf("%.80q: got %v, want %s", text, err, want)
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	line := func(name, hash string) Line { return Line{name, catalog.Fingerprint(hash)} }
	was := Sum{line("a", "1"), line("b", "1"), line("d", "1"), line(catalog.GatesFile, "1")}
	now := Sum{line("a", "1"), line("b", "2"), line("c", "1"), line(catalog.GatesFile, "2")}
	want := []Change{{"b", Changed, 2}, {"c", Added, 0}, {"d", Removed, 3}, {catalog.GatesFile, Changed, 4}}
	if got := was.Changes(now); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if changes := was.Changes(was); changes != nil {
		t.Errorf("changes without a change: %v", changes)
	}
}
