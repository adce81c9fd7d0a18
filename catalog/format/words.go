package format

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"instruction-catalog/catalog"
)

// readWord reads a field that is one of a few words. Loose knows what a word in
// lower case that is none of them is meant for, and returns "" for what it does
// not know.
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

// alternatives lists words as in: draft, review or approved.
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

// groups are the words that mean more than one person.
var groups = wordSet(`team teams group groups
	developers devs engineers programmers coders architects designers testers
	authors writers contributors maintainers committers reviewers
	users admins administrators operators agents bots assistants
	analysts specialists experts leads managers owners members students`)

// individuals are the words that mean one person of whom there is one in front
// of the screen.
var individuals = wordSet("developer author")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// looseAudience knows every audience: whoever it does not know is everybody.
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

// looseRequirement knows the words of RFC 2119 that real catalogs use.
// Anything else is a sentence that describes the requirement.
func looseRequirement(lower string) catalog.Requirement {
	switch lower {
	case "must", "required", "essential":
		return catalog.Mandatory
	case "may":
		return catalog.Optional
	}
	return catalog.Recommended // "should" among them
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
