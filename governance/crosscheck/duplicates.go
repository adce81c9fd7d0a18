package crosscheck

import (
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// similar is how much two texts have in common that are told of: the shingles of
// both by those of either.
const similar = 0.8

// duplicates tells of bodies that are the same as an earlier one, or nearly. An
// entry is told of once, with the one that it is most like. A body with fewer words
// than a shingle says too little.
func duplicates(texts []entryText, view View) []report.Finding {
	var same, near []report.Finding
	first := map[catalog.Fingerprint]*catalog.Entry{}
	index := shingleIndex{}
	for _, t := range texts {
		text := shingle(t)
		if len(text.shingles) == 0 {
			continue
		}
		if earlier := first[t.SourceHash]; earlier != nil {
			if !areMeantTwice(earlier, t.Entry) {
				same = append(same, duplicate(t.Entry, earlier, view))
			}
			continue
		}
		first[t.SourceHash] = t.Entry
		text.sign()
		if twin, share := index.nearest(text); twin != nil {
			near = append(near, nearDuplicate(t.Entry, twin, share, view))
		}
		index.add(text)
	}
	return append(same, near...)
}

// areMeantTwice reports whether there is a reason for two entries to say the same:
// one is there in place of the other, or each is in the file of another agent.
func areMeantTwice(a, b *catalog.Entry) bool {
	return succeeds(a, b) || a.Origin.Format != b.Origin.Format && a.Origin.OfAgent() && b.Origin.OfAgent()
}

func duplicate(e, earlier *catalog.Entry, view View) report.Finding {
	f := finding(Duplicate, e, view.Place(e, 0))
	other := view.Place(earlier, 0)
	f.Message = fmt.Sprintf("the body is the same as that of %s: keep one of the two", other)
	f.Match, f.Related = string(earlier.ID), []report.Place{other}
	return f
}

func nearDuplicate(e, twin *catalog.Entry, share float64, view View) report.Finding {
	f := finding(NearDuplicate, e, view.Place(e, 0))
	other := view.Place(twin, 0)
	f.Message = fmt.Sprintf("the body is nearly the same as that of %s (%.0f %%): make one of the two, or say what is different",
		other, share*100)
	f.Match, f.Related = string(twin.ID), []report.Place{other}
	return f
}
