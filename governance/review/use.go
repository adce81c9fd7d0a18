package review

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// use is the way a text uses words that a rule matched.
type use uint8

const (
	meant     use = iota
	quoted        // in quotation marks, code, a block quotation, a table or a heading
	described     // described or forbidden
)

// lower returns the severity s, lowered according to the use u. Quotation marks are
// what an attacker would add first, so quoting lowers the severity by only one step.
func (u use) lower(s Severity) Severity {
	all := Severities()
	switch u {
	case quoted:
		return all[min(slices.Index(all, s)+1, len(all)-1)]
	case described:
		return Info
	}
	return s
}

// spoken and done list the categories whose severity depends on use. Words that
// address the model (spoken) also count as quoted in code. Commands (done) normally
// are code, so code does not quote them.
var (
	spoken = []string{"injection", "extraction", "jailbreak"}
	done   = []string{"exfiltration", "tools", "commands"}
)

func (r *rule) isSpoken() bool { return slices.Contains(spoken, r.category) }

// depends reports whether the severity of the rule's matches depends on whether they are
// meant, quoted or described.
func (r *rule) depends() bool {
	return !r.required && (r.isSpoken() || slices.Contains(done, r.category))
}

// useOf returns the use of the words at a place. Hidden text is always meant.
func (l *layout) useOf(place Span, spoken bool) use {
	if l.isHidden(place) {
		return meant
	}
	n := l.lineAt(place.Start)
	line := l.lines[n]
	first, last := l.paragraph(n)
	paragraph := Span{max(l.lines[first].Start, place.Start-maxReach), min(max(l.lines[last].End, place.End), place.End+maxReach)}
	code, marks := l.quotation(place, paragraph)
	inCode := line.kind == codeLine && l.isPart(l.fences[line.block]) || code != Span{}
	isQuoted := marks != Span{} || line.kind == headingLine
	if spoken {
		isQuoted = isQuoted || inCode || line.kind == quoteLine || line.kind == rowLine
	} else if inCode || line.kind == codeLine {
		isQuoted = false
	}
	outer := place
	for _, q := range []Span{code, marks} {
		if q != (Span{}) {
			outer = Span{min(outer.Start, q.Start), max(outer.End, q.End)}
		}
	}
	s := l.sentence(outer, paragraph, line.kind, n)
	aboutAttacks := l.isTitledSo || line.attacks
	around := s.around()
	switch {
	case forbidsNext().MatchString(tail(s.before)), s.first && forbidsNext().MatchString(tail(s.leadIn)),
		s.isCondition(), s.isNarrated(aboutAttacks):
		return described
	case !isQuoted && !inCode, obeying().MatchString(around):
	case !spoken && denying().MatchString(around),
		spoken && (aboutAttacks || denying().MatchString(around) || describing().MatchString(around)):
		return described
	}
	if isQuoted {
		return quoted
	}
	return meant
}

// isPart reports whether a quotation is less than four fifths of the text. A quotation
// of nearly the whole text does not count.
func (l *layout) isPart(quotation Span) bool {
	return 5*(quotation.End-quotation.Start) < 4*len(l.text)
}

// Limits, in bytes, of the context of a place.
const (
	maxQuotation = 400 // of a quotation within a paragraph, not counting the place itself
	maxReach     = 500
	maxTail      = 200 // of the text before the words
)

// tail returns the end of the text before the words.
func tail(text string) string { return text[max(0, len(text)-maxTail):] }

// quotation returns the spans of the code and of the quotation marks that enclose a
// place, or empty spans.
func (l *layout) quotation(place, paragraph Span) (code, marks Span) {
	text := l.text[:paragraph.End]
	keep := func(to *Span, q Span) {
		if *to == (Span{}) && q.Start < place.Start && q.End > place.Start && q.End-q.Start <= maxQuotation+place.End-place.Start && l.isPart(q) {
			*to = q
		}
	}
	for at := paragraph.Start; at < place.Start; {
		r, size := utf8.DecodeRuneInString(text[at:])
		closing := closingMarks[r]
		if r == '`' {
			size = len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
			closing = text[at : at+size]
		}
		before, _ := utf8.DecodeLastRuneInString(text[paragraph.Start:at])
		after, _ := utf8.DecodeRuneInString(text[at+size:] + " ")
		if closing == "" || r != '`' && (unicode.IsSpace(after) || r < utf8.RuneSelf && isWord(before)) {
			at += size
			continue
		}
		end := indexClosing(text[at+size:], closing)
		if end < 0 {
			at += size
			continue
		}
		q := Span{at, at + size + end + len(closing)}
		switch {
		case q.End <= place.Start:
			at = q.End
		case r == '`':
			keep(&code, q)
			at += size // the code may contain quotation marks
		default:
			keep(&marks, q)
			at += size
		}
	}
	return code, marks
}

