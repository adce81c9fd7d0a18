package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// targets are the platforms of a release. The linked modules depend on the platform.
var targets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// noticeName matches the names of files with licence terms.
var noticeName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)[^/]*$`)

// generateNotices returns the licence texts and notices of everything that is linked
// into the program on any target.
func generateNotices(root string) ([]byte, error) {
	goroot, err := run(root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	linked := map[string][]string{"Go\t" + strings.TrimSpace(goroot): nil} // package folders by module
	for _, target := range targets {
		if err := addLinked(linked, root, target); err != nil {
			return nil, err
		}
	}
	var notices bytes.Buffer
	for _, module := range slices.Sorted(maps.Keys(linked)) {
		name, dir, _ := strings.Cut(module, "\t")
		if err := addNotices(&notices, name, dir, linked[module]); err != nil {
			return nil, err
		}
	}
	return render("notices.txt.tmpl", notices.String())
}

// addLinked adds the packages of other modules that are linked on a target.
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
			continue // a package of the standard library or of this module
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

// addNotices adds the licence texts of a module in dir, and those of its linked
// packages that have their own. It returns an error if the module has none, because it
// must not be distributed without a licence.
func addNotices(out *bytes.Buffer, module, dir string, packages []string) error {
	folders := []string{"."}
	for _, folder := range packages {
		for ; len(folder) > len(dir); folder = filepath.Dir(folder) {
			folders = append(folders, filepath.ToSlash(folder[len(dir)+1:]))
		}
	}
	slices.Sort(folders)
	files, found := os.DirFS(dir), false
	for _, folder := range slices.Compact(folders) {
		entries, err := fs.ReadDir(files, folder)
		if err != nil {
			return err
		}
		for _, f := range entries {
			if !noticeName.MatchString(f.Name()) || f.IsDir() || path.Ext(f.Name()) == ".go" {
				continue
			}
			name := path.Join(folder, f.Name())
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
			fmt.Fprintf(out, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), module, name, text)
			found = true
		}
	}
	if !found {
		return fmt.Errorf("%s has no licence: ask its authors for one, or do without it", module)
	}
	return nil
}
