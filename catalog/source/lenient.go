package source

import "strings"

// parseLenient takes front matter apart that is no valid YAML, as agents read
// their own files: name by name. What stands behind a name is what YAML says of
// it alone, with the lines that follow and begin with no name; where YAML refuses
// a single line, too, it is a text, as it stands. Such are
//
//	globs: **/*
//	owner: @team
//	description: Note: all of it
//
// It reports false where anything could be lost: of lines that belong to no name,
// and of several together which YAML refuses.
func (d *document) parseLenient(front string) bool {
	var fields []field
	lines := strings.SplitAfter(front, "\n")
	for i := 0; i < len(lines); {
		if text := strings.TrimSpace(lines[i]); text == "" || text[0] == '#' {
			i++
			continue
		}
		name, written, ok := cutName(strings.TrimRight(lines[i], " \t\r\n"))
		if !ok {
			return false
		}
		end := i + 1
		for end < len(lines) && continues(lines[end]) {
			end++
		}
		var alone document
		switch problem, _ := alone.parseYAML(file{}, []byte(strings.Join(lines[i:end], ""))); {
		case problem == nil && len(alone.fields) == 1:
			fields = append(fields, field{name, alone.fields[0].value, frontLine + i})
		case name == "body", strings.TrimSpace(strings.Join(lines[i+1:end], "")) != "",
			!plainCharacters(strings.ReplaceAll(written, "\t", " ")):
			return false
		default:
			fields = append(fields, field{name, value{kind: text, text: written}, frontLine + i})
		}
		i = end
	}
	d.fields = append(d.fields, fields...)
	return true
}

// continues reports whether a line may belong to the name above it.
func continues(line string) bool {
	return line == "" || !isLetter(line[0]) && line[0] != '#'
}
