package catalog

import "testing"

func TestAppliesTo(t *testing.T) {
	t.Parallel()
	scoped := func(l LoadMode, s *Scope) *Entry {
		return NewEntry(Instruction{ID: "x", Title: "x", Body: "x", Load: l}, Origin{Scope: s})
	}
	goFiles := &Scope{Globs: []string{"**/*.go", "!gen/**"}}
	for _, tt := range []struct {
		entry *Entry
		file  string
		want  bool
	}{
		{scoped("", nil), "a.go", true},
		{scoped(LoadAlways, nil), "a.go", true},
		{scoped(LoadGlob, goFiles), "a.go", true},
		{scoped(LoadGlob, goFiles), "./b/../a.go", true},
		{scoped(LoadGlob, goFiles), `b\a.go`, true},
		{scoped(LoadGlob, goFiles), "/b/a.go", true},
		{scoped(LoadGlob, goFiles), "gen/a.go", false},
		{scoped(LoadGlob, goFiles), "a.ts", false},
		{scoped(LoadDirectory, &Scope{Folder: "api"}), "api/v1/a.go", true},
		{scoped(LoadDirectory, &Scope{Folder: "api"}), "apiary/a.go", false},
		{scoped(LoadDirectory, nil), "a.go", true},
		{scoped(LoadAgent, nil), "a.go", false},
		{scoped(LoadSkill, nil), "a.go", false},
	} {
		s := NewSnapshot([]*Entry{tt.entry}, nil)
		if got := len(s.List(Filter{AppliesTo: tt.file})) == 1; got != tt.want {
			t.Errorf("%s %+v counts for %s: %v", tt.entry.Load, tt.entry.Origin.Scope, tt.file, got)
		}
		if got := s.Ranked("x", Filter{AppliesTo: tt.file}).Count == 1; got != tt.want {
			t.Errorf("ranked: %s %+v counts for %s: %v", tt.entry.Load, tt.entry.Origin.Scope, tt.file, got)
		}
		if len(s.List(Filter{Load: tt.entry.Load})) != 1 || len(s.List(Filter{Load: LoadPersona})) != 0 {
			t.Errorf("%q does not pass its own filter alone", tt.entry.Load)
		}
	}
}
