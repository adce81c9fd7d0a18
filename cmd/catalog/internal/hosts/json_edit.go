package hosts

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/tailscale/hujson"
)

// addJSON implements [Host.Add] for JSON. It applies steps until the text is up to
// date.
func (h Host) addJSON(text []byte, s Server) ([]byte, error) {
	for {
		next, err := h.stepJSON(text, s)
		if err != nil || next == nil {
			return text, err
		}
		text = next
	}
}

// stepJSON returns the text with one change towards the wanted text, or nil if there is
// nothing to change.
func (h Host) stepJSON(text []byte, s Server) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	whole := h.entry.whole(s)
	_, servers, found, err := d.findObject(d.root, h.key)
	if err != nil {
		return nil, err
	}
	if !found {
		return d.insert(d.root, property{h.key, []property{{ServerName, whole}}}), nil
	}
	at, entry, found, err := d.findObject(servers, ServerName)
	if err != nil {
		return nil, err
	}
	if !found {
		return d.insert(servers, property{ServerName, whole}), nil
	}
	if why := h.entry.serverOf(entry).refuses(s); why != "" {
		return nil, errorAt(text, servers.Members[at.index].Name.StartOffset, "%s", why)
	}
	return d.update(entry, h.entry.kept(s)), nil
}

// update returns the text with the first property of entry that differs corrected, or
// nil if none differs.
func (d document) update(entry object, kept []property) []byte {
	for _, p := range kept {
		m, found := entry.find(p.name)
		within, isObject := asObject(m.value)
		members, wantsObject := p.value.([]property)
		switch {
		case !found:
			return d.insert(entry, p)
		case wantsObject && isObject:
			if next := d.update(within, members); next != nil {
				return next
			}
		case !p.is(m.value):
			return apply(d.text, splice{m.value.StartOffset, m.value.EndOffset, oneLine.write(p.value)})
		}
	}
	return nil
}

// removeJSON implements [Host.Remove] for JSON.
func (h Host) removeJSON(text []byte, s Server) (rest []byte, nothingElse bool, err error) {
	d, err := parse(text)
	if err != nil {
		return nil, false, err
	}
	key, servers, found, err := d.findObject(d.root, h.key)
	if err != nil || !found {
		return text, false, err
	}
	at, entry, found, err := d.findObject(servers, ServerName)
	if err != nil || !found {
		return text, false, err
	}
	running := h.entry.serverOf(entry)
	if why := running.refuses(s); why != "" {
		return nil, false, errorAt(text, servers.Members[at.index].Name.StartOffset, "%s", why)
	}
	if !servers.madeForOne() {
		return d.cut(at), false, nil
	}
	return d.cut(key), string(text) == h.jsonFile(running), nil
}

// jsonFile implements [Host.File] for JSON.
func (h Host) jsonFile(s Server) string {
	l := layout{end: "\n", unit: "  "}
	return l.write([]property{{h.key, []property{{ServerName, h.entry.whole(s)}}}}) + "\n"
}

// If an existing object was empty, adding our member leaves no space after its brace:
// {"catalog": …}. An object that this package created begins with a space or a line
// ending: { "catalog": … }. This difference shows which objects to remove together with
// our member, so that the previous text is restored.

// madeForOne reports whether this package created an object for its only member.
func (o object) madeForOne() bool {
	if len(o.Members) != 1 {
		return false
	}
	m := o.Members[0]
	if len(m.Name.BeforeExtra) == 0 {
		return false
	}
	for _, extra := range []hujson.Extra{m.Name.BeforeExtra, m.Name.AfterExtra, m.Value.BeforeExtra, m.Value.AfterExtra, o.AfterExtra} {
		if !blank(extra) {
			return false
		}
	}
	return true
}

func blank(extra hujson.Extra) bool { return len(bytes.TrimSpace(extra)) == 0 }

