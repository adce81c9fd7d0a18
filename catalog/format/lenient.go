package format

import (
	"strings"

	"instruction-catalog/catalog/frontmatter"
)

// maxLenient is the maximum number of fields of front matter that is read line by line.
// Each field is parsed as YAML separately.
const maxLenient = 1000

// parseLenient splits front matter that is not valid YAML into fields, line by line, as
// agents read their own files. A field is a line that begins with a name, and the
// following lines that do not. Each field is parsed as YAML separately. If YAML rejects
// the value of a single line, the value is the text as written. Examples are
//
//	globs: **/*
//	owner: @team
//	description: Note: all of it
//
// and lines that are indented by tabs.
//
// parseLenient returns false if content could be lost: a line belongs to no field, or
// YAML rejects a field of several lines. It also returns false for more than maxLenient
// fields.
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

// isBareList reports whether YAML reads a value as a list, but the agent that reads the
// file treats it as text.
func (d *document) isBareList(written string) bool {
	return d.Place != nil && !d.Place.ReadsYAML() && strings.HasPrefix(written, "[")
}

// continues reports whether a line may belong to the field above it. value is the text
// after that field's name. Unless value is empty or begins a block scalar, a name that
// is indented by tabs begins another field.
func continues(line, value string) bool {
	if line == "" || frontmatter.IsLetter(line[0]) || line[0] == '#' {
		return line == ""
	}
	_, _, ok := frontmatter.CutName(strings.TrimLeft(strings.TrimRight(line, " \t\r\n"), "\t"))
	return line[0] != '\t' || !ok || value == "" || strings.ContainsAny(value[:1], "|>")
}
