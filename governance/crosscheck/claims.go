package crosscheck

import (
	"iter"
	"slices"
	"strings"
)

// claim is a request that a clause makes about a subject in the table of opposites.
type claim struct {
	subject *subject
	choice  string // the first spelling of the choice, or the requested number
	no      bool   // whether the clause asks not to use the choice
	limits  string // the words that limit what the request applies to
}

// contradicts reports whether two claims about the same subject exclude each other.
func (c claim) contradicts(other claim) bool {
	if c.choice == other.choice {
		return c.no != other.no
	}
	longer, shorter := c.choice, other.choice
	if len(longer) < len(shorter) {
		longer, shorter = shorter, longer
	}
	return !c.no && !other.no && !strings.HasPrefix(longer, shorter+".") // version 20.11 satisfies version 20
}

// Word lists for classifying clauses.
var (
	verbs = wordSet(`use using uses used prefer choose adopt employ stick favor favour write keep set limit wrap name indent
		format manage install target require requires enforce maintain aim ensure follow apply end terminate branch lint test
		declare define quote standardize achieve create open submit have has build style retry`)
	says      = wordSet("is are be been being")
	asks      = wordSet("must should shall always never only exclusively required mandatory max maximum minimum")
	refuses   = wordSet("not never avoid no without omit skip forbid disallow")
	forbidden = wordSet("forbidden prohibited disallowed banned")
	instead   = wordSet("instead rather over versus because since so which not never")
	noise     = wordSet(`a an the all any every each our this these those your it its we you please project projects repository repo
		codebase code everything everywhere throughout across consistently strictly for in on as to of with by at and just also sure do from
		readability clarity consistency consistent proper better improve improved maintainability preferred recommended standard`)
	// weak are words that show that a clause asks for nothing, or applies only in some
	// cases.
	weak = wordSet(`may might could can cannot optional optionally either or sometimes usually often some was were when if unless except
		until while where whether before after whenever depending e.g i.e example otherwise currently legacy deprecated old existing
		consider allowed acceptable fine ok okay possible try migrate migrating migrated converting convert replace what how why which who`)
	// orMore are words that turn a version into a minimum.
	orMore = wordSet("later newer higher least minimum above greater more")
	// digits maps number words to digits.
	digits = map[string]string{"two": "2", "three": "3", "four": "4", "eight": "8"}
)

// claims returns the requests that a clause makes. A clause that only describes, or
// that names several choices of a subject, makes none.
func (c clause) claims() (claims []claim) {
	var known []*subject
	for _, words := range [][]string{c.words, strings.Fields(c.label)} {
		for _, word := range words {
			for _, s := range subjectsOf(word) {
				if !slices.Contains(known, s) {
					known = append(known, s)
				}
			}
		}
	}
	if known == nil {
		return nil
	}
	words := spell(withSigns(c.words))
	if len(words) == len(c.words) {
		for i, word := range c.words {
			if bare(word) == "CamelCase" { // some texts call PascalCase CamelCase
				words[i] = "CamelCase"
			}
		}
	}
	label := strings.Join(spell(strings.Fields(c.label)), " ")
	for i, word := range words {
		if n := digits[word]; n != "" {
			words[i] = n
		}
		isMore := word == "or" && i+1 < len(words) && orMore[strings.TrimSuffix(words[i+1], ",")]
		if weak[strings.TrimSuffix(word, ",")] && !isMore || word == "not" && follows(words, i, "always") {
			return nil
		}
	}
	for _, s := range known {
		for _, part := range s.parts(words) {
			found, ok := s.claim(part, label)
			if !ok {
				continue
			}
			for limits := range s.eachLimit(found.limits) {
				found.limits = limits
				claims = append(claims, found)
			}
		}
	}
	return claims
}

// withSigns returns the words without comparison signs. It appends "+" to a number
// after a ">" or "≥" sign, so that ">= 18" becomes "18+".
func withSigns(words []string) []string {
	if !slices.ContainsFunc(words, isSign) {
		return words
	}
	var joined []string
	for i, word := range words {
		more := i > 0 && strings.ContainsAny(words[i-1], ">≥") && isSign(words[i-1])
		switch {
		case more:
			joined = append(joined, word+"+")
		case !isSign(word):
			joined = append(joined, word)
		}
	}
	return joined
}

func isSign(word string) bool { return strings.Trim(word, "<>=≤≥") == "" }

