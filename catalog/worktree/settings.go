package worktree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
	"instruction-catalog/schemas/strict"
)

// SettingsPath is the path of the render settings within the repository.
const SettingsPath = ".catalog/render.json"

// Settings select what is rendered into a repository.
type Settings struct {
	Catalog string          `json:"catalog,omitempty"` // folder or bundle, relative to the repository; "" for the one that commands find by default
	Targets []string        `json:"targets"`
	Where   json.RawMessage `json:"where,omitempty"` // selects entries, as in gates.json; nil for all
}

const maxSettings = 1 << 20

// ReadSettings reads the settings of a repository. If they have a where member, it
// calls check and returns its error. Errors name the file. If the file is missing, the
// error wraps [fs.ErrNotExist].
func ReadSettings(repository string, check func(where json.RawMessage) error) (Settings, error) {
	root, err := os.OpenRoot(repository)
	if err != nil {
		return Settings{}, fmt.Errorf("%s: %w", repository, files.Cause(err))
	}
	defer root.Close()
	text, err := readPlain(root, SettingsPath, maxSettings)
	if err != nil {
		return Settings{}, fmt.Errorf("%s: %w", SettingsPath, files.Cause(err))
	}
	s, err := parseSettings(text)
	if err == nil && s.Where != nil {
		err = check(s.Where)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", SettingsPath, err)
	}
	return s, err
}

func parseSettings(text []byte) (s Settings, err error) {
	if text, err = strict.JSON(text); err != nil {
		return s, err
	}
	for m, err := range jsonscan.Members(text) {
		if err != nil {
			return s, errors.New("it must be an object")
		}
		if !slices.Contains([]string{"catalog", "targets", "where"}, string(m.Name)) {
			return s, fmt.Errorf("%q is not a known member: use catalog, targets or where", strict.Excerpt(string(m.Name)))
		}
	}
	if json.Unmarshal(text, &s) != nil {
		return s, errors.New("catalog must be a string, targets a list of strings, and where an object")
	}
	if len(s.Targets) == 0 {
		return s, errors.New("targets is missing: name the agents whose files are written")
	}
	return s, nil
}

// IsMissing reports whether an error says that a file is missing.
func IsMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
