package stdio

import (
	"bytes"
	"encoding/json"
)

// members are the values of a request object that mean something, as they
// were written; nil where there is none. Of two members with one name the
// last counts. Names are exact: "Method" is not method.
type members struct {
	version, id, method, params, result, failure json.RawMessage
}

// membersOf cuts an object into its members; ok is false for any other JSON
// value. The text must be valid JSON. It looks at each byte once and decodes
// nothing, because it runs for every request.
func membersOf(text []byte) (m members, ok bool) {
	if text[0] != '{' {
		return m, false
	}
	i := blanks(text, 1)
	for text[i] != '}' {
		if text[i] == ',' {
			i = blanks(text, i+1)
		}
		end := valueEnd(text, i)
		name := unquoted(text[i:end])
		i = blanks(text, blanks(text, end)+1) // past the colon
		end = valueEnd(text, i)
		m.set(name, text[i:end:end])
		i = blanks(text, end)
	}
	return m, true
}

func (m *members) set(name string, value json.RawMessage) {
	switch name {
	case "jsonrpc":
		m.version = value
	case "id":
		m.id = value
	case "method":
		m.method = value
	case "params":
		m.params = value
	case "result":
		m.result = value
	case "error":
		m.failure = value
	}
}

// blanks returns where the blanks from i on end.
func blanks(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r' {
		i++
	}
	return i
}

// valueEnd returns where the value that begins at i ends.
func valueEnd(text []byte, i int) int {
	switch text[i] {
	case '"':
		return stringEnd(text, i)
	case '{', '[':
		return nestedEnd(text, i)
	}
	for i < len(text) && text[i] != ',' && text[i] != '}' && text[i] != ']' && text[i] > ' ' {
		i++
	}
	return i
}

func stringEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func nestedEnd(text []byte, i int) int {
	for depth := 0; ; {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
}

// unquoted returns the text of a JSON string.
func unquoted(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	_ = json.Unmarshal(literal, &s) // it is a valid string
	return s
}
