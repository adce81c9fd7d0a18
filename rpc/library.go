package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Resources provides the texts of a toolset that agents and users can read. It does not
// depend on a protocol.
type Resources interface {
	// Templates returns the URI templates that Read accepts, and the URIs of single
	// resources.
	Templates() []Template
	// Read returns one text. The error is [ErrNoResource] if no text has the URI.
	Read(ctx context.Context, uri string) (Content, error)
}

// ResourceLister is a [Resources] that also lists its texts. Templates omits the single
// URIs that are listed.
type ResourceLister interface {
	Resources
	// Resources returns a page of the texts and the cursor of the next page. The cursor
	// is "" for the first page; the returned cursor is "" on the last page. An invalid
	// cursor is an [InvalidParams] error.
	Resources(ctx context.Context, cursor string) ([]Resource, string, error)
}

// Skills lists and returns the skills of a toolset.
type Skills interface {
	// Skills returns a page of the skills, as [ResourceLister] does.
	Skills(ctx context.Context, cursor string) ([]Skill, string, error)
	// Skill returns one skill by the URI of its SKILL.md. The error is [ErrNoResource]
	// if no skill has the URI.
	Skill(ctx context.Context, uri string) (Skill, error)
}

// ErrNoResource means that no resource or skill has the requested URI.
var ErrNoResource = errors.New("there is no such resource")

// NoResource is an [ErrNoResource] with the URIs of similar resources that do exist.
type NoResource struct {
	Nearest []string // URIs, most similar first; may be empty
}

func (e NoResource) Error() string { return ErrNoResource.Error() }

// Is reports whether the target is [ErrNoResource].
func (e NoResource) Is(target error) bool { return target == ErrNoResource }

// schemes returns the URI schemes of the texts of a toolset.
func (t *Toolset) schemes() []string {
	if t.Resources == nil {
		return nil
	}
	var schemes []string
	for _, template := range t.Resources.Templates() {
		scheme, _, _ := strings.Cut(template.URI, ":")
		schemes = append(schemes, scheme)
	}
	slices.Sort(schemes)
	return slices.Compact(schemes)
}

// HasScheme reports whether a URI has one of the schemes of the toolset's texts.
func (t *Toolset) HasScheme(uri string) bool {
	scheme, _, _ := strings.Cut(uri, ":")
	return slices.Contains(t.schemes(), scheme)
}

func (t *Toolset) promptNames() []string {
	var names []string
	for _, p := range t.Prompts {
		names = append(names, p.Name)
	}
	return names
}

// Resource is a text that can be read by its URI.
type Resource struct {
	URI, Name, Title, Description string
	MIMEType                      string
	Size                          int64          // bytes; 0 if unknown
	Audience                      []Role         // the intended audience; empty for all roles
	Priority                      float64        // from 0 (optional) to 1 (required reading)
	Modified                      string         // RFC 3339; "" if unknown
	Meta                          map[string]any // further data for programs, by name; see [Content]
}

// Template is a URI template for resources: its URI has one variable in braces, or no
// variable and names a single resource.
type Template struct {
	URI, Name, Title, Description string
	MIMEType                      string
	Variable                      string // "" for a single resource
	Complete                      Completer
}

// Content is the content of a resource.
type Content struct {
	URI, MIMEType, Text string
	Blob                []byte // instead of Text, if the content is not text
	// Meta is further data for programs, or nil. A name consists of the toolset's name,
	// a slash and a word.
	Meta map[string]any
}

// Role is a side of a conversation.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Prompt is a text that a user inserts into a conversation.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument
	// Render returns the text. Arguments that the user did not give are not in the map.
	// The caller is shown an error only if it is an [*Error].
	Render func(ctx context.Context, arguments map[string]string) (string, error)
}

// Argument is an argument of a prompt.
type Argument struct {
	Name, Description string
	Required          bool
	Complete          Completer // nil if there are no suggestions
}

// Completer suggests values for the text that a user has typed so far.
type Completer func(ctx context.Context, typed string) (Completion, error)

// MaxCompletions is the maximum number of suggestions in one [Completion].
const MaxCompletions = 100

// Completion holds suggestions, at most [MaxCompletions].
type Completion struct {
	Values []string
	Total  int // the number of all matching values
}

// Skill is a folder of files with a SKILL.md that tells an agent how to do
// something (agentskills.io).
type Skill struct {
	URI               string // of SKILL.md
	Name, Description string
	Files             []SkillFile // all files, including SKILL.md
}

// SkillFile is a file of a skill.
type SkillFile struct {
	URI    string
	Digest string // "sha256:" and 64 hexadecimal digits
	Size   int    // bytes
}

// FreshFor is how long a client may cache an answer about resources or skills.
const FreshFor = 10 * time.Second

// Missing returns the error for a required argument that was not given.
func Missing(argument string) *Error {
	return BadParam(argument, fmt.Sprintf("missing: give %s a value", argument))
}