// closingMarks maps each opening quotation mark to its closing mark.
var closingMarks = map[rune]string{'"': `"`, '“': "”", '„': "“", '«': "»", '‘': "’", '\'': "'", '「': "」", '『': "』"}

// indexClosing returns the offset of the mark that ends a quotation, or -1 if there is
// none. An apostrophe within a word does not end a quotation. Except in code, neither
// does a mark after white space.
func indexClosing(text, closing string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], closing)
		if i < 0 {
			return -1
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(closing):] + " ")
		if closing[0] == '`' || !unicode.IsSpace(before) && (closing != "'" && closing != "’" || !isWord(after)) {
			return at
		}
		at += len(closing)
	}
}

// sentence is the context of words: the rest of their sentence, the previous and the
// next sentence, and the text that introduces their paragraph.
type sentence struct {
	before, after    string
	previous, leadIn string
	next             string
	first            bool // whether no text comes before the words
}

func (s sentence) around() string {
	return s.previous + "\n" + s.leadIn + "\n" + s.before + "\n" + s.after
}

var sentenceEnd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[.!?][)"”'*_]{0,3}\s`)
})

func (l *layout) sentence(words, paragraph Span, kind lineKind, n int) sentence {
	head, tail := l.text[paragraph.Start:words.Start], ""
	if words.End < paragraph.End {
		tail = l.text[words.End:paragraph.End]
	}
	s := sentence{before: head, after: tail}
	if kind != rowLine {
		ends := sentenceEnds(head)
		if k := len(ends); k > 0 {
			s.before = head[ends[k-1]:]
			from := 0
			if k > 1 {
				from = ends[k-2]
			}
			s.previous = head[from:ends[k-1]]
		}
		if ends := sentenceEnds(tail); len(ends) > 0 {
			s.after = tail[:ends[0]]
			s.next = tail[ends[0]:]
			if len(ends) > 1 {
				s.next = tail[ends[0]:ends[1]]
			}
		}
	}
	if s.previous == "" {
		s.leadIn = l.leadInOf(kind, n)
	}
	s.first = strings.Trim(s.before, " \t-*+_>|0123456789.)") == "" && s.previous == ""
	return s
}

// leadInOf returns the text that introduces a line. For a line of code, it adds the
// line before, which may be a comment that explains it.
func (l *layout) leadInOf(kind lineKind, n int) string {
	first, _ := l.paragraph(n)
	switch kind {
	case codeLine:
		lead := l.leadIn(n)
		if ends := sentenceEnds(lead); len(ends) > 0 && ends[len(ends)-1] < len(lead) {
			lead = lead[ends[len(ends)-1]:]
		}
		if n-1 > l.lines[n].block {
			lead += "\n" + l.text[l.lines[n-1].Start:l.lines[n-1].End]
		}
		return lead
	case itemLine, rowLine, quoteLine:
		return l.leadIn(first)
	case proseLine:
		if l.lines[first].kind == itemLine {
			return l.leadIn(first)
		}
		for i := first - 1; i >= 0; i-- {
			if l.lines[i].kind != blankLine {
				if above := strings.TrimRight(l.text[l.lines[i].Start:l.lines[i].End], " \t*_"); strings.HasSuffix(above, ":") {
					return above
				}
				return ""
			}
		}
	}
	return ""
}

