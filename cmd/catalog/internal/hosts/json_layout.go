package hosts

import (
	"bytes"
	"strings"
)

// layout is how values are written.
type layout struct {
	end    string // of a line
	prefix string // what each line begins with
	unit   string // what is added to it in an object; "" writes everything on one line
}

var oneLine = layout{}

// layoutOf is how members of an object are written so that they fit to the
// text: the line that the object begins on gives the prefix, the first member
// of the whole that begins a line gives the unit.
func (d document) layoutOf(o object) layout {
	l := layout{end: lineEnd(d.text), unit: "  "}
	line := d.text[bytes.LastIndexByte(d.text[:o.from], '\n')+1 : o.from]
	l.prefix = leadingSpace(line)
	for _, m := range d.root.Members {
		if i := bytes.LastIndexByte(m.Name.BeforeExtra, '\n'); i >= 0 {
			if space := leadingSpace(m.Name.BeforeExtra[i+1:]); space != "" {
				l.unit = space
			}
			break
		}
	}
	return l
}

// member writes a member.
func (l layout) member(p property) string { return quote(p.name) + ": " + l.write(p.value) }

func (l layout) write(value any) string {
	switch value := value.(type) {
	case string:
		return quote(value)
	case bool:
		if value {
			return "true"
		}
		return "false"
	case []string:
		return quoteAll(value)
	case []property:
		return l.object(value)
	}
	panic("hosts: a property can be a string, a bool, a list of strings or an object")
}

// object writes an object. On one line, one that holds a single member is
// padded; see madeForOne.
func (l layout) object(members []property) string {
	open, between, shut := "{", ", ", "}"
	inner := l
	if l.unit != "" {
		inner.prefix += l.unit
		open, between, shut = "{"+l.end+inner.prefix, ","+l.end+inner.prefix, l.end+l.prefix+"}"
	} else if len(members) == 1 {
		open, shut = "{ ", " }"
	}
	var written []string
	for _, p := range members {
		written = append(written, inner.member(p))
	}
	return open + strings.Join(written, between) + shut
}
