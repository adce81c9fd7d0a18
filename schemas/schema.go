package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"instruction-catalog/schemas/jsonscan"
)

// MaxIssues is how many issues [Schema.Validate] reports at most, so that no
// input, however large and wrong, is answered with something larger still.
const MaxIssues = 100

// Issue is one thing that does not fit.
type Issue struct {
	Path    string `json:"path"` // the member at fault, such as known[3].id; "" for the whole value
	Message string `json:"message"`
}

// Schema is one schema of a contract. It may be used by many goroutines. Nothing
// is made of it before it is needed.
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

// Bundled returns the schema as one self-contained document: every $ref points
// to its own "#/definitions/…". The bytes are always the same, without blanks,
// members in the order in which they were written. The caller must not change
// them.
func (s *Schema) Bundled() json.RawMessage { return s.bundled() }

// Tree returns [Schema.Bundled] decoded as json.Unmarshal does, numbers as
// float64. The caller must not change it.
func (s *Schema) Tree() map[string]any { return s.tree() }

// Validate checks a JSON value and returns what does not fit, sorted by path
// and then by message, at most [MaxIssues]; nothing where all is well.
//
// Beyond the schema it refuses what no schema asks for and what is costly to
// look at: numbers of more than 400 digits or beyond the range of a float64,
// and objects of more than 10,000 members.
//
// It returns an error where data is not a JSON value at all.
func (s *Schema) Validate(data []byte) ([]Issue, error) {
	if s.Fits(data) {
		return nil, nil
	}
	return s.explain(data)
}

// explain is Validate for a value that may not fit.
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

// decode reads one JSON value, its numbers as they are written.
func decode(data []byte) (value any, err error) {
	if err := jsonscan.Check(data); err != nil {
		return nil, fmt.Errorf("schemas: this is no JSON value: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return value, dec.Decode(&value)
}