// insert adds a member at the end of an object. It puts the comma right after the
// previous value, and the member after the comments that follow that value.
func (d document) insert(o object, p property) []byte {
	if len(o.Members) == 0 {
		return apply(d.text, d.insertFirst(o, p))
	}
	last := o.Members[len(o.Members)-1]
	tail := last.Value.EndOffset + len(last.Value.AfterExtra)
	comma, trailing := splice{tail, tail, ","}, ""
	if d.text[tail] == ',' {
		comma, trailing = splice{}, ","
		tail++
	}
	extra := d.text[tail : o.to-1]
	at := tail + commentsEnd(extra)
	l, before := d.layoutOf(o), " "
	if i := bytes.LastIndexByte(last.Name.BeforeExtra, '\n'); i >= 0 {
		l.prefix = leadingSpace(last.Name.BeforeExtra[i+1:])
		before = l.end + l.prefix
	} else {
		l.unit = ""
		if endsInLineComment(extra) {
			before = l.end + l.prefix
		}
	}
	return apply(d.text, comma, splice{at, at, before + l.member(p) + trailing})
}

// insertFirst adds a member to an empty object.
func (d document) insertFirst(o object, p property) splice {
	extra := d.text[o.from+1 : o.to-1]
	at := o.from + 1 + commentsEnd(extra)
	l, before := d.layoutOf(o), ""
	if len(d.root.Members) > 0 && !bytes.ContainsRune(d.text[d.root.from:d.root.to], '\n') {
		l.unit = "" // everything is on one line
	}
	switch {
	case endsInLineComment(extra):
		l.prefix += l.unit
		before = l.end + l.prefix
	case !blank(extra):
		before = " "
	}
	return splice{at, at, before + l.member(p)}
}

// cut removes a member, the space before it, and the comma that is no longer needed.
// Comments around the member stay.
func (d document) cut(m member) []byte {
	cutting := m.Members[m.index]
	before := cutting.Name.BeforeExtra
	from := cutting.Name.StartOffset - len(before) + commentsEnd(before)
	to := cutting.Value.EndOffset
	comma := to + len(cutting.Value.AfterExtra)
	switch {
	case d.text[comma] == ',' && blank(cutting.Value.AfterExtra):
		return apply(d.text, splice{from, comma + 1, ""})
	case d.text[comma] == ',':
		return apply(d.text, splice{from, to, ""}, splice{comma, comma + 1, ""})
	case m.index > 0:
		previous := m.Members[m.index-1].Value
		comma = previous.EndOffset + len(previous.AfterExtra)
		return apply(d.text, splice{comma, comma + 1, ""}, splice{from, to, ""})
	}
	return apply(d.text, splice{from, to, ""})
}

// commentsEnd returns the offset of the end of the last comment in extra, the text
// between two values. The comment's line ending does not count. If there is no comment,
// it returns 0.
func commentsEnd(extra []byte) int {
	end := 0
	for i := 0; i < len(extra); i++ {
		if extra[i] != '/' {
			continue
		}
		i = commentEnd(extra, i)
		end = min(i+1, len(extra))
	}
	return len(bytes.TrimRight(extra[:end], "\r\n"))
}

// endsInLineComment reports whether the last comment is a line comment.
func endsInLineComment(extra []byte) bool {
	return commentsEnd(extra) > 0 && !bytes.HasSuffix(extra[:commentsEnd(extra)], []byte("*/"))
}

func leadingSpace(text []byte) string {
	return string(text[:len(text)-len(bytes.TrimLeftFunc(text, unicode.IsSpace))])
}

// layout describes how to format values.
type layout struct {
	end    string // line ending
	prefix string // beginning of each line
	unit   string // indentation for each level; "" writes everything on one line
}

var oneLine = layout{}

// layoutOf returns the layout that matches the text around an object. The prefix is the
// indentation of the line on which the object begins. The unit is the indentation of
// the first member of the root that begins a line.
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

// member formats a member.
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

// object formats an object. On one line, an object with a single member is padded; see
// madeForOne.
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
