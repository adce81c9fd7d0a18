package crosscheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/governance/report"
)

// saying is a statement that an entry makes in a clause.
type saying struct {
	by       *bearing
	text     string // text of the clause
	line     int
	about    string // the topic; only sayings with the same topic can contradict each other
	value    string // the requested value, if only one value is possible
	no       bool   // whether the clause asks not to do it
	contexts []string
	claim    claim // the claim made, if its subject is in the table of opposites
}

// contradictions reports pairs of clauses that exclude each other: two choices from the
// table of opposites, two limits or preferences that conflict, or the same clause with
// and without "not". Both entries must apply to the same readers, files and subjects,
// and neither may be deprecated. Each clause is reported at most once.
func contradictions(texts []entryText, view View) (found []report.Finding) {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t entryText) bool { return retired(t.Entry) })
	bearings := make([]*bearing, len(texts))
	for i, t := range texts {
		bearings[i] = bearingOf(t.Entry)
	}
	denials, chosen := sayingsIn(texts, bearings)
	type place struct {
		by   *bearing
		line int
	}
	known := map[place]bool{}
	for _, about := range sortedKeys(chosen) {
		for i, said := range chosen[about] {
			if other, ok := contrary(said, first(chosen[about][:i], maxCompared)); ok && !known[place{said.by, said.line}] {
				known[place{said.by, said.line}] = true
				if other.no && !said.no {
					said, other = other, said
				}
				found = append(found, contradiction(said, other, view))
			}
		}
	}
	affirmed := affirmationsIn(texts, bearings, denials)
	for _, no := range denials {
		if yes, ok := contrary(no, first(affirmed[no.about], maxCompared)); ok && !known[place{no.by, no.line}] && !known[place{yes.by, yes.line}] {
			found = append(found, contradiction(no, yes, view))
		}
	}
	slices.SortStableFunc(found, func(a, b report.Finding) int { return cmp.Compare(a.Entry, b.Entry) })
	return found
}

// maxCompared is the maximum number of clauses that a clause is compared with.
const maxCompared = 200

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// contrary returns the first of the sayings that contradicts said.
func contrary(said saying, others []saying) (saying, bool) {
	for _, other := range others {
		if said.by != other.by && said.excludes(other) && said.by.overlaps(other.by) && said.sharesContext(other) {
			return other, true
		}
	}
	return saying{}, false
}

// excludes reports whether two sayings about the same topic exclude each other.
func (s saying) excludes(other saying) bool {
	if s.claim.subject != nil {
		return s.claim.contradicts(other.claim)
	}
	return s.value != other.value || s.no != other.no
}

// sharesContext reports whether two sayings have a context in common (a language or a
// part of the repository), or neither has one. If only one has a context, it reports
// whether the subject is independent of the language.
func (s saying) sharesContext(other saying) bool {
	a, b := slices.Concat(s.contexts, s.by.contexts), slices.Concat(other.contexts, other.by.contexts)
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b) || s.claim.subject != nil && s.claim.subject.general
	}
	return slices.ContainsFunc(a, func(c string) bool { return slices.Contains(b, c) })
}

// sayingsIn returns the clauses that forbid something and, by topic, the clauses that
// choose something.
func sayingsIn(texts []entryText, bearings []*bearing) (denials []saying, chosen map[string][]saying) {
	chosen = map[string][]saying{}
	for i, t := range texts {
		for c := range clausesOf(t.body) {
			said := saying{by: bearings[i], line: c.line, contexts: c.contexts}
			if c.mayDeny() {
				if about, negated := c.meaning(); negated {
					said.about, said.no, said.text = about, true, c.String()
					denials = append(denials, said)
				}
			}
			made := c.claims()
			for _, m := range made {
				said.claim, said.text, said.no = m, c.String(), m.no
				add(chosen, m.subject.name+": "+m.limits, said)
			}
			if about, number, ok := c.limit(); ok && len(made) == 0 {
				said.claim, said.no = claim{}, false
				said.value, said.text = number, c.String()
				add(chosen, about, said)
			}
			if winner, loser, ok := c.preference(); ok {
				said.claim, said.no = claim{}, false
				said.value, said.text = winner, c.String()
				add(chosen, min(winner, loser)+" or "+max(winner, loser), said)
			}
		}
	}
	return denials, chosen
}

