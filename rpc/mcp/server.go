package mcp

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// ToolChoice determines which methods are offered to agents as tools.
type ToolChoice string

// The choices.
const (
	DefaultTools ToolChoice = "default" // the methods with [rpc.Tool].Default
	LeanTools    ToolChoice = "lean"    // the same, without output schemas
	AllTools     ToolChoice = "all"     // all methods without [rpc.Tool].Never
	NoTools      ToolChoice = "none"
)

// Config configures a [Server].
type Config struct {
	Registry    *rpc.Registry // all toolsets must have been added
	Name, Title string        // of the server
	Version     string        // of the program
	Tools       ToolChoice
	Log         *slog.Logger
}

// Server serves a registry over MCP. It implements [rpc.Protocol] and is safe for concurrent
// use.
type Server struct {
	config  Config
	library library
	sdk     *mcp.Server
	offered func() map[string]*rpc.Method // returns the tools by name; computed at the first call
	tools   func()                        // adds the tools to the SDK, once
	measure sync.Once                     // for logging the size of the tools once
}

var _ rpc.Protocol = (*Server)(nil)

// New returns a server. It returns an error if the registry has a method whose name belongs
// to MCP.
func New(config Config) (*Server, error) {
	if err := conflict(config.Registry); err != nil {
		return nil, err
	}
	s := &Server{config: config, library: library{config.Registry}}
	s.offered = sync.OnceValue(func() map[string]*rpc.Method { return offered(config.Registry, config.Tools) })
	options := &mcp.ServerOptions{
		Instructions:      s.library.guidance(config.Tools != NoTools),
		Logger:            slog.New(quiet{config.Log.Handler()}),
		Capabilities:      s.capabilities(),
		CompletionHandler: s.complete,
		SetCacheable:      cacheable,
	}
	if s.follows(anyToolset) {
		options.SubscribeHandler = s.subscribe
		options.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: config.Name, Title: config.Title, Version: config.Version}, options)
	s.tools = sync.OnceFunc(s.addTools)
	s.addResources()
	s.addPrompts()
	s.addSkills()
	s.sdk.AddReceivingMiddleware(code, s.record, s.guard, identify, s.adapt)
	s.follow()
	return s, nil
}

// capabilities returns the combined capabilities of all toolsets. The SDK cannot infer them,
// because tools are added only when a client asks for them.
func (s *Server) capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{Completions: &mcp.CompletionCapabilities{}}
	changes, lists := s.follows(anyToolset), s.follows(hasLists)
	addLogging(c)
	for _, t := range s.config.Registry.Toolsets() {
		if t.Resources != nil {
			c.Resources = &mcp.ResourceCapabilities{Subscribe: changes, ListChanged: lists}
		}
		if len(t.Prompts) > 0 {
			c.Prompts = &mcp.PromptCapabilities{ListChanged: lists}
		}
		if t.Skills != nil {
			c.Extensions = map[string]any{skillsExtension: struct{}{}}
		}
	}
	if s.config.Tools != NoTools {
		c.Tools = &mcp.ToolCapabilities{}
	}
	return c
}

// follow registers s.changed with the toolsets, to notify clients of changes. Clients that
// subscribed to a resource are notified of its updates. Clients that listen for list changes
// are notified of changes to the resources and prompts. Skills have no notifications of their
// own in their specification; their files are resources.
func (s *Server) follow() {
	for _, t := range s.config.Registry.Toolsets() {
		if t.OnChange != nil {
			t.OnChange(func(uris []string) { s.changed(t, uris) })
		}
	}
}

// follows calls is for the toolsets that can change, and reports whether it returns true for
// any of them.
func (s *Server) follows(is func(*rpc.Toolset) bool) bool {
	return slices.ContainsFunc(s.config.Registry.Toolsets(), func(t *rpc.Toolset) bool { return t.OnChange != nil && is(t) })
}

func anyToolset(*rpc.Toolset) bool { return true }

// hasLists reports whether a toolset lists resources or prompts.
func hasLists(t *rpc.Toolset) bool {
	_, ok := t.Resources.(rpc.ResourceLister)
	return ok || len(t.Prompts) > 0
}

// changed notifies clients of changed texts of a toolset.
func (s *Server) changed(t *rpc.Toolset, uris []string) {
	for _, uri := range uris {
		_ = s.sdk.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri}) // the SDK logs errors
	}
	if !hasLists(t) {
		return
	}
	// The SDK sends a list notification when an item is added, even if the same item was
	// added before.
	s.addResources()
	s.addPrompts()
}
