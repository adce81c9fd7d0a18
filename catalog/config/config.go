// Package config finds, reads and checks the configuration of a repository, the file
// .catalog/config.json at its top. The file selects the rules of verify and their
// severities, the files of the catalog to read, and some defaults.
//
// The file comes with a clone, so its settings apply only to this repository. A check of
// another owner's repository ignores settings that suppress findings. The package does
// not know the rules and writes nothing.
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/glob"
	"instruction-catalog/schemas/strict"
)

// Path is the path of the configuration, relative to the top of a repository.
const Path = ".catalog/config.json"

// maxSize is the maximum size of the file, in bytes.
const maxSize = 1 << 20

// Config is the content of the file. Paths and globs are relative to the top.
type Config struct {
	ID       string          `json:"id"`      // the key of the usage counts
	Dir      string          `json:"dir"`     // the folder of the catalog
	Include  []string        `json:"include"` // globs of files to read although they are skipped by default
	Exclude  []string        `json:"exclude"` // globs of files not to read
	Rules    map[string]Rule `json:"rules"`   // by rule id, or by a prefix of it that ends in "/"
	FailOn   string          `json:"failOn"`
	Review   string          `json:"review"`
	Baseline string          `json:"baseline"`

	// Top is the folder that the configuration applies to: the top of the repository.
	// Outside of a repository it is the folder above the catalog, see [Find].
	Top string `json:"-"`
	// IsRepository reports whether Top is the top of a repository.
	IsRepository bool `json:"-"`
	// Exists reports whether the file exists.
	Exists bool `json:"-"`
	// NotRead lists the configuration files in folders between the catalog and the top.
	// They have no effect.
	NotRead []string `json:"-"`
}

// Rule configures the findings of a rule.
type Rule struct {
	Severity string `json:"severity"` // error, warning, note, or off
	Reason   string `json:"reason"`
	Until    Day    `json:"until"` // the last day on which the setting applies; "" for no end
}

// UnmarshalJSON decodes an object with these fields, or a string, which is the severity.
func (r *Rule) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &r.Severity)
	}
	type members Rule
	return json.Unmarshal(text, (*members)(r))
}

// Day is a date in UTC, as YYYY-MM-DD.
type Day string

// IsOver reports whether the day has ended at the time now. It is false for the empty
// Day.
func (d Day) IsOver(now time.Time) bool {
	return d != "" && now.UTC().Format(time.DateOnly) > string(d)
}

// Error means that a configuration file cannot be used.
type Error struct {
	Path   string // path of the file
	Reason string // what is wrong, and what to do
	cause  error
}

func (e *Error) Error() string { return e.Path + ": " + e.Reason }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Find reads the configuration that applies to the catalog at a path, which is a folder
// or a bundle. It reads the file at the top of the repository or, outside a repository,
// in the folder above that path. If the file is missing, Find returns a Config in which
// only Top, IsRepository and NotRead are set. The error is an [*Error].
func Find(folder string) (*Config, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, &Error{Path, err.Error(), err}
	}
	top, between := repositoryOf(folder)
	isRepository := top != ""
	if !isRepository {
		top, between = filepath.Dir(folder), []string{folder}
	}
	c, err := Read(top)
	if err != nil {
		return nil, err
	}
	c.IsRepository = isRepository
	for _, dir := range between {
		if name := filepath.Join(dir, filepath.FromSlash(Path)); isFile(name) {
			c.NotRead = append(c.NotRead, name)
		}
	}
	return c, nil
}

// Top returns the nearest folder, at the given one or above it, that contains .git. If
// there is none, it returns the given folder.
func Top(folder string) string {
	if top, _ := repositoryOf(folder); top != "" {
		return top
	}
	return folder
}

// repositoryOf returns the nearest folder, at the given one or above it, that contains
// .git, and the folders below it down to the given one. If there is none, top is "".
func repositoryOf(folder string) (top string, below []string) {
	for top = folder; !HasGit(top); top = filepath.Dir(top) {
		if top == filepath.Dir(top) {
			return "", nil
		}
		below = append(below, top)
	}
	return top, below
}

// HasGit reports whether a folder contains .git, which makes it the top of a repository.
// In a worktree, .git is a file.
func HasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

// Read reads the configuration in the folder top and sets Top. If the file is missing,
// all other fields are zero. The error is an [*Error].
func Read(top string) (*Config, error) {
	c, err := read(top)
	if err != nil {
		return nil, &Error{filepath.Join(top, filepath.FromSlash(Path)), err.Error(), err}
	}
	return c, nil
}

func read(top string) (*Config, error) {
	c := &Config{Top: top}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, files.Cause(err)
	}
	defer root.Close()
	f, err := files.ReadIn(root, filepath.FromSlash(Path), maxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case errors.Is(err, files.ErrTooLarge):
		return nil, fmt.Errorf("it has more than %d bytes", maxSize)
	case err != nil:
		return nil, files.Cause(err)
	}
	c.Exists = true
	return c, c.parse(f.Data)
}

func (c *Config) parse(text []byte) error {
	text, err := strict.JSON(text)
	if err != nil {
		return err
	}
	issues, err := strict.Schema("config").Validate(text)
	if err != nil {
		return err
	}
	if len(issues) > 0 {
		return errors.New(strict.Sentence(issues[0], "the configuration"))
	}
	if err := json.Unmarshal(text, c); err != nil {
		return errors.New("it cannot be read as a configuration") // cannot happen, because the schema has been checked
	}
	for id, r := range c.Rules {
		if _, err := time.Parse(time.DateOnly, string(r.Until)); r.Until != "" && err != nil {
			return fmt.Errorf("rules.%s: %q is not a date: write it as YYYY-MM-DD", id, r.Until)
		}
	}
	if c.Baseline != "" && !c.contains(c.Baseline) {
		return fmt.Errorf("baseline: %q leads out of the repository: name a file in it", c.Baseline)
	}
	if c.Dir != "" && !c.contains(c.Dir) {
		return fmt.Errorf("dir: %q leads out of the repository: name a folder in it", c.Dir)
	}
	for _, g := range slices.Concat(c.Include, c.Exclude) {
		if !glob.Valid(g) {
			return fmt.Errorf("include, exclude: %q is not a valid glob: close its brackets and braces", g)
		}
	}
	return nil
}

// contains reports whether a path is below the top after symbolic links are resolved. A
// path that does not exist counts as below the top.
func (c *Config) contains(name string) bool {
	name = filepath.FromSlash(name)
	if !filepath.IsLocal(name) {
		return false
	}
	top, err := filepath.EvalSymlinks(c.Top)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(top, name))
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	within, err2 := filepath.Rel(top, real)
	return errors.Join(err, err2) == nil && filepath.IsLocal(within)
}