// sentenceEnds returns, for each sentence, the offset after it and the white space that
// follows.
func sentenceEnds(text string) (ends []int) {
	for _, m := range sentenceEnd().FindAllStringIndex(text, -1) {
		if before := strings.ToLower(text[:m[0]]); !strings.HasSuffix(before, "e.g") && !strings.HasSuffix(before, "i.e") {
			ends = append(ends, m[1])
		}
	}
	return ends
}

func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + pattern) })
}

// Patterns that tell how a text uses words. The patterns for text that leads into an
// attack accept few words, so that an attacker cannot phrase a harmless-looking prefix
// freely: "never mind" and "do not hesitate to" forbid nothing.
var (
	attackWords = compiled(`\b(?:prompt[- ]?injections?|injections?|jailbreak(?:s|ing)?|red[- ]?team(?:s|ing|er)?|attack(?:s|er|ers)?|adversar(?:ial|y|ies)|exploit(?:s|ation)?|malicious|malware|trojans?|threats?|payloads?|pen(?:etration[- ])?test(?:s|ing)?|vulnerab(?:le|ility|ilities)|abuse[- ]cases?|hacking|untrusted|poison(?:ed|ing)|hijack(?:s|ing)?|exfiltration|guardrails?|prompt[- ](?:security|leak(?:s|age)?)|owasp)\b`)
	denying     = compiled(`\b(?:(?:never|(?:do|does|must|should|shall|will|may) not|don[’']t|cannot|can[’']t|won[’']t) (?:\w+ ){0,2}?(?:follow|obey|comply|trust|execute|run|use|act|accept|allow|treat|heed|honou?r|respond)\b|must not\b|reject(?:s|ed|ing)?|refus(?:e|es|ed|al|ing)|den(?:y|ies|ied)|block(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|dangerous|destructive|malicious|attack(?:s|er|ers)?|adversar\w{1,4}|injection|injected|jailbreak(?:s|ing)?|untrusted|vulnerable|unsafe|exploit(?:s|ed)?|payloads?|hostile)\b`)
	describing  = compiled(`\b(?:examples?|e\.g\.|for instance|such as|flag(?:s|ged|ging)?|detect(?:s|ed|ing|ion)?|prevent(?:s|ed|ing)?|red flags?|suspicious|classif(?:y|ied) as|anti-?patterns?|sanitiz\w{1,4}|phrases?|phrasing|strings? like|patterns?|says?|saying|claims?|tries|attempts?|attempting|test(?:s|ed|ing)? (?:for|with|cases?|prompts?)|probes?|contains?|containing|quote[sd]?|matches|looks? for|watch for|(?:text|content|wording|messages?|prompts?|inputs?|requests?|language|anything) (?:like|such)|triggers?|user inputs?)\b`)
	obeying     = compiled(`(?:^|[.:;!?\n]\s*|\b(?:you must|you should|please|now|then)\s+)[\s*_-]*(?:follow|obey|execute|carry out|comply with|do exactly|act on|apply|do what)\b`)
	forbidsNext = compiled(`\b(?:never|(?:do|does|must|may|should|shall|will) not|(?:do|does|wo|must|should)n[’']t|cannot|refus(?:e|es|ed|ing)|avoid(?:s|ing)?|reject(?:s|ed|ing)?|block(?:s|ed|ing)?|flag(?:s|ged|ging)?|detect(?:s|ed|ing)?|prevent(?:s|ed|ing)?|declin(?:e|es|ing)|prohibit(?:s|ed)?|forbid(?:s|den)?)(?:[\w,’/ -]{1,80}\bor\b)?` +
		`(?:[\s*_]+(?:ever|let|allow(?:ed|ing)?|permit(?:ted)?|the|an?|any|all|users?|attackers?|agents?|models?|contents?|prompts?|it|them|(?:lets?|tells?|telling|asks?|asking|instructs?|instructing|tricks?) you|to|try(?:ing)?|attempts?|attempting|be|used|simply|blindly|instructions?|accept|execute|obey|follow|comply|with|act|on|respond|requests?|commands?|inputs?|messages?|texts?|that|which|who|asks?|asking|tells?|telling|says?|saying|claims?|instructs?|like|such|as|from|in|for|of|or|their|someone|anyone|anything))*[\s*_:(/]*$`)
	conditional = compiled(`\b(?:if|when|whenever)\b[^,;:]{0,120}\b(?:say(?:s|ing)?|ask(?:s|ed|ing)?|tell(?:s|ing)?|told|instruct(?:s|ed|ing)?|claim(?:s|ing)?|tr(?:y|ies|ying)|attempt(?:s|ed|ing)?|want(?:s|ed)?|request(?:s|ed|ing)?|contain(?:s|ing)?)(?:\s+(?:you|it|the|an?|model|agent|assistant|user|that|to|of|something|text|like|such|as|e\.g\.|for|example|anything|instructions?))*[\s:*_(,]*$`)
	refusing    = compiled(`\b(?:refuse|reject|decline|stop|report|flag|(?:do not|don[’']t|never) (?:comply|follow|obey|act|do)|ignore (?:it|them|that|the request|this)|treat (?:it|this|that|them) as|the finding|an? (?:attack|prompt injection|injection)|block|escalate|suspicious|malicious|not something to)\b`)
	yielding    = compiled(`\b(?:(?:never|not|n[’']t) (?:refuse|reject|decline|stop|report|flag|block)|comply (?:with|fully|at)|do so|do it|go ahead|obey (?:it|them|him|her))\b`)
	addressing  = compiled(`\b(?:you|your|yours|i|we|us|my|please|now|must|let[’']s|therefore|so)\b`)
	narrating   = compiled(`\b(?:(?:attack\w*|adversar\w*|injections?|documents?|content|inputs?|payloads?|prompts?|messages?|they|that|which|it) (?:can|could|may|might)|(?:attempts|attempting|tries|trying|designed|crafted|used|aims|seeks|able) to|(?:caus|trick|convinc|manipulat|forc|lead|gett?|mak|instruct|tell|ask|persuad|coerc|allow|enabl)(?:es|s|ing|ed) (?:\w+ ){1,5}(?:in)?to|for|by|of|that|which)[\s*_]*$`)
)