// add adds a saying, unless its entry already says the same.
func add(chosen map[string][]saying, about string, said saying) {
	for _, known := range slices.Backward(chosen[about]) {
		if known.by != said.by {
			break
		}
		if !known.excludes(said) && known.claim.choice == said.claim.choice && slices.Equal(known.contexts, said.contexts) {
			return
		}
	}
	chosen[about] = append(chosen[about], said)
}

// affirmationsIn returns the clauses that request what denials forbid, by topic. For
// each topic it returns the first clause of each entry.
func affirmationsIn(texts []entryText, bearings []*bearing, denials []saying) map[string][]saying {
	affirmed, ends := map[string][]saying{}, map[string]bool{}
	for _, no := range denials {
		affirmed[no.about] = nil
		ends[no.about[strings.LastIndexByte(no.about, ' ')+1:]] = true
	}
	if len(denials) == 0 {
		return nil
	}
	for i, t := range texts {
		for c := range clausesOf(t.body) {
			if last := c.last(); !ends[last[strings.LastIndexByte(last, ' ')+1:]] && !demands[last] { // skips nearly all clauses
				continue
			}
			about, negated := c.meaning()
			known, denied := affirmed[about]
			if n := len(known); denied && !negated && (n == 0 || known[n-1].by != bearings[i]) {
				affirmed[about] = append(known, saying{by: bearings[i], text: c.String(), line: c.line, about: about, contexts: c.contexts})
			}
		}
	}
	return affirmed
}

// quoteFor returns text without the secrets of either entry.
func quoteFor(a, b *bearing, text string, view View) string {
	return view.Quote(a.Entry, view.Quote(b.Entry, text))
}

func contradiction(no, yes saying, view View) report.Finding {
	f := finding(Contradiction, no.by.Entry, view.Place(no.by.Entry, no.line))
	other := view.Place(yes.by.Entry, yes.line)
	denied, affirmed := quoteFor(no.by, yes.by, no.text, view), quoteFor(no.by, yes.by, yes.text, view)
	f.Message = fmt.Sprintf("%q contradicts %q in %s: say which of the two applies", excerpt(denied), excerpt(affirmed), other)
	about, _ := clause{words: strings.Fields(denied)}.meaning() // from the text without secrets
	if subject := no.claim.subject; subject != nil {
		about = subject.name + ", " + no.claim.choice
	}
	f.Match, f.Related = string(yes.by.ID)+": "+about, []report.Place{other}
	return f
}

// excerpt shortens a text to at most 80 characters for a message.
func excerpt(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// preference returns the preferred and the rejected option of a clause such as "Prefer
// interfaces over types". ok is false if the clause states no preference.
func (c clause) preference() (winner, loser string, ok bool) {
	at := slices.IndexFunc(c.words, func(word string) bool { return word == "over" || word == "instead" || word == "rather" })
	if at < 2 || at+1 >= len(c.words) {
		return "", "", false
	}
	words := spell(c.words)
	if len(words) != len(c.words) || slices.ContainsFunc(words, func(w string) bool { return weak[strings.TrimSuffix(w, ",")] }) {
		return "", "", false
	}
	after := at + 1
	if words[at] != "over" {
		if words[after] != "of" && words[after] != "than" {
			return "", "", false
		}
		after++
	}
	verb := slices.IndexFunc(words[:at], func(w string) bool { return !noise[w] })
	if verb < 0 || verb+1 >= at || words[verb] != "prefer" && words[verb] != "use" && words[verb] != "choose" && words[verb] != "favor" {
		return "", "", false
	}
	winner, loser = strings.Join(words[verb+1:at], " "), strings.Join(words[after:], " ")
	return winner, loser, winner != "" && loser != "" && winner != loser && !strings.Contains(winner+loser, ",")
}
