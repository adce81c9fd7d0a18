package schemas

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"instruction-catalog/schemas/jsonscan"
)

type step = jsonscan.Step

// Repeated returns the path to the first member whose name already occurs in the same
// object, in the form of [Issue.Path].
func Repeated(data []byte) (path string, found bool) {
	steps, _ := jsonscan.Repeated(data)
	return render(steps), steps != nil
}

// separator separates the steps in the library's paths. It is a byte that no string
// decoded from JSON contains, so no member name can contain it.
const separator = "\xff"

// steps parses a path from the library, such as (root)·known·3, relative to value. Only
// value shows whether "3" is an index or a member name.
func steps(path string, value any) []step {
	var out []step
	for _, part := range strings.Split(path, separator)[1:] {
		s := step{Name: part}
		switch v := value.(type) {
		case []any:
			if i, err := strconv.Atoi(part); err == nil && i < len(v) {
				s, value = step{Index: i, IsIndex: true}, v[i]
			}
		case map[string]any:
			value = v[part]
		}
		out = append(out, s)
	}
	return out
}

// plainName is compiled on first use, because most processes never format a path.
var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL_$][\pL\pN_$-]*$`) })

// render formats a path for people, such as known[3].id. It quotes a name that would be
// ambiguous, as in ["a.b"].
func render(path []step) string {
	var out strings.Builder
	for _, s := range path {
		name := shortened(s.Name)
		switch {
		case s.IsIndex:
			out.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case !plainName().MatchString(name):
			out.WriteString("[" + string(quote(name)) + "]")
		case out.Len() > 0:
			out.WriteString("." + name)
		default:
			out.WriteString(name)
		}
	}
	return out.String()
}

func quote(text string) []byte {
	quoted, err := json.Marshal(text)
	must(err) // encoding a string cannot fail
	return quoted
}

// maxName is the maximum number of bytes of a member name shown in a path. Clients
// choose the names and could send a long one to enlarge the answer.
const maxName = 120

func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	end := maxName
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + "…"
}

// isPrefix reports whether path begins with prefix.
func isPrefix(prefix, path []step) bool {
	if len(prefix) > len(path) {
		return false
	}
	for i := range prefix {
		if prefix[i] != path[i] {
			return false
		}
	}
	return true
}

// lookup returns every schema in tree that applies to the value at path, including those
// reached through $ref, allOf, anyOf and oneOf.
func lookup(tree map[string]any, path []step) []map[string]any {
	found := expand(tree, tree)
	for _, s := range path {
		var next []map[string]any
		for _, schema := range found {
			if child := descend(schema, s); child != nil {
				next = append(next, expand(tree, child)...)
			}
		}
		found = next
	}
	return found
}

func descend(schema map[string]any, s step) map[string]any {
	if s.IsIndex {
		items, _ := schema["items"].(map[string]any)
		return items
	}
	properties, _ := schema["properties"].(map[string]any)
	if child, ok := properties[s.Name].(map[string]any); ok {
		return child
	}
	rest, _ := schema["additionalProperties"].(map[string]any)
	return rest
}

func expand(tree, schema map[string]any) []map[string]any {
	if ref, ok := schema["$ref"].(string); ok {
		definitions, _ := tree["definitions"].(map[string]any)
		target, _ := definitions[strings.TrimPrefix(ref, pointer)].(map[string]any)
		return expand(tree, target)
	}
	out := []map[string]any{schema}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := schema[keyword].([]any)
		for _, b := range branches {
			if branch, ok := b.(map[string]any); ok {
				out = append(out, expand(tree, branch)...)
			}
		}
	}
	return out
}