// subjectsOf returns the subjects with a choice that begins with word.
func subjectsOf(word string) []*subject {
	word = bare(word)
	if word == "" {
		return nil
	}
	if n := strings.TrimLeft(word, "<>=≤≥~v"); n != "" && n[0] >= '0' && n[0] <= '9' {
		return subjectsByWord[aNumber]
	}
	word = strings.ToLower(word)
	if digits[word] != "" {
		return subjectsByWord[aNumber]
	}
	return subjectsByWord[word]
}

// parts splits a clause that makes several requests. It splits before a verb, and
// before another choice if the previous one is limited by "for" or "in". A part that
// begins with a choice is prefixed with the words before the first choice.
func (s *subject) parts(words []string) (all [][]string) {
	var opening, part []string
	limited := false // whether part has a choice followed by "for" or "in"
	for i := 0; i < len(words); i++ {
		word, comma := strings.CutSuffix(words[i], ",")
		n, _, _ := s.match(words[i:])
		if n > 0 && opening == nil {
			opening = append([]string{}, part...)
		}
		if i > 0 && len(part) > 0 && (part[len(part)-1] == "and" || part[len(part)-1] == "but") {
			switch {
			case verbs[word] || asks[word] || refuses[word]:
				all, part, limited = append(all, part), nil, false
			case n > 0 && limited:
				all, part, limited = append(all, part), slices.Clone(opening), false
			}
		}
		limited = limited || opening != nil && (word == "for" || word == "in")
		part = append(part, word)
		if comma {
			part = append(part, "and")
		}
	}
	return append(all, part)
}

// claim returns the request in a part of a clause. ok is false if the part makes none.
func (s *subject) claim(words []string, label string) (found claim, ok bool) {
	labelled := s.labels[label]
	at, n, choice, ok := s.find(words)
	if at == 0 && s.each && label != "" { // "File names: kebab-case"
		labelled, words = true, append(strings.Fields(label), words...)
		at, n, choice, ok = s.find(words)
	}
	if at < 0 && labelled { // "Go version: 1.26"
		words = append(strings.Fields(label), words...)
		at, n, choice, ok = s.find(words)
	}
	found.choice = choice
	if at < 0 || !labelled && !s.isAsked(words, at) || !labelled && s.needs != nil && !slices.ContainsFunc(words, func(w string) bool { return s.needs[w] }) {
		return claim{}, false
	}
	rest := words[at+n:]
	for i, word := range rest {
		if forbidden[word] || word == "not" && i > 0 && (says[rest[i-1]] || asks[rest[i-1]]) {
			found.no = !found.no
			continue
		}
		if instead[word] {
			rest = rest[:i]
			break
		}
		if m, other, _ := s.match(rest[i:]); m > 0 && other != found.choice {
			return claim{}, false
		}
	}
	for _, word := range words[:at] {
		if refuses[word] {
			found.no = !found.no
		}
	}
	if ok { // a number: "at most n" and "not more than n" mean the same
		found.no = false
	}
	before := slices.DeleteFunc(slices.Clone(words[:at]), func(w string) bool { return s.before[w] })
	found.subject, found.limits = s, s.limitsIn(before, rest)
	if ok && strings.HasPrefix(s.name, "version of ") && slices.ContainsFunc(words, func(w string) bool { return orMore[w] || strings.ContainsAny(w, "+>≥") }) {
		found.limits += " or later"
	}
	return found, true
}

// find returns the index of the first word at which a choice begins, and the results
// of [subject.match] there. The index is -1 if the words contain no choice.
func (s *subject) find(words []string) (at, n int, name string, number bool) {
	for i := range words {
		if n, name, number = s.match(words[i:]); n > 0 {
			return i, n, name, number
		}
	}
	return -1, 0, "", false
}

// isAsked reports whether the words request the choice that begins at index at: they
// begin with a verb such as "use", contain a word such as "must", or say what the
// subject is.
func (s *subject) isAsked(words []string, at int) bool {
	if slices.ContainsFunc(words, func(w string) bool { return asks[w] || forbidden[w] }) {
		return true
	}
	if at == 0 && len(words) > 2 && slices.ContainsFunc(words[1:3], func(w string) bool { return w == "for" }) { // "Single quotes for strings"
		return true
	}
	for i, word := range words[:at] {
		switch {
		case verbs[word], refuses[word]:
			return true
		case says[word]:
			return i > 0
		case !noise[word] && !s.about[word]:
			return false
		}
	}
	return false
}

