package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// targets are what a release is made for: which modules are linked depends on it.
var targets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// noticeName is the name of a file in which a module says under which terms it may be
// copied.
var noticeName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)[^/]*$`)

const noticesHead = `The program catalog consists of its own code, whose licence stands in LICENSE, and of the
Go runtime, standard library and modules below. Here is what each of them asks to go
along with a copy of it: the texts are theirs. "go run ./cmd/gendocs" wrote this file.
`

// generateNotices returns the licence texts and notices of all that is linked into the
// program, on any of the targets.
func generateNotices(root string) ([]byte, error) {
	linked := map[string][]string{} // the folders of packages, by module
	for _, target := range targets {
		if err := addLinked(linked, root, target); err != nil {
			return nil, err
		}
	}
	goroot, err := run(root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString(noticesHead)
	if err := addNotices(out, "Go", strings.TrimSpace(goroot), nil); err != nil {
		return nil, err
	}
	modules := make([]string, 0, len(linked))
	for module := range linked {
		modules = append(modules, module)
	}
	slices.Sort(modules)
	for _, module := range modules {
		name, dir, _ := strings.Cut(module, "\t")
		if err := addNotices(out, name, dir, linked[module]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// addLinked adds the packages of other modules that the program consists of on a target.
func addLinked(linked map[string][]string, root, target string) error {
	system, machine, _ := strings.Cut(target, "/")
	const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"
	packages, err := run(root, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + machine}, "list", "-deps", "-f", format, "./cmd/catalog")
	if err != nil {
		return err
	}
	for line := range strings.Lines(packages) {
		i := strings.LastIndexByte(line, '\t')
		if i < 0 {
			continue // of the standard library, or ours
		}
		module, folder := line[:i], strings.TrimSpace(line[i+1:])
		if !slices.Contains(linked[module], folder) {
			linked[module] = append(linked[module], folder)
		}
	}
	return nil
}

func run(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return string(out), nil
}

// addNotices adds the texts of a module in dir, and those of its linked packages that
// have terms of their own. A module without any may not be shipped.
func addNotices(out *bytes.Buffer, name, dir string, packages []string) error {
	folders := []string{dir}
	for _, folder := range packages {
		for ; len(folder) > len(dir); folder = filepath.Dir(folder) {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	found := false
	for _, folder := range slices.Compact(folders) {
		files, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, f := range files {
			if !noticeName.MatchString(f.Name()) || f.IsDir() || filepath.Ext(f.Name()) == ".go" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				return err
			}
			within, err := filepath.Rel(dir, filepath.Join(folder, f.Name()))
			if err != nil {
				return err
			}
			text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
			fmt.Fprintf(out, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), name, filepath.ToSlash(within), text)
			found = true
		}
	}
	if !found {
		return fmt.Errorf("%s has no licence: ask its authors for one, or do without it", name)
	}
	return nil
}
