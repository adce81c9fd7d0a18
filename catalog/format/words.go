package format

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"instruction-catalog/catalog"
)

// readWord reads a field whose value is one of the words in all. It ignores case, with
// a warning. For any other word, it calls loose with the word in lower case. loose
// returns the word meant, or "" if it is unknown, which is an error.
func readWord[W ~string](n *normaliser, f field, loose func(string) W, all ...W) (W, bool) {
	spelled, ok := n.textOf(f)
	if !ok {
		return "", false
	}
	if i := slices.Index(all, W(spelled)); i >= 0 {
		return all[i], true
	}
	lower := strings.ToLower(strings.TrimSpace(spelled))
	for _, w := range all {
		if strings.EqualFold(lower, string(w)) {
			n.taken(f, strconv.Quote(string(w)))
			return w, true
		}
	}
	w := loose(lower)
	if w == "" {
		n.fail(FieldValue, f, "%s is unknown: write %s", f.value, alternatives(all))
		return "", false
	}
	n.taken(f, strconv.Quote(string(w)))
	return w, true
}

// alternatives joins words as in: draft, review or approved.
func alternatives[W ~string](all []W) string {
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = string(w)
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func readAudience(n *normaliser, f field) {
	n.entry.Audience = catalog.Everybody
	if !n.hasOr(f, `"all"`) {
		return
	}
	audience, ok := readWord(n, f, looseAudience,
		catalog.Individual, catalog.Group, catalog.Everybody)
	if ok {
		n.entry.Audience = audience
	}
}

// groups are words for several people.
var groups = wordSet(`team teams group groups
	developers devs engineers programmers coders architects designers testers
	authors writers contributors maintainers committers reviewers
	users admins administrators operators agents bots assistants
	analysts specialists experts leads managers owners members students`)

// individuals are words for a single person, namely the user of the agent.
var individuals = wordSet("developer author")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// looseAudience returns the audience for any text: Group if it contains a word for
// several people, else Individual if it contains a word for one, else Everybody.
func looseAudience(lower string) catalog.Audience {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) })
	audience := catalog.Everybody
	for _, word := range words {
		switch {
		case groups[word]:
			return catalog.Group
		case individuals[word]:
			audience = catalog.Individual
		}
	}
	return audience
}

func readRequirement(n *normaliser, f field) {
	n.entry.Requirement = catalog.Recommended
	if !n.hasOr(f, `"recommended"`) {
		return
	}
	requirement, ok := readWord(n, f, looseRequirement, catalog.Requirements()...)
	if ok {
		n.entry.Requirement = requirement
	}
}

// looseRequirement returns the requirement for any text. It knows the words of RFC 2119
// that real catalogs use. Any other text is a sentence that describes the requirement,
// and is read as recommended.
func looseRequirement(lower string) catalog.Requirement {
	switch lower {
	case "must", "required", "essential":
		return catalog.Mandatory
	case "may":
		return catalog.Optional
	}
	return catalog.Recommended // "should" and all other texts
}

func readStatus(n *normaliser, f field) {
	if n.has(f) {
		n.entry.Status, _ = readWord(n, f, looseStatus,
			catalog.StatusDraft, catalog.StatusReview, catalog.StatusApproved, catalog.StatusDeprecated)
	}
}

func looseStatus(lower string) catalog.Status {
	if lower == "active" {
		return catalog.StatusApproved
	}
	return ""
}

func readPriorityTier(n *normaliser, f field) {
	if n.has(f) {
		n.entry.PriorityTier, _ = readWord(n, f, loosePriorityTier, "P1", "P2", "P3", "P4")
	}
}

func loosePriorityTier(lower string) catalog.PriorityTier {
	if lower == "p0" {
		return "P1"
	}
	return ""
}

func readClassification(n *normaliser, f field) {
	if n.has(f) {
		n.entry.Classification, _ = readWord(n, f, func(string) catalog.Classification { return "" },
			catalog.Public, catalog.Internal, catalog.Restricted)
	}
}
