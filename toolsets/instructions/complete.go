package instructions

import (
	"context"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// completer returns a completer that suggests the values with the typed prefix, ignoring
// case. The suggestions keep the order of the values.
func (t *Toolset) completer(values func(*catalog.Snapshot) []string) rpc.Completer {
	return func(ctx context.Context, typed string) (rpc.Completion, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return rpc.Completion{}, err
		}
		typed = strings.ToLower(typed)
		var fit rpc.Completion
		for _, value := range values(s) {
			if !strings.HasPrefix(strings.ToLower(value), typed) {
				continue
			}
			if fit.Total++; len(fit.Values) < rpc.MaxCompletions {
				fit.Values = append(fit.Values, value)
			}
		}
		return fit, nil
	}
}

func idsOf(s *catalog.Snapshot) []string {
	var ids []string
	for _, e := range s.Entries() {
		ids = append(ids, string(e.ID))
	}
	return ids
}

// categoriesOf returns the categories of all entries, sorted.
func categoriesOf(s *catalog.Snapshot) []string {
	var all []string
	for _, e := range s.Entries() {
		all = append(all, e.Categories...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// pathsOf returns the paths of the files that contain entries, sorted.
func pathsOf(s *catalog.Snapshot) []string {
	var paths []string
	for _, e := range s.Entries() {
		paths = append(paths, e.Origin.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// near returns the values that contain asked, are contained in it, or share its first
// three characters. It ignores case and omits asked itself. If no value qualifies, it
// returns all values.
func near(asked string, values []string) []string {
	asked = strings.ToLower(asked)
	alike := slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		value = strings.ToLower(value)
		return value == asked || !strings.Contains(value, asked) && !strings.Contains(asked, value) && !sameStart(asked, value)
	})
	if len(alike) == 0 {
		return values
	}
	return alike
}

// sameStart reports whether two texts begin with the same three characters.
func sameStart(a, b string) bool {
	const enough = 3
	start := []rune(a)
	return len(start) >= enough && strings.HasPrefix(b, string(start[:enough]))
}
