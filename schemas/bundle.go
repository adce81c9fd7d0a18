package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// dialect is the $schema of every document and every bundle.
const dialect = "http://json-schema.org/draft-07/schema#"

// fragment is the text of a schema as it stands in a document: the params or
// the result of a method, a definition, or a whole document.
type fragment struct {
	file string // the document
	raw  json.RawMessage
	refs []ref // in the order in which they stand

	// The same without blanks and with every $ref turned into "#/definitions/NAME".
	text func() json.RawMessage
	tree func() map[string]any
}

// ref is a $ref. The name of a definition is unique in the whole folder, so
// that bundles need not rename anything.
type ref struct {
	written string
	file    string
	name    string
}

const pointer = "#/definitions/"

// refPattern finds a $ref in the text of a schema. A quote within a JSON string
// is escaped, so that this never matches inside of one.
var refPattern = regexp.MustCompile(`"\$ref"\s*:\s*"([^"]*)"`)

func newFragment(file string, raw json.RawMessage) (*fragment, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return nil, fmt.Errorf("a schema must be an object")
	}
	f := &fragment{file: file, raw: raw}
	for _, match := range refPattern.FindAllSubmatch(raw, -1) {
		written := string(match[1])
		target, name, _ := strings.Cut(written, pointer)
		if target == "" {
			target = file
		}
		f.refs = append(f.refs, ref{written: written, file: target, name: name})
	}
	f.text = sync.OnceValue(func() json.RawMessage { return compact(local(raw)) })
	f.tree = sync.OnceValue(func() map[string]any { return object(local(raw)) })
	return f, nil
}

// local turns every $ref into one to a definition of the same document.
func local(raw json.RawMessage) json.RawMessage {
	return refPattern.ReplaceAllFunc(raw, func(match []byte) []byte {
		_, name, _ := bytes.Cut(match, []byte(pointer))
		return append([]byte(`"$ref":"`+pointer), name...)
	})
}

// checkRefs makes sure that bundling cannot fail later.
func (s *Set) checkRefs(f *fragment) error {
	for _, r := range f.refs {
		if d := s.definitions[r.name]; d == nil || d.file != r.file {
			return fmt.Errorf("%s: $ref %q names no definition of this folder: write FILE.json%sNAME", f.file, r.written, pointer)
		}
	}
	return nil
}

// closure returns the names of all definitions that a fragment needs, sorted.
func (s *Set) closure(f *fragment) []string {
	need := map[string]bool{}
	queue := []*fragment{f}
	for len(queue) > 0 {
		f, queue = queue[0], queue[1:]
		for _, r := range f.refs {
			if !need[r.name] {
				need[r.name] = true
				queue = append(queue, s.definitions[r.name])
			}
		}
	}
	return slices.Sorted(maps.Keys(need))
}

// replaced reports whether a bundle has a member of its own instead of one at
// the top of a document.
func replaced(name string) bool { return name == "$schema" || name == "$id" || name == "definitions" }

// bundle returns the schema as one object without any reference to the
// outside. Members keep the order in which they were written; the definitions
// come last, by name.
func (s *Set) bundle(f *fragment) json.RawMessage {
	var out bytes.Buffer
	out.WriteString(`{"$schema":"` + dialect + `"`)
	for _, m := range members(f.text()) {
		if !replaced(m.name) {
			fmt.Fprintf(&out, ",%s:%s", quote(m.name), m.value)
		}
	}
	for i, name := range s.closure(f) {
		opening := ","
		if i == 0 {
			opening = `,"definitions":{`
		}
		fmt.Fprintf(&out, "%s%s:%s", opening, quote(name), s.definitions[name].text())
	}
	if len(f.refs) > 0 {
		out.WriteByte('}')
	}
	out.WriteByte('}')
	return out.Bytes()
}

// bundleTree returns what bundle does, decoded. Definitions are decoded once
// for all bundles that hold them.
func (s *Set) bundleTree(f *fragment) map[string]any {
	tree := maps.Clone(f.tree())
	maps.DeleteFunc(tree, func(name string, _ any) bool { return replaced(name) })
	tree["$schema"] = dialect
	definitions := map[string]any{}
	for _, name := range s.closure(f) {
		definitions[name] = s.definitions[name].tree()
	}
	if len(definitions) > 0 {
		tree["definitions"] = definitions
	}
	return tree
}
