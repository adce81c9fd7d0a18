package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"instruction-catalog/schemas/jsonscan"
)

// fragment is the text of a schema as it stands in a document: the params or
// the result of a method, a definition, or a whole document.
type fragment struct {
	document *document
	raw      json.RawMessage // nil where the document does not have it

	refsOnce lazy[[]ref]
	textOnce lazy[json.RawMessage]
	treeOnce lazy[map[string]any]
}

// ref is a $ref. The name of a definition is unique in the whole folder, so
// that bundles need not rename anything.
type ref struct {
	written string
	file    string
	name    string
}

const pointer = "#/definitions/"

// ref reads a $ref that stands in the document.
func (d *document) ref(written string) ref {
	file, name, _ := strings.Cut(written, pointer)
	if file == "" {
		file = d.file
	}
	return ref{written: written, file: file, name: name}
}

// refs returns every $ref of the schema, in the order in which they stand.
func (f *fragment) refs() []ref {
	return f.refsOnce.get(func() []ref {
		var refs []ref
		eachRef(jsonscan.New(f.raw), func(quoted []byte) { refs = append(refs, f.document.ref(string(unquoted(quoted)))) })
		return refs
	})
}

// text returns the schema without blanks and with every $ref turned into
// "#/definitions/NAME".
func (f *fragment) text() json.RawMessage {
	return f.textOnce.get(func() json.RawMessage { return compact(local(f.raw)) })
}

// tree returns text decoded.
func (f *fragment) tree() map[string]any {
	return f.treeOnce.get(func() map[string]any { return object(local(f.raw)) })
}

func (f *fragment) check() error {
	if !bytes.HasPrefix(bytes.TrimSpace(f.raw), []byte("{")) {
		return errors.New("a schema must be an object")
	}
	return nil
}

// checkRefs makes sure that bundling cannot fail later.
func (f *fragment) checkRefs() error {
	for _, r := range f.refs() {
		if f.document.set.definition(r) == nil {
			return fmt.Errorf("%s: $ref %q names no definition of this folder: write FILE.json%sNAME", f.document.file, r.written, pointer)
		}
	}
	return nil
}

// eachRef goes through the value that comes next and hands over every $ref,
// quotes included, when the scanner stands right behind it.
func eachRef(s *jsonscan.Scanner, found func(quoted []byte)) {
	switch s.Next() {
	case '{':
		for name := range s.Members() {
			if string(name) == "$ref" && s.Next() == '"' {
				found(s.Raw())
				continue
			}
			eachRef(s, found)
		}
	case '[':
		for range s.Elements() {
			eachRef(s, found)
		}
	default:
		s.Skip()
	}
}

// unquoted returns the text of a string without its quotes. It is not decoded.
func unquoted(raw []byte) []byte { return raw[1 : len(raw)-1] }

// local turns every $ref into one to a definition of the same document.
func local(raw json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	copied := 0
	s := jsonscan.New(raw)
	eachRef(s, func(quoted []byte) {
		out.Write(raw[copied : s.Offset()-len(quoted)])
		_, name, _ := bytes.Cut(unquoted(quoted), []byte(pointer))
		out.WriteString(`"` + pointer + string(name) + `"`)
		copied = s.Offset()
	})
	out.Write(raw[copied:])
	return out.Bytes()
}
