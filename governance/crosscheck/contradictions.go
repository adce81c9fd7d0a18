package crosscheck

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// saying is what an entry says in a clause.
type saying struct {
	by    *catalog.Entry
	text  string // of the clause
	line  int
	about string
}

// contradictions tells of clauses that say of the same thing that it is to be, and
// that it is not, in entries that hold for the same people and subjects. Those that
// no longer hold are left out. Each clause with "not" is told of once.
func contradictions(texts []entryText, view View) (found []report.Finding) {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t entryText) bool { return retired(t.Entry) })
	denials := denialsIn(texts)
	affirmed := affirmationsIn(texts, denials)
	for _, no := range denials {
		for _, yes := range affirmed[no.about] {
			if no.by != yes.by && overlap(no.by, yes.by) && !succeeds(no.by, yes.by) {
				found = append(found, contradiction(no, yes, view))
				break
			}
		}
	}
	return found
}

func denialsIn(texts []entryText) (denials []saying) {
	for _, t := range texts {
		for c := range clausesOf(t.body) {
			if !c.mayDeny() {
				continue
			}
			if about, negated := c.meaning(); negated {
				denials = append(denials, saying{t.Entry, c.String(), c.line, about})
			}
		}
	}
	return denials
}

// affirmationsIn returns the clauses that say that something is to be which others
// deny, by what they are about: of each entry the first one.
func affirmationsIn(texts []entryText, denials []saying) map[string][]saying {
	affirmed, ends := map[string][]saying{}, map[string]bool{}
	for _, no := range denials {
		affirmed[no.about] = nil
		ends[no.about[strings.LastIndexByte(no.about, ' ')+1:]] = true
	}
	for _, t := range texts {
		for c := range clausesOf(t.body) {
			if last := c.last(); !ends[last] && !demands[last] { // as nearly always
				continue
			}
			about, negated := c.meaning()
			known, denied := affirmed[about]
			if n := len(known); denied && !negated && (n == 0 || known[n-1].by != t.Entry) {
				affirmed[about] = append(known, saying{t.Entry, c.String(), c.line, about})
			}
		}
	}
	return affirmed
}

func contradiction(no, yes saying, view View) report.Finding {
	f := finding(Contradiction, no.by, view.Place(no.by, no.line))
	other := view.Place(yes.by, yes.line)
	quote := func(text string) string { return view.Quote(no.by, view.Quote(yes.by, text)) } // what is a secret in one is none to show of the other
	denied, affirmed := quote(no.text), quote(yes.text)
	f.Message = fmt.Sprintf("%q contradicts %q in %s: say which of the two holds", excerpt(denied), excerpt(affirmed), other)
	about, _ := clause{words: strings.Fields(denied)}.meaning() // which the secrets are taken out of
	f.Match, f.Related = string(yes.by.ID)+": "+about, []report.Place{other}
	return f
}

// excerpt is a text that fits into a message.
func excerpt(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// overlap reports whether two entries have readers and subjects in common. One
// without categories is about everything.
func overlap(a, b *catalog.Entry) bool {
	readers := a.Audience == b.Audience || a.Audience == catalog.Everybody || b.Audience == catalog.Everybody
	subjects := len(a.Categories) == 0 || len(b.Categories) == 0 ||
		slices.ContainsFunc(a.Categories, func(c string) bool { return slices.Contains(b.Categories, c) })
	return readers && subjects
}
