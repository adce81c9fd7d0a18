package main

import (
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"instruction-catalog/cmd/catalog/internal/hosts"
)

func completeHosts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, h := range hosts.All() {
		names = append(names, cobra.CompletionWithDesc(h.Name, h.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func hostNames() (names []string) {
	for _, h := range hosts.All() {
		names = append(names, h.Name)
	}
	return names
}

func (a *app) machine() hosts.Machine { return hosts.Machine{OS: runtime.GOOS, Env: a.env} }

// listHosts prints every host and the files that it reads.
func (a *app) listHosts() error {
	type files struct {
		Host    string `json:"host"`
		Title   string `json:"title"`
		Project string `json:"project,omitempty"` // relative to the project
		Global  string `json:"global,omitempty"`
	}
	var all []files
	t := table{heading: []string{"HOST", "FOR", "IN A PROJECT", "WITH --global"}, spare: []int{1}}
	for _, h := range hosts.All() {
		f := files{Host: h.Name, Title: h.Title}
		if paths := h.ProjectFiles(a.machine()); paths != nil {
			f.Project = existing(paths)
		}
		if paths, err := h.UserFiles(a.machine()); err == nil {
			f.Global = existing(paths)
		}
		all = append(all, f)
		t.rows = append(t.rows, []string{f.Host, f.Title, orDash(f.Project), orDash(f.Global)})
	}
	if a.json {
		return a.printValue(all)
	}
	a.printTable(t)
	return nil
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// existing returns the file to edit: the first that exists, or the first if none
// exists.
func existing(files []string) string {
	for _, file := range files {
		if _, err := os.Lstat(file); err == nil {
			return file
		}
	}
	return files[0]
}
