package format

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
)

// parseMarkdown splits a file into the fields of its front matter, if it has any, and a
// field body with the rest, byte for byte.
func (d *document) parseMarkdown() *catalog.Diagnostic {
	if len(d.Data) == 0 {
		return d.problem(FileEmpty, 0, "the file is empty: write the instruction, or remove the file")
	}
	front, body, found := frontmatter.Cut(d.Data)
	switch {
	case isTOML(d.Data):
		rest, problem := d.parseTOMLFrontMatter()
		if problem != nil {
			return problem
		}
		body = rest
	case !beginsWithFields(d.Data): // the line "---" is a thematic break
		body = d.Data
	case found && front == nil:
		return d.problem(FileSyntax, 1, `the front matter that begins here never ends: end it with a line "---", or begin the file with another line`)
	case len(front) > maxFront:
		return d.problem(FileTooLarge, 1, tooMuchFront, len(front))
	case found:
		if problem := d.parseFrontMatter(front); problem != nil {
			return problem
		}
	case beginsWithFenceInCR(d.Data):
		return d.problem(FileEncoding, 1, `the lines end in a lone carriage return, so front matter would be read as body: save the file with \n or \r\n line endings`)
	case lacksFence(d.Data):
		return d.problem(FileSyntax, 1, `the front matter has no beginning: put a line "---" above it`)
	case isLateFrontMatter(d.Data):
		return d.problem(FileSyntax, 1, "front matter must begin on the first line: remove what is above it, or begin the file with another line")
	}
	line := files.LineAt(d.Data, len(d.Data)-len(body))
	d.fields = append(d.fields, field{"body", value{kind: text, text: string(body)}, line})
	return nil
}

// fieldLine matches a line with which the fields of front matter may begin.
var fieldLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:["']?[\w$.-]+["']?[ \t]*:(?:\s|$)|<<:|[?] |[~{])`)
})

// beginsWithFields reports whether a first line "---" begins front matter. It is a
// thematic break unless the next line, not counting comments and blank lines, is a
// field or another "---". beginsWithFields returns true if the first line is not "---",
// or is the only line.
func beginsWithFields(data []byte) bool {
	first, rest := frontmatter.CutLine(data)
	if !frontmatter.IsFence(first) || len(rest) == 0 {
		return true
	}
	for len(rest) > 0 {
		var line []byte
		line, rest = frontmatter.CutLine(rest)
		content := bytes.TrimSpace(line)
		if len(content) == 0 || content[0] == '#' {
			continue
		}
		return frontmatter.IsFence(line) || fieldLine().Match(content)
	}
	return false
}

// beginsWithFenceInCR reports whether a file would have front matter if a lone carriage
// return ended a line, as on old systems. Its fields would be lost.
func beginsWithFenceInCR(data []byte) bool {
	first, _, found := bytes.Cut(data, []byte{'\r'})
	return found && frontmatter.IsFence(first)
}

// isLateFrontMatter reports whether a file seems to have front matter below blank
// lines. It would be read as body, and its fields, for example that the instruction is
// mandatory, would be lost.
func isLateFrontMatter(data []byte) bool {
	front, _, found := frontmatter.Cut(bytes.TrimLeft(data, " \t\r\n"))
	return found && front != nil && slipped().Match(front)
}

// lacksFence reports whether a file begins with a known field and has a line "---"
// after the fields, but none before them. The fields would be lost, too. If there are
// blank lines or comments among them, at least two fields are required.
func lacksFence(data []byte) bool {
	line, rest := frontmatter.CutLine(data)
	name, _, _ := bytes.Cut(line, []byte{':'})
	if _, ok := ruleAt[string(name)]; !ok && !slices.Contains(globFields, string(name)) && !slices.Contains(agentsFields, string(name)) {
		return false
	}
	fields, loose := 0, false // loose: a line could also be part of ordinary text
	for len(line) > 0 && !frontmatter.IsFence(line) {
		switch {
		case fieldLine().Match(line):
			fields++
		case len(bytes.TrimSpace(line)) == 0, line[0] == '#':
			loose = true
		case line[0] != ' ' && line[0] != '-':
			return false
		}
		line, rest = frontmatter.CutLine(rest)
	}
	return frontmatter.IsFence(line) && (fields > 1 || !loose)
}

// agentsFields are fields that often begin the front matter of agents' files.
var agentsFields = []string{"name", "description", "alwaysApply", "trigger", "inclusion"}

var slipped = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[A-Za-z]+:(?:[ \t]|\r?$)`) })
