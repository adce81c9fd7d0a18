package instructions

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/review"
	"instruction-catalog/rpc"
)

// getText formats an entry for a model: one line per fact, a blank line, and the body.
// If more of the body follows, getText adds a last line that says so.
func getText(p getParams, g getResult) string {
	if g.NotFound {
		return unknown(p.ID, g.instead())
	}
	e := g.Item.entry
	lines := []string{
		titleOf(e),
		fmt.Sprintf("%s [%s] priority %d of 100, audience %s%s", e.ID, e.Requirement, e.Priority, e.Audience, categoryList(e)),
	}
	if e.Load != "" {
		lines = append(lines, loaded(e))
	}
	if e.DeprecatedBy != "" {
		lines = append(lines, fmt.Sprintf("Deprecated: use %s instead.", quoted(e.DeprecatedBy)))
	}
	body := e.Body.Text()
	shown := utf8.RuneCountInString(body)
	start := 0
	if p.BodyOffset != nil {
		start = int(*p.BodyOffset)
	}
	end := start + shown
	if shown < g.BodyLength {
		lines = append(lines, extent(e.ID, start, end, g.BodyLength))
	}
	text := strings.Join(lines, "\n") + "\n\n" + body
	if end < g.BodyLength {
		text += "\n... [truncated]"
	}
	return text
}

// loaded describes when an agent loads an entry, and for which files.
func loaded(e *catalog.Entry) string {
	line := fmt.Sprintf("Loaded: %s", e.Load)
	if globs := e.Instruction().AppliesTo; len(globs) > 0 {
		line += ", for " + brief(strings.Join(globs, ", "), maxField)
	}
	return line + "."
}

// titleOf returns the title on one line, or the id if the title has no visible
// characters.
func titleOf(e *catalog.Entry) string { return cmp.Or(oneLine(e.Title), string(e.ID)) }

// extent describes which part of a body is shown, and how to get the rest.
func extent(id catalog.ID, start, end, length int) string {
	line := fmt.Sprintf("Characters %s–%s of %s.", rpc.Grouped(start+1), rpc.Grouped(end), rpc.Grouped(length))
	if end < length {
		line += fmt.Sprintf(` For the rest call %s with {"id":"%s","bodyOffset":%d}.`, getName, id, end)
	}
	return line
}

func categoryList(e *catalog.Entry) string {
	if len(e.Categories) == 0 {
		return ""
	}
	return ", categories " + brief(strings.Join(e.Categories, ", "), maxField)
}

func unknown(id string, nearest []string) string {
	text := fmt.Sprintf("There is no instruction %s.", quoted(id))
	if len(nearest) > 0 {
		text += fmt.Sprintf(" The nearest ids are %s.", strings.Join(nearest, ", "))
	}
	return text + fmt.Sprintf(" Find its id with %s.", searchName)
}

// trackText formats the result of usage/track.
func trackText(p trackParams, r trackResult) string {
	if r.NotFound {
		return unknown(p.ID, r.instead())
	}
	text := fmt.Sprintf("Counted. %s has been used %s.", r.ID, counted(int(r.UsageCount), "time", "times"))
	if r.InMemory {
		text += " The count is only in memory, and may be lost."
	}
	return text
}

// reviewText formats the result of a review, one line per issue.
func reviewText(r review.Result) string {
	lines := []string{"The review found no issue."}
	if len(r.Issues) > 0 {
		lines[0] = fmt.Sprintf("The review found %s, at worst %s:", counted(len(r.Issues), "issue", "issues"), r.Summary.HighestSeverity)
	}
	for _, i := range r.Issues {
		line := fmt.Sprintf("- %s %s: %s.", i.Severity, i.RuleID, sentence(i.Description))
		if i.Match != "" {
			line += fmt.Sprintf(" Found: %s.", quoted(i.Match))
		}
		if i.Remediation != "" {
			line += fmt.Sprintf(" To do: %s.", sentence(i.Remediation))
		}
		lines = append(lines, line)
	}
	if r.Criteria != nil {
		lines = append(lines, "Criteria: "+oneLine(strings.Join(r.Criteria, " + "))+".")
	}
	return strings.Join(lines, "\n")
}

// sentence returns text on one line without a final full stop.
func sentence(text string) string { return strings.TrimSuffix(oneLine(text), ".") }
