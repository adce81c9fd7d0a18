package mcp

import (
	"context"
	"errors"
	"strings"

	"instruction-catalog/rpc"
)

// library combines the resources, prompts and skills of all toolsets of a registry.
type library struct{ registry *rpc.Registry }

// resources returns a page of the resources of all toolsets, one toolset after the other.
func (l library) resources(ctx context.Context, cursor string) ([]rpc.Resource, string, error) {
	return paged(ctx, l.registry, cursor, func(t *rpc.Toolset) func(context.Context, string) ([]rpc.Resource, string, error) {
		if lister, ok := t.Resources.(rpc.ResourceLister); ok {
			return lister.Resources
		}
		return nil
	})
}

// load makes the toolsets read their resources, because they report changes only of what
// they have read. It asks for a URI that no resource has and ignores the error.
func (l library) load(ctx context.Context) {
	for _, t := range l.registry.Toolsets() {
		if t.OnChange != nil && t.Resources != nil {
			_, _ = t.Resources.Read(ctx, "")
		}
	}
}

// skills returns a page of the skills of all toolsets.
func (l library) skills(ctx context.Context, cursor string) ([]rpc.Skill, string, error) {
	return paged(ctx, l.registry, cursor, func(t *rpc.Toolset) func(context.Context, string) ([]rpc.Skill, string, error) {
		if t.Skills == nil {
			return nil
		}
		return t.Skills.Skills
	})
}

// paged returns a page of the items that lister lists, one toolset after the other. lister
// returns nil for a toolset without items. Cursors of all toolsets except the first one
// with items are prefixed with the toolset's name and a colon.
func paged[T any](ctx context.Context, registry *rpc.Registry, cursor string,
	lister func(*rpc.Toolset) func(context.Context, string) ([]T, string, error)) ([]T, string, error) {
	var listing []*rpc.Toolset
	for _, t := range registry.Toolsets() {
		if lister(t) != nil {
			listing = append(listing, t)
		}
	}
	at, prefix := 0, ""
	for i, t := range listing[min(1, len(listing)):] {
		if rest, ok := strings.CutPrefix(cursor, t.Name+":"); ok {
			at, prefix, cursor = i+1, t.Name+":", rest
		}
	}
	if at >= len(listing) {
		return nil, "", nil
	}
	page, next, err := lister(listing[at])(ctx, cursor)
	switch {
	case err != nil:
		return nil, "", err
	case next != "":
		next = prefix + next
	case at+1 < len(listing):
		next = listing[at+1].Name + ":"
	}
	return page, next, nil
}

func (l library) templates() (all []rpc.Template) {
	for _, t := range l.registry.Toolsets() {
		if t.Resources != nil {
			all = append(all, t.Resources.Templates()...)
		}
	}
	return all
}

func (l library) prompts() (all []rpc.Prompt) {
	for _, t := range l.registry.Toolsets() {
		all = append(all, t.Prompts...)
	}
	return all
}

// guidance returns the guidance of all toolsets for a model. tools says whether the model
// is offered tools.
func (l library) guidance(tools bool) string {
	var all []string
	for _, t := range l.registry.Toolsets() {
		said := t.Guidance
		if !tools {
			said = t.GuidanceWithoutTools
		}
		if said != "" {
			all = append(all, said)
		}
	}
	return strings.Join(all, "\n\n")
}

// read returns the text with a URI from the first toolset that has the URI's scheme. The
// error is [rpc.ErrNoResource] if no toolset has the scheme.
func (l library) read(ctx context.Context, uri string) (rpc.Content, error) {
	for _, t := range l.registry.Toolsets() {
		if t.Resources != nil && t.HasScheme(uri) {
			return t.Resources.Read(ctx, uri)
		}
	}
	return rpc.Content{}, rpc.ErrNoResource
}

// skill returns the skill with a URI from the first toolset that has it. The error is
// [rpc.ErrNoResource] if no toolset has it.
func (l library) skill(ctx context.Context, uri string) (rpc.Skill, error) {
	for _, t := range l.registry.Toolsets() {
		if t.Skills == nil {
			continue
		}
		if skill, err := t.Skills.Skill(ctx, uri); !errors.Is(err, rpc.ErrNoResource) {
			return skill, err
		}
	}
	return rpc.Skill{}, rpc.ErrNoResource
}