// isCondition reports whether the text mentions the words as a possible request and
// says to refuse it.
func (s sentence) isCondition() bool {
	rest := s.after + " " + s.next
	return conditional().MatchString(tail(s.before)) && !yielding().MatchString(rest) && refusing().MatchString(s.before+" "+rest)
}

// isNarrated reports whether the sentence says what attacks do and does not address the
// reader.
func (s sentence) isNarrated(aboutAttacks bool) bool {
	return narrating().MatchString(tail(s.before)) && (aboutAttacks || attackWords().MatchString(s.before)) && !addressing().MatchString(s.before)
}

var (
	hidingSyntax = compiled(`(?s:<!--.*?(?:-->|$))|<[a-z/!][^<>]*(?:>|$)|(?m:^[ \t]*\[[^\]\n]*\]:.*$)|\]\([^()\n]*\)`)
	hidingStyle  = compiled(`display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|color\s*:\s*(?:white|#fff|transparent)|\shidden\b`)
	strangeness  = compiled(`&(?:#|[a-z]{2,30};)|%[0-9a-f]{2}|\\(?:u|x|[0-7]{2})|</?[a-z!][^<>]*>`)
)

// isHidden reports whether the rendered page does not show a place as written: it is in
// a comment, a tag or a link's address, or its characters are obscured.
func (l *layout) isHidden(place Span) bool {
	i, _ := slices.BinarySearchFunc(l.hidden, place.Start+1, func(s Span, at int) int { return s.End - at })
	return i < len(l.hidden) && l.hidden[i].overlaps(place) || isObscure(l.text[place.Start:place.End])
}

// isObscure reports whether a text has characters that are invisible, look like others
// or are encoded.
func isObscure(text string) bool {
	if strangeness().MatchString(text) {
		return true
	}
	for at, r := range text {
		switch {
		case r == '…' || r == '\u00a0' || r == '\n' || r == '\t' || r == '\r':
		case unicode.IsControl(r), unicode.In(r, hidden, unicode.Cf, unicode.Co, marks),
			r >= utf8.RuneSelf && norm.NFKC.String(string(r)) != string(r),
			lookalikes[r] != 0 && readsAsLatin(text, at):
			return true
		}
	}
	return false
}
