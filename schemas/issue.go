package schemas

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/xeipuuv/gojsonschema"
)

// sorted returns the issues by path and message, each once, at most
// [MaxIssues].
func sorted(issues []Issue) []Issue {
	slices.SortFunc(issues, func(a, b Issue) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	issues = slices.Compact(issues)
	return issues[:min(len(issues), MaxIssues)]
}

// finding is an error of the library, at the path of the wrong member.
type finding struct {
	kind    kind
	path    []step
	message string
	oneOf   []string // for choice: members of which exactly one must be there
}

// kind tells apart the findings that have to be seen together.
type kind int

const (
	plain   kind = iota
	missing      // a member is missing
	choice       // none, or too many, of the schemas to choose from fit
	echo         // says only that another finding was made
)

// finding translates an error that the library found in value, which stands at
// a path in the whole.
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

// known says which members the object at a path may have.
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

// alternatives returns the members of which the object at a path must have
// exactly one, where its schema says that and no more: oneOf with nothing but
// required.
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

// readable turns findings into issues. Where none of several schemas fits, the
// library reports that and all that is wrong with one of them: of these it
// makes one issue.
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

// absorb parts the findings into those that the choice stands for and others.
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
