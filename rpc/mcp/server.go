package mcp

import (
	"context"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// ToolChoice says which methods agents are offered as tools.
type ToolChoice string

// The choices.
const (
	DefaultTools ToolChoice = "default" // those that agents need
	LeanTools    ToolChoice = "lean"    // the same without the schemas of their results
	AllTools     ToolChoice = "all"
	NoTools      ToolChoice = "none"
)

// Config configures a [Server].
type Config struct {
	Registry    *rpc.Registry // which is complete
	Name, Title string        // of the server
	Version     string        // of the program
	Tools       ToolChoice
	Log         *slog.Logger
}

// Server speaks MCP for a registry. It is safe for concurrent
// use, and it is an [rpc.Protocol].
type Server struct {
	config  Config
	library library
	sdk     *mcp.Server
	offered func() map[string]*rpc.Method // the tools; made at the first call
	tools   func()                        // adds them, once
	measure sync.Once                     // guards the log line about their size
}

var _ rpc.Protocol = (*Server)(nil)

// New returns a server. It refuses methods whose names MCP needs.
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
	if s.follows() {
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

// capabilities are those of all toolsets. They are declared rather than left to
// the SDK to infer, because tools are not added before a client asks for them.
func (s *Server) capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{Completions: &mcp.CompletionCapabilities{}}
	changes := s.follows()
	addLogging(c)
	for _, t := range s.config.Registry.Toolsets() {
		if t.Resources != nil {
			c.Resources = &mcp.ResourceCapabilities{Subscribe: changes, ListChanged: changes}
		}
		if len(t.Prompts) > 0 {
			c.Prompts = &mcp.PromptCapabilities{ListChanged: changes}
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

// follow notifies clients of changes in the toolsets: those that subscribed to a
// resource, that it was updated, and those that listen for list changes, that there
// are other resources and prompts. A skill consists of resources, and its
// specification has no notification of its own.
func (s *Server) follow() {
	for _, t := range s.config.Registry.Toolsets() {
		if t.OnChange != nil {
			t.OnChange(s.changed)
		}
	}
}

// follows reports whether any toolset can change.
func (s *Server) follows() bool {
	for _, t := range s.config.Registry.Toolsets() {
		if t.OnChange != nil {
			return true
		}
	}
	return false
}

func (s *Server) changed(uris []string) {
	for _, uri := range uris {
		_ = s.sdk.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it logs what fails
	}
	// The SDK sends list notifications when one of its own lists changes, and takes
	// adding the same item again for a change.
	s.addResources()
	s.addPrompts()
}
