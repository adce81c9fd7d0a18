// Package config finds, reads and checks the configuration of a repository, the file
// .catalog/config.json at its top: which rules of verify hold, and how grave they are.
//
// The file comes with a clone, so what it says counts for this repository only, and
// a check of another owner's repository ignores whatever takes findings away.
// The package knows no rule, and writes nothing.
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

// Path is where the configuration stands, from the top of a repository.
const Path = ".catalog/config.json"

// maxSize is how large the file may be, in bytes.
const maxSize = 1 << 20

// Config is the content of the file. Paths and globs count from the top.
type Config struct {
	ID       string          `json:"id"`      // the key of the counts of use
	Dir      string          `json:"dir"`     // the folder of the catalog
	Include  []string        `json:"include"` // globs of what is read though it is left out by default
	Exclude  []string        `json:"exclude"` // globs of what is not read
	Rules    map[string]Rule `json:"rules"`   // by id, or by a prefix that ends in "/"
	FailOn   string          `json:"failOn"`
	Review   string          `json:"review"`
	Baseline string          `json:"baseline"`

	// Top is the folder that the file counts for: that of the repository, or without one
	// that above the catalog.
	Top string `json:"-"`
	// IsRepository reports whether Top is the top of a repository.
	IsRepository bool `json:"-"`
	// Exists reports whether there is such a file.
	Exists bool `json:"-"`
	// NotRead are files of that name in folders between the catalog and the top.
	NotRead []string `json:"-"`
}

// Rule says what findings of a rule are.
type Rule struct {
	Severity string `json:"severity"` // error, warning, note, or off
	Reason   string `json:"reason"`
	Until    Day    `json:"until"` // the last day on which it holds; "" for ever
}

// UnmarshalJSON also takes a severity alone.
func (r *Rule) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &r.Severity)
	}
	type members Rule
	return json.Unmarshal(text, (*members)(r))
}

// Day is a day of the calendar, in UTC, as YYYY-MM-DD.
type Day string

// IsOver reports whether the day has ended. No day, "", never ends.
func (d Day) IsOver(now time.Time) bool {
	return d != "" && now.UTC().Format(time.DateOnly) > string(d)
}

// Error is a file that cannot be gone by.
type Error struct {
	Path   string // of the file
	Reason string // what is wrong, and what to do
	cause  error
}

func (e *Error) Error() string { return e.Path + ": " + e.Reason }

// Unwrap returns the error of reading the file.
func (e *Error) Unwrap() error { return e.cause }

// Find reads the configuration that counts for a catalog, by its folder or the bundle. Without a file all
// of it is empty, but for Top. The error is an [*Error].
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

// Top returns the nearest folder, the given one or above it, that has .git, or without
// one the folder itself.
func Top(folder string) string {
	if top, _ := repositoryOf(folder); top != "" {
		return top
	}
	return folder
}

// repositoryOf returns the nearest folder upwards that has .git, and the folders from the
// given one up to it. Without one the top is "".
func repositoryOf(folder string) (top string, below []string) {
	for top = folder; !HasGit(top); top = filepath.Dir(top) {
		if top == filepath.Dir(top) {
			return "", nil
		}
		below = append(below, top)
	}
	return top, below
}

// HasGit reports whether a folder is the top of a repository, where .git is a folder, or
// a file in a worktree.
func HasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

// Read reads the configuration in a folder, which is the Top of the result. Without a file
// all else is empty. The error is an [*Error].
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
		return errors.New("it cannot be read as a configuration") // which the schema has made sure of
	}
	for id, r := range c.Rules {
		if _, err := time.Parse(time.DateOnly, string(r.Until)); r.Until != "" && err != nil {
			return fmt.Errorf("rules.%s: %q is no day: write it as YYYY-MM-DD", id, r.Until)
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

// contains reports whether a path stays below the top when links are followed. One that
// does not exist leads nowhere.
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
