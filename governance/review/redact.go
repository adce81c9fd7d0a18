package review

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// secrets holds the parts of a text that must not be shown.
type secrets struct {
	text   string
	spans  []Span            // sorted, without overlaps
	hiding *strings.Replacer // redacts every occurrence of them
}

// secrets returns the matches of the rules about credentials.
func (c *Criteria) secrets(text string, outcomes []outcome) secrets {
	var all []Span
	for i, r := range c.rules {
		if r.secret() && !r.required {
			all = append(all, outcomes[i].places...)
		}
	}
	slices.SortFunc(all, func(a, b Span) int { return a.Start - b.Start })
	s := secrets{text: text}
	for _, next := range all {
		if n := len(s.spans); n > 0 && s.spans[n-1].overlaps(next) {
			s.spans[n-1].End = max(s.spans[n-1].End, next.End)
			continue
		}
		s.spans = append(s.spans, next)
	}
	s.hiding = s.replacer(func(secret string) []string { return []string{secret} })
	return s
}

// replacer returns a Replacer that redacts the parts that partsOf returns for each
// secret. If a secret has more than one part, the Replacer shows nothing of it.
func (s secrets) replacer(partsOf func(secret string) []string) *strings.Replacer {
	var pairs []string
	for _, span := range s.spans {
		parts := partsOf(s.plain(span))
		for _, part := range parts {
			shown := redacted(part)
			if len(parts) > 1 {
				shown = "…"
			}
			if part != "" {
				pairs = append(pairs, part, shown)
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// show returns the text at place without null bytes. If secret is true, the whole text
// is redacted. Otherwise show redacts the secrets in it, including further occurrences
// of a secret's text that no rule matched.
func (s secrets) show(place Span, secret bool) string {
	if secret {
		return redacted(s.plain(place))
	}
	var shown strings.Builder
	at := place.Start
	first, _ := slices.BinarySearchFunc(s.spans, at+1, func(hidden Span, at int) int { return hidden.End - at })
	for _, hidden := range s.spans[first:] {
		if !hidden.overlaps(place) {
			break
		}
		shown.WriteString(s.plain(Span{at, max(at, hidden.Start)}))
		shown.WriteString(redacted(s.plain(hidden)))
		at = hidden.End
	}
	shown.WriteString(s.plain(Span{at, max(at, place.End)}))
	return hide(shown.String(), s.hiding)
}

// Redactor returns a function that redacts, in quotations from text, the credentials
// that the rules find in text. White space in a quotation may differ, so the function
// redacts each word of a secret separately and shows nothing of a secret with more
// than one word.
//
// Redactor returns a [*CostError] or the error of ctx.
func (c *Criteria) Redactor(ctx context.Context, text string) (func(quotation string) string, error) {
	outcomes, err := c.lookAll(ctx, text, piecesOf(text), false)
	if err != nil {
		return nil, err
	}
	words := c.secrets(text, outcomes).replacer(strings.Fields)
	return func(quotation string) string { return hide(strings.ReplaceAll(quotation, "\x00", ""), words) }, nil
}

// hide redacts all occurrences of secrets in a text. It repeats this while the text
// gets shorter, because a redaction may form a new occurrence with its neighbours, as
// in a run of one letter.
func hide(text string, secrets *strings.Replacer) string {
	for {
		hidden := secrets.Replace(text)
		if utf8.RuneCountInString(hidden) >= utf8.RuneCountInString(text) {
			return hidden
		}
		text = hidden
	}
}

// plain returns a part of the text without null bytes.
func (s secrets) plain(part Span) string {
	return strings.ReplaceAll(s.text[part.Start:part.End], "\x00", "")
}

// redacted returns a secret with only enough left for its owner to recognise it: an
// eighth of it, from one to four characters, at each end. It shows nothing of a secret
// with fewer than four characters.
func redacted(secret string) string {
	all := []rune(secret)
	shown := min(max(1, len(all)/8), 4)
	if len(all) < 4 {
		shown = 0
	}
	return string(all[:shown]) + "…" + string(all[len(all)-shown:])
}
