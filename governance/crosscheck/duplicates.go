package crosscheck

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// similar is the minimum Jaccard similarity of the shingles of two texts that are
// nearly the same.
const similar = 0.8

// member is an entry of a group.
type member struct {
	*catalog.Entry
	reach
}

// group is a text with all entries that have it, in catalog order.
type group struct {
	shingled
	body    string
	members []member
}

// duplicates reports texts that occur more than once. If entries are for the same
// agent, each is reported with an earlier one. Entries for different agents are copies,
// and one finding covers them all. A body with fewer words than a shingle is ignored.
func duplicates(texts []entryText, view View) []report.Finding {
	groups := groupsOf(texts)
	near := nearPairs(groups)
	found := sameForOneAgent(groups, view)
	found = append(found, nearForOneAgent(near, view)...)
	return append(found, copies(groups, near, view)...)
}

// groupsOf returns the distinct texts with their entries.
func groupsOf(texts []entryText) []*group {
	var groups []*group
	byHash := map[catalog.Fingerprint]*group{}
	for _, t := range texts {
		g := byHash[t.SourceHash]
		if g == nil {
			g = &group{shingled: shingled{shingles: shinglesOf(t.body)}, body: t.body}
			byHash[t.SourceHash] = g
			if len(g.shingles) > 0 {
				groups = append(groups, g)
			}
		}
		g.members = append(g.members, member{t.Entry, reachOf(t.Entry)})
	}
	return groups
}

// sameForOneAgent reports each entry with the same text as an earlier entry for the
// same agent. It prefers an earlier entry that is loaded at the same place.
func sameForOneAgent(groups []*group, view View) (found []report.Finding) {
	type spot struct{ agent, home string }
	for _, g := range groups {
		first, inHome := map[string]member{}, map[spot]member{}
		for _, m := range g.members {
			other, ok := inHome[spot{m.agent, m.home}]
			if !ok {
				inHome[spot{m.agent, m.home}] = m
				other, ok = first[m.agent]
			}
			if !ok {
				first[m.agent] = m
			} else if !succeeds(m.Entry, other.Entry) {
				found = append(found, duplicate(m, other, len(g.shingles), view))
			}
		}
	}
	return found
}

// thinBody is the maximum size, in shingles, of a body that may do no more than refer
// to another file, such as the workflow in the folder of its skill.
const thinBody = 100

func duplicate(m, earlier member, size int, view View) report.Finding {
	f := finding(Duplicate, m.Entry, view.Place(m.Entry, 0))
	other := view.Place(earlier.Entry, 0)
	f.Message = fmt.Sprintf("the body is the same as that of %s: keep one of the two", other)
	f.Match, f.Related = string(earlier.ID), []report.Place{other}
	if m.aside || !m.meets(earlier.reach) && (m.home != earlier.home || m.alone && size <= thinBody) {
		f.Severity = report.Note
	}
	return f
}

// nearForOneAgent reports each entry with nearly the same text as an earlier entry for
// the same agent. It names the most similar entry, preferring those loaded at the same
// place or together with it.
func nearForOneAgent(pairs []nearPair, view View) (found []report.Finding) {
	type twin struct {
		member
		share float64
		meets bool
	}
	twins := map[*catalog.Entry]twin{}
	var order []member
	for _, p := range pairs {
		for _, m := range p.later.members {
			for _, other := range first(p.earlier.members, maxBand) {
				if m.agent != other.agent || succeeds(m.Entry, other.Entry) {
					continue
				}
				best, known := twins[m.Entry]
				meets := m.home == other.home || m.meets(other.reach)
				if !known {
					order = append(order, m)
				}
				if !known || meets && !best.meets || meets == best.meets && p.share > best.share {
					twins[m.Entry] = twin{other, p.share, meets}
				}
			}
		}
	}
	for _, m := range order {
		found = append(found, nearDuplicate(m, twins[m.Entry].member, twins[m.Entry].share, view))
	}
	return found
}

func first[T any](all []T, n int) []T { return all[:min(n, len(all))] }

// surely is the minimum share of common shingles at which similar texts in a collection
// are a warning and not a note.
const surely = 0.95

func nearDuplicate(m, twin member, share float64, view View) report.Finding {
	f := finding(NearDuplicate, m.Entry, view.Place(m.Entry, 0))
	other := view.Place(twin.Entry, 0)
	f.Message = fmt.Sprintf("the body is nearly the same as that of %s (%.0f %%): merge the two, or say what is different",
		other, share*100)
	f.Match, f.Related = string(twin.ID), []report.Place{other}
	if m.aside || m.alone || twin.alone || m.home != twin.home || !m.placed && share < surely {
		f.Severity = report.Note
	}
	return f
}

// nearPair is a pair of texts that are nearly the same.
type nearPair struct {
	earlier, later *group
	share          float64
}

// nearPairs returns the pairs of texts that are nearly the same. If very many texts
// are similar, it returns only some of the pairs.
func nearPairs(groups []*group) (pairs []nearPair) {
	index := shingleIndex{}
	by := keysFor(groups)
	for i, g := range groups {
		g.sign()
		keys := g.keys(by)
		for _, at := range index.candidates(keys) {
			if share := jaccard(g.shingles, groups[at].shingles); share >= similar {
				pairs = append(pairs, nearPair{groups[at], g, share})
			}
		}
		index.add(keys, i)
	}
	return pairs
}

