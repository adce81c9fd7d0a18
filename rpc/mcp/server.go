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
	AllTools     ToolChoice = "all"
	NoTools      ToolChoice = "none"
)

// Config is what a server is made of.
type Config struct {
	Registry     *rpc.Registry
	Name, Title  string // of the server
	Version      string // of the program
	Instructions string // for the model: when to use this server
	Tools        ToolChoice
	Log          *slog.Logger
}

// Server speaks MCP for a registry. It is safe for concurrent
// use, and it is an [rpc.Protocol].
type Server struct {
	config  Config
	library library
	sdk     *mcp.Server
	offered func() map[string]*rpc.Method // the tools; made at the first call
	tools   func()                        // adds them, once
}

var _ rpc.Protocol = (*Server)(nil)

// New returns a server. It looks at neither methods nor library yet: the
// handshake needs none of them.
func New(config Config) *Server {
	s := &Server{config: config, library: library{config.Registry}}
	s.offered = sync.OnceValue(func() map[string]*rpc.Method { return offered(config.Registry, config.Tools) })
	s.sdk = mcp.NewServer(
		&mcp.Implementation{Name: config.Name, Title: config.Title, Version: config.Version},
		&mcp.ServerOptions{
			Instructions:       config.Instructions,
			Logger:             slog.New(quiet{config.Log.Handler()}),
			Capabilities:       s.capabilities(),
			CompletionHandler:  s.complete,
			SubscribeHandler:   s.subscribe,
			UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
			SetCacheable:       cacheable,
		})
	s.tools = sync.OnceFunc(s.addTools)
	s.addResources()
	s.addPrompts()
	s.addSkills()
	s.sdk.AddReceivingMiddleware(s.guard, s.adapt)
	return s
}

// capabilities are declared rather than left to the SDK to infer, so that the
// handshake does not depend on what has been added yet.
func (s *Server) capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{
		Completions: &mcp.CompletionCapabilities{},
		Prompts:     &mcp.PromptCapabilities{},
		Resources:   &mcp.ResourceCapabilities{Subscribe: true},
		Extensions:  map[string]any{skillsExtension: struct{}{}},
	}
	addLogging(c)
	if s.config.Tools != NoTools {
		c.Tools = &mcp.ToolCapabilities{}
	}
	return c
}
