package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// follow has clients told of what changes in the toolsets: those that subscribed to
// a resource, that it was updated, and those that hear of such things, that there
// are other resources and prompts. A skill is resources, and its specification has
// no notification of its own.
func (s *Server) follow() {
	for _, t := range s.config.Registry.Toolsets() {
		if t.OnChange != nil {
			t.OnChange(s.changed)
		}
	}
}

// follows reports whether anything of a toolset changes.
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
	// The SDK tells of lists when one of its own has changed, and takes what is added
	// again for that.
	s.addResources()
	s.addPrompts()
}