// keysFor returns functions that compute the keys by which an entry's text is looked
// up. The index keeps few texts per key, so there are keys by agent, by place and by
// name. Otherwise, the kept texts could all belong to other agents, places or names.
func keysFor(groups []*group) []func(m member) string {
	agents, homes := map[string]bool{}, map[string]bool{}
	for _, g := range groups {
		for _, m := range g.members {
			agents[m.agent], homes[m.home] = true, true
		}
	}
	by := []func(m member) string{func(m member) string { return m.agent + "\x00" + m.home }}
	if len(homes) > 1 {
		by = append(by, func(m member) string { return m.agent })
	}
	if len(agents) > 1 {
		by = append(by, func(member) string { return "" }, func(m member) string { return "\x00" + m.name })
	}
	return by
}

// keys returns the keys of a text. Only texts with a common key are compared.
func (g *group) keys(by []func(m member) string) (keys []uint64) {
	hasher := fnv.New64a()
	for _, m := range first(g.members, maxBand) {
		for _, key := range by {
			hasher.Reset()
			hasher.Write([]byte(key(m)))
			hash := hasher.Sum64()
			for _, b := range g.bands {
				keys = append(keys, mix(hash^b))
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// copies reports texts that are kept for several agents: notes for those that are the
// same, and [CopiesDrifted] findings for those that have drifted apart.
func copies(groups []*group, pairs []nearPair, view View) (found []report.Finding) {
	drifted := driftedGroups(pairs)
	done := map[*group]bool{}
	for _, g := range groups {
		together := drifted[g]
		if done[g] {
			continue
		}
		if together == nil {
			together = []*group{g}
		}
		for _, other := range together {
			done[other] = true
		}
		if f, ok := copied(together, view); ok {
			found = append(found, f)
		}
	}
	return found
}

// driftedGroups joins texts for different agents that seem to have been the same text
// once: each is the most similar to the other among the texts for its agent. It maps
// each text to all texts joined with it.
func driftedGroups(pairs []nearPair) map[*group][]*group {
	type target struct {
		from  *group
		agent string
	}
	type twin struct {
		to    *group
		score float64
	}
	best := map[target]twin{}
	offer := func(from, to *group, m, other member, score float64) {
		if m.home == other.home { // a common place outweighs a common name, which outweighs similarity
			score += 4
		}
		if m.name == other.name {
			score += 2
		}
		if score > best[target{from, other.agent}].score {
			best[target{from, other.agent}] = twin{to, score}
		}
	}
	each := func(f func(p nearPair, a, b member)) {
		for _, p := range pairs {
			for _, a := range first(p.earlier.members, maxBand) {
				for _, b := range first(p.later.members, maxBand) {
					if a.agent != b.agent && !succeeds(a.Entry, b.Entry) && !p.earlier.isFor(b.agent) && !p.later.isFor(a.agent) {
						f(p, a, b)
					}
				}
			}
		}
	}
	each(func(p nearPair, a, b member) {
		offer(p.earlier, p.later, a, b, p.share)
		offer(p.later, p.earlier, b, a, p.share)
	})
	joined := map[*group][]*group{}
	each(func(p nearPair, a, b member) {
		if best[target{p.earlier, b.agent}].to == p.later && best[target{p.later, a.agent}].to == p.earlier {
			join(joined, p.earlier, p.later)
		}
	})
	return joined
}

// join combines the sets of texts that a and b are joined with.
func join(joined map[*group][]*group, a, b *group) {
	for _, g := range []*group{a, b} {
		if joined[g] == nil {
			joined[g] = []*group{g}
		}
	}
	if slices.Contains(joined[a], b) {
		return
	}
	all := append(joined[a], joined[b]...)
	for _, g := range all {
		joined[g] = all
	}
}

// isFor reports whether one of the group's entries is for an agent.
func (g *group) isFor(agent string) bool {
	return slices.ContainsFunc(g.members, func(m member) bool { return m.agent == agent })
}

// copied returns the finding for texts that are kept for several agents, or false if
// they are not.
func copied(texts []*group, view View) (report.Finding, bool) {
	all := placesOf(texts)
	if !slices.ContainsFunc(all, func(m member) bool { return m.agent != all[0].agent && !succeeds(m.Entry, all[0].Entry) }) {
		return report.Finding{}, false
	}
	f := finding(CopiesSame, all[0].Entry, view.Place(all[0].Entry, 0))
	var names, ids []string
	for _, m := range all[1:] {
		at := view.Place(m.Entry, 0)
		f.Related = append(f.Related, at)
		names, ids = append(names, at.Path), append(ids, string(m.ID))
	}
	f.Severity, f.Match = report.Note, strings.Join(ids, " ")
	kept := fmt.Sprintf("kept in %s places, also in %s", spellNumber(len(all)), enumerate(names))
	d, drifted := firstDifference(texts)
	if !drifted {
		f.Message = kept + ": change all of them together, or keep one and refer to it"
		return f, true
	}
	f.Rule, f.Place = CopiesDrifted, view.Place(d.a.Entry, d.lineA)
	f.Message = fmt.Sprintf("%s, and no longer the same: %s: make them the same, or keep one and refer to it", kept, d.describe(view))
	if all[0].placed && !slices.ContainsFunc(all, func(m member) bool { return m.home != all[0].home || m.name != all[0].name }) {
		f.Severity = report.Warning
	}
	return f, true
}

// placesOf returns one entry for each agent and place that has one of the texts, at
// most maxCopies entries.
func placesOf(texts []*group) (all []member) {
	for _, g := range texts {
		for _, m := range g.members {
			isThere := slices.ContainsFunc(all, func(other member) bool { return other.agent == m.agent && other.home == m.home })
			if !isThere && len(all) < maxCopies {
				all = append(all, m)
			}
		}
	}
	return all
}

// maxCopies is the maximum number of copies that a finding names.
const maxCopies = 50

// enumerate lists up to three names and counts the others.
func enumerate(names []string) string {
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func spellNumber(n int) string {
	if words := strings.Fields("zero one two three four five six seven eight nine"); n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
