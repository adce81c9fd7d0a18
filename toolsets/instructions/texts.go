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

// getText renders an entry: first all that there is to say about it, a line
// each, and after an empty line nothing but its body.
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

// loaded says when an agent loads an entry, and for which files.
func loaded(e *catalog.Entry) string {
	line := fmt.Sprintf("Loaded: %s", e.Load)
	if globs := e.Instruction().AppliesTo; len(globs) > 0 {
		line += ", for " + brief(strings.Join(globs, ", "), maxField)
	}
	return line + "."
}

// titleOf is the title on one line, or the id where a title has nothing to see.
func titleOf(e *catalog.Entry) string { return cmp.Or(oneLine(e.Title), string(e.ID)) }

// extent says which part of a body is shown, and how to get what follows.
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

// trackText says how often an entry has been used.
func trackText(p trackParams, r trackResult) string {
	if r.NotFound {
		return unknown(p.ID, r.instead())
	}
	text := fmt.Sprintf("Counted. %s has been used %s.", r.ID, counted(int(r.UsageCount), "time", "times"))
	if r.InMemory {
		text += " The count is in memory only, and may be lost."
	}
	return text
}

// reviewText lists what is wrong with a prompt, a line for each issue.
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

// sentence is a text on a line without the full stop at its end.
func sentence(text string) string { return strings.TrimSuffix(oneLine(text), ".") }
