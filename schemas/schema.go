package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"instruction-catalog/schemas/jsonscan"
)

// MaxIssues is the maximum number of issues that [Schema.Validate] reports. It keeps the
// answer small even if the input is large and full of errors.
const MaxIssues = 100

// Issue is one way in which a value does not fit its schema.
type Issue struct {
	Path    string `json:"path"` // path of the invalid member, such as known[3].id; "" for the whole value
	Message string `json:"message"`
}

// Schema is one schema of a contract. It is safe for concurrent use and is compiled on
// first use.
type Schema struct {
	bundled func() json.RawMessage
	tree    func() map[string]any
	matcher func() *matcher
	rules   func() (*rules, error)
}

func (s *Set) schema(raw json.RawMessage) *Schema {
	schema := &Schema{bundled: sync.OnceValue(func() json.RawMessage { return s.bundle(raw) })}
	schema.tree = sync.OnceValue(func() (tree map[string]any) {
		must(json.Unmarshal(schema.bundled(), &tree))
		return tree
	})
	schema.matcher = sync.OnceValue(func() *matcher { return newMatcher(schema.tree()) })
	schema.rules = sync.OnceValues(func() (*rules, error) { return compile(schema.tree()) })
	return schema
}

// Bundled returns the schema as one self-contained document, in which every $ref points
// to its own "#/definitions/…". The bytes are always the same: without white space, and
// with the members in their original order. The caller must not modify them.
func (s *Schema) Bundled() json.RawMessage { return s.bundled() }

// Tree returns [Schema.Bundled] as decoded by json.Unmarshal, with numbers as float64.
// The caller must not modify it.
func (s *Schema) Tree() map[string]any { return s.tree() }

// Validate checks a JSON value and returns the issues sorted by path and message, at
// most [MaxIssues]. It returns nil if the value fits.
//
// In addition to the schema, it rejects values that are costly to process: numbers of
// more than 400 characters or outside the range of float64, and objects with more than
// 10,000 members.
//
// It returns an error if data is not valid JSON.
func (s *Schema) Validate(data []byte) ([]Issue, error) {
	if s.Fits(data) {
		return nil, nil
	}
	return s.explain(data)
}

// explain implements Validate for values that [Schema.Fits] does not accept.
func (s *Schema) explain(data []byte) ([]Issue, error) {
	value, err := decode(data)
	if err != nil {
		return nil, err
	}
	if issues := excesses(value); len(issues) > 0 {
		return sorted(issues), nil
	}
	rules, err := s.rules()
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	return sorted(rules.check(value)), nil
}

// decode decodes one JSON value. It keeps numbers as json.Number.
func decode(data []byte) (value any, err error) {
	if err := jsonscan.Check(data); err != nil {
		return nil, fmt.Errorf("schemas: this is not a JSON value: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return value, dec.Decode(&value)
}
