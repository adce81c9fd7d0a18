package v2

import (
	"strings"
	"testing"
)

// FuzzDate checks that an accepted date is the day it names, and is unchanged when
// formatted again.
func FuzzDate(f *testing.F) {
	for _, seed := range []string{"2026-01-02", "2024-02-29T23:59:59.999Z", "2026-02-30", "2026-01-02T00:00:00+00:00", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := date("dateStart", &text)
		if err != nil {
			return
		}
		layout := "2006-01-02T15:04:05.000Z"
		if written := at.UTC().Format(layout); !strings.HasPrefix(written, strings.TrimSuffix(text, "Z")) {
			t.Errorf("%q is taken for %s", text, written)
		}
	})
}

// FuzzRelationTypes checks that accepted types are the listed ones, in order.
func FuzzRelationTypes(f *testing.F) {
	for _, seed := range []string{"", "GUIDE_USES_CONCEPT", "GUIDE_USES_CONCEPT,PROJECT_HAS_GUIDE", "GUIDE_USES_CONCEPT,", "guide_uses_concept", ";"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, csv string) {
		types, err := relationTypes("relationshipTypes", csv)
		if err == nil && strings.Join(names(types), ",") != csv {
			t.Errorf("%q is taken for %v", csv, types)
		}
	})
}
