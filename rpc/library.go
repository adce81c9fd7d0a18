package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Resources are the texts of a toolset that agents and users read. They know no
// protocol.
type Resources interface {
	// Resources returns a page of the texts, and the cursor of the next page,
	// "" on the last. The first page has the cursor "". A cursor that is not
	// good is an [InvalidParams] error.
	Resources(ctx context.Context, cursor string) ([]Resource, string, error)
	// Templates returns the families of URIs that Read understands, and the
	// URIs that no page names.
	Templates() []Template
	// Read returns one text, or [ErrNoResource].
	Read(ctx context.Context, uri string) (Content, error)
}

// Skills are the skills of a toolset.
type Skills interface {
	// Skills returns a page of the skills, as [Resources] does.
	Skills(ctx context.Context, cursor string) ([]Skill, string, error)
	// Skill returns one skill by the URI of its SKILL.md. Its error is
	// [ErrNoResource] where there is none.
	Skill(ctx context.Context, uri string) (Skill, error)
}

// ErrNoResource says that there is nothing under a URI.
var ErrNoResource = errors.New("there is no such resource")

// NoResource is [ErrNoResource] of a toolset that knows what there is instead.
type NoResource struct {
	Nearest []string // URIs, most alike first; may be empty
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

// Resource is a text that can be read under its URI.
type Resource struct {
	URI, Name, Title, Description string
	MIMEType                      string
	Size                          int64          // bytes; 0 where it is not known
	Audience                      []Role         // whom it is for; empty for everybody
	Priority                      float64        // from 0, may be left out, to 1, must be read
	Modified                      string         // RFC 3339; "" where it is not known
	Meta                          map[string]any // what else a program may want to know, by name; see [Content]
}

// Template is a family of resources: its URI has one variable, in braces, or
// none.
type Template struct {
	URI, Name, Title, Description string
	MIMEType                      string
	Variable                      string // "" for a single resource
	Complete                      Completer
}

// Content is the content of a resource.
type Content struct {
	URI, MIMEType, Text string
	Blob                []byte // instead of Text, if it is not text
	// Meta is what else a program may want to know. A name is that of the toolset,
	// a slash and a word. Nil for nothing.
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
	// Render returns the text. Arguments that were not given are absent. Its
	// error is an [*Error] to say something to the caller.
	Render func(ctx context.Context, arguments map[string]string) (string, error)
}

// Argument is a blank of a prompt.
type Argument struct {
	Name, Description string
	Required          bool
	Complete          Completer // nil where nothing can be suggested
}

// Completer suggests values that begin like what was typed so far.
type Completer func(ctx context.Context, typed string) (Completion, error)

// MaxCompletions is how many suggestions are made at once.
const MaxCompletions = 100

// Completion is a row of suggestions, at most [MaxCompletions].
type Completion struct {
	Values []string
	Total  int // of all that would fit
}

// Skill is a folder of files with a SKILL.md that tells an agent how to do
// something (agentskills.io).
type Skill struct {
	URI               string // of SKILL.md
	Name, Description string
	Files             []SkillFile // all of them, SKILL.md too
}

// SkillFile is a file of a skill.
type SkillFile struct {
	URI    string
	Digest string // "sha256:" and 64 hexadecimal digits
	Size   int    // bytes
}

// FreshFor is how long a client may cache an answer of a library.
const FreshFor = 10 * time.Second

// Missing is the error for a required argument that was not given.
func Missing(argument string) *Error {
	return BadParam(argument, fmt.Sprintf("missing: give %s a value", argument))
}