// limitsIn returns the words that limit what a request applies to.
func (s *subject) limitsIn(parts ...[]string) string {
	var limits []string
	for _, words := range parts {
		for i, word := range words {
			if word == "and" && s.each {
				limits = append(limits, word)
			} else if s.before[word] && i > 0 && verbs[words[i-1]] { // "npm to install packages"
				continue
			} else if !(word == "" || word == "or" || noise[word] || verbs[word] || says[word] || asks[word] || refuses[word] || forbidden[word] || s.about[word]) {
				limits = append(limits, strings.TrimSuffix(word, "s"))
			}
		}
	}
	return strings.Join(limits, " ")
}

// eachLimit yields the things that a request applies to. If each thing has its own
// choice, "functions and variables" yields two limits. Otherwise it yields limits
// unchanged.
func (s *subject) eachLimit(limits string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !s.each {
			yield(limits)
			return
		}
		found := false
		var limit []string
		for word := range strings.FieldsSeq(strings.ReplaceAll(limits, "/", " and ") + " and") {
			if word != "and" {
				limit = append(limit, strings.TrimSuffix(word, "s"))
			} else if len(limit) > 0 {
				if found = true; !yield(strings.Join(limit, " ")) {
					return
				}
				limit = nil
			}
		}
		if !found {
			yield("")
		}
	}
}

// match returns the length in words of the longest spelling of a choice at the
// beginning of words, and the name of that choice. If number is true, the name is the
// number in the words. n is 0 if no choice matches.
func (s *subject) match(words []string) (n int, name string, number bool) {
	for _, c := range s.choices {
		for _, spelling := range c.spellings {
			if len(spelling) <= n || len(spelling) > len(words) {
				continue
			}
			value := ""
			fits := true
			for i, form := range spelling {
				v, ok := fit(strings.TrimSuffix(words[i], ","), form)
				if fits = ok; !ok {
					break
				}
				value += v
			}
			if !fits {
				continue
			}
			if n, name, number = len(spelling), strings.Join(c.spellings[0], " "), c.number; number {
				name = value
			}
		}
	}
	return n, name, number
}

// fit reports whether a word matches a word of a spelling, and returns the number in
// it if the spelling has {n} or {v}.
func fit(word, form string) (value string, ok bool) {
	before, after, isNumber := strings.Cut(form, "{")
	if !isNumber {
		return "", word == form
	}
	kind, after, _ := strings.Cut(after, "}")
	if !strings.HasPrefix(word, before) || !strings.HasSuffix(word, after) {
		return "", false
	}
	value = strings.TrimLeft(word[len(before):max(len(before), len(word)-len(after))], "<>=≤≥~")
	if kind == "v" {
		value = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(value, "v"), "+"), ".x")
	}
	if value == "" || strings.Trim(value, "0123456789.") != "" || value[0] == '.' {
		return "", false
	}
	return strings.TrimSuffix(value, "."), true
}

// units are the units that limits are counted in.
var units = wordSet(`seconds second minutes minute hours hour days day ms lines characters words sentences paragraphs bytes kb mb gb
	times retries attempts requests items files levels parameters arguments columns px percent tokens`)

// limit parses a clause that sets a limit, such as "Set the timeout of requests to 30
// seconds". It returns the number, and the clause with {n} in place of the number. ok
// is false if the clause sets no limit.
func (c clause) limit() (about, number string, ok bool) {
	at := slices.IndexFunc(c.words, func(word string) bool { return bare(word) != "" && bare(word)[0] >= '0' && bare(word)[0] <= '9' })
	if at < 1 || len(c.words) < 5 {
		return "", "", false
	}
	words := spell(c.words)
	if len(words) != len(c.words) || at+1 >= len(words) || !units[words[at+1]] || strings.Trim(words[at], "0123456789") != "" {
		return "", "", false
	}
	asked := slices.ContainsFunc(words, func(w string) bool { return asks[w] }) || verbs[words[0]]
	isOther := func(w string) bool { return w[0] >= '0' && w[0] <= '9' || weak[w] }
	if !asked || slices.ContainsFunc(slices.Concat(words[:at], words[at+1:]), func(w string) bool { return w != "" && isOther(w) }) {
		return "", "", false
	}
	number = words[at]
	words[at] = "{n}"
	return strings.Join(words, " "), number, true
}
