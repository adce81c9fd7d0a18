package schemas

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/xeipuuv/gojsonschema"
)

// sorted sorts the issues by path and then by message, removes duplicates, and returns
// at most [MaxIssues].
func sorted(issues []Issue) []Issue {
	slices.SortFunc(issues, func(a, b Issue) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	issues = slices.Compact(issues)
	return issues[:min(len(issues), MaxIssues)]
}

// finding is an error reported by the library, with the path to the invalid member.
type finding struct {
	kind    kind
	path    []step
	message string
	oneOf   []string // for choice: members, exactly one of which is required
}

// kind marks findings that are combined with others.
type kind int

const (
	plain   kind = iota
	missing      // a required member is missing
	choice       // none, or more than one, of the alternative schemas fits
	echo         // only repeats that there are other findings
)

// finding converts a library error about value. at is the path of value within the whole
// input.
func (r *rules) finding(e gojsonschema.ResultError, value any, at []step) finding {
	f := finding{path: slices.Concat(at, steps(e.Context().String(separator), value))}
	name, _ := e.Details()["property"].(string)
	switch e.(type) {
	case *gojsonschema.RequiredError:
		f.kind, f.message = missing, "is required"
		f.path = append(f.path, step{Name: name})
	case *gojsonschema.AdditionalPropertyNotAllowedError:
		f.message = "is not known here; " + r.known(f.path)
		f.path = append(f.path, step{Name: name})
	case *gojsonschema.NumberOneOfError, *gojsonschema.NumberAnyOfError:
		f.kind, f.oneOf = choice, r.alternatives(f.path)
	case *gojsonschema.NumberAllOfError, *gojsonschema.ConditionThenError, *gojsonschema.ConditionElseError:
		f.kind = echo
	default:
		f.message = message(e)
	}
	return f
}

// known lists the members that the object at path may have, for an error message.
func (r *rules) known(path []step) string {
	names := map[string]bool{}
	for _, schema := range lookup(r.tree, path) {
		properties, _ := schema["properties"].(map[string]any)
		for name := range properties {
			names[name] = true
		}
	}
	if len(names) == 0 {
		return "no members are"
	}
	return "known are: " + strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// alternatives returns the members, exactly one of which the object at path must have. It
// returns nil unless the schema expresses that rule as a oneOf whose branches contain
// only required, with one name each.
func (r *rules) alternatives(path []step) []string {
	for _, schema := range lookup(r.tree, path) {
		branches, _ := schema["oneOf"].([]any)
		var names []string
		for _, b := range branches {
			branch, _ := b.(map[string]any)
			required, _ := branch["required"].([]any)
			if len(branch) != 1 || len(required) != 1 {
				names = nil
				break
			}
			names = append(names, fmt.Sprint(required[0]))
		}
		if names != nil {
			return names
		}
	}
	return nil
}

// readable converts findings to issues. If none of several alternative schemas fits, the
// library reports both that and all errors against one of the alternatives. readable
// combines these into one issue.
func readable(findings []finding) []Issue {
	slices.SortFunc(findings, func(a, b finding) int {
		return cmp.Or(cmp.Compare(len(a.path), len(b.path)), cmp.Compare(b.kind, a.kind))
	})
	var issues []Issue
	for len(findings) > 0 {
		f := findings[0]
		findings = findings[1:]
		switch f.kind {
		case choice:
			var inside []Issue
			inside, findings = f.absorb(findings)
			issues = append(issues, f.summary(inside))
		case echo:
		default:
			issues = append(issues, Issue{Path: render(f.path), Message: f.message})
		}
	}
	return issues
}

// absorb splits the findings into those that belong to the choice f and the others.
func (f finding) absorb(findings []finding) (inside []Issue, others []finding) {
	for _, other := range findings {
		switch {
		case !f.covers(other):
			others = append(others, other)
		case other.message != "":
			inside = append(inside, Issue{Path: render(other.path), Message: other.message})
		}
	}
	return sorted(inside), others
}

func (f finding) covers(other finding) bool {
	if f.oneOf == nil {
		return isPrefix(f.path, other.path)
	}
	return other.kind == missing && len(other.path) == len(f.path)+1 && isPrefix(f.path, other.path) &&
		slices.Contains(f.oneOf, other.path[len(f.path)].Name)
}

func (f finding) summary(inside []Issue) Issue {
	issue := Issue{Path: render(f.path)}
	switch {
	case f.oneOf != nil:
		issue.Message = "must have exactly one of: " + strings.Join(f.oneOf, ", ")
	case len(inside) == 0:
		issue.Message = "fits more than one of the forms allowed here"
	case inside[0].Path == issue.Path:
		issue.Message = "has none of the forms allowed here; measured by the nearest, it " + inside[0].Message
	default:
		issue.Message = "has none of the forms allowed here; measured by the nearest, " + inside[0].Path + " " + inside[0].Message
	}
	return issue
}
