package format

import (
	"strings"

	"instruction-catalog/catalog/frontmatter"
)

// maxLenient limits the fields of front matter that is read line by line: each is
// parsed as YAML on its own.
const maxLenient = 1000

// parseLenient splits front matter that is not valid YAML, as agents read their own
// files: name by name. The value of a name is what YAML makes of it alone, together
// with the following lines that begin with no name. If YAML refuses a single line,
// too, the value is that text. Examples are
//
//	globs: **/*
//	owner: @team
//	description: Note: all of it
//
// and lines that are indented by tabs.
//
// It reports false if anything could be lost: a line belongs to no name, or YAML
// refuses several lines together. It also does so for more than maxLenient fields.
func (d *document) parseLenient(front string) bool {
	var fields []field
	lines := strings.SplitAfter(front, "\n")
	for i := 0; i < len(lines); {
		if text := strings.TrimSpace(lines[i]); text == "" || text[0] == '#' {
			i++
			continue
		}
		name, written, ok := frontmatter.CutName(strings.TrimLeft(strings.TrimRight(lines[i], " \t\r\n"), "\t"))
		if !ok || len(fields) == maxLenient {
			return false
		}
		end := i + 1
		for end < len(lines) && continues(lines[end], written) {
			end++
		}
		var alone document
		group := strings.TrimLeft(strings.ReplaceAll(strings.Join(lines[i:end], ""), "\n\t", "\n  "), "\t")
		switch problem, _ := alone.parseYAML([]byte(group)); {
		case problem == nil && len(alone.fields) == 1 && !d.isBareList(written):
			fields = append(fields, field{name, alone.fields[0].value, frontLine + i})
		case name == "body", strings.TrimSpace(strings.Join(lines[i+1:end], "")) != "",
			!frontmatter.PlainCharacters(strings.ReplaceAll(written, "\t", " ")):
			return false
		default:
			fields = append(fields, field{name, value{kind: text, text: written}, frontLine + i})
		}
		i = end
	}
	d.fields = append(d.fields, fields...)
	return true
}

// isBareList reports whether a value is a list to YAML, but a text to the agent
// that reads the file.
func (d *document) isBareList(written string) bool {
	return d.Place != nil && !d.Place.ReadsYAML() && strings.HasPrefix(written, "[")
}

// continues reports whether a line may belong to the name above it, behind which
// stands a value or nothing. Behind a value, a name that is indented by tabs is
// one of its own.
func continues(line, value string) bool {
	if line == "" || frontmatter.IsLetter(line[0]) || line[0] == '#' {
		return line == ""
	}
	_, _, ok := frontmatter.CutName(strings.TrimLeft(strings.TrimRight(line, " \t\r\n"), "\t"))
	return line[0] != '\t' || !ok || value == "" || strings.ContainsAny(value[:1], "|>")
}
