package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// addResources adds the templates of the library to the SDK, each as a resource if it has
// no variable, otherwise as a resource template.
func (s *Server) addResources() {
	for _, t := range s.library.templates() {
		if t.Variable == "" {
			s.sdk.AddResource(&mcp.Resource{
				URI: t.URI, Name: t.Name, Title: t.Title, Description: t.Description, MIMEType: t.MIMEType,
			}, s.readResource)
			continue
		}
		s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: t.URI, Name: t.Name, Title: t.Title, Description: t.Description, MIMEType: t.MIMEType,
		}, s.readResource)
	}
}

// listResources answers with the pages of the library. On the first page, the single
// resources that the SDK lists come first.
func (s *Server) listResources(ctx context.Context, req *mcp.ListResourcesRequest, next mcp.MethodHandler) (mcp.Result, error) {
	var cursor string
	if req.Params != nil {
		cursor = req.Params.Cursor
	}
	page, following, err := s.library.resources(ctx, cursor)
	if err != nil {
		return nil, s.explain("resources/list", err)
	}
	result, err := next(ctx, "resources/list", &mcp.ListResourcesRequest{Session: req.Session, Extra: req.Extra})
	list, ok := result.(*mcp.ListResourcesResult)
	if err != nil || !ok {
		return result, err
	}
	if cursor != "" {
		list.Resources = []*mcp.Resource{} // they are on the first page; nil would be encoded as null
	}
	for _, r := range page {
		list.Resources = append(list.Resources, resourceOf(r))
	}
	list.NextCursor = following
	return list, nil
}

func resourceOf(r rpc.Resource) *mcp.Resource {
	annotations := &mcp.Annotations{LastModified: r.Modified, Priority: r.Priority}
	for _, role := range r.Audience {
		annotations.Audience = append(annotations.Audience, mcp.Role(role))
	}
	return &mcp.Resource{
		URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description,
		MIMEType: r.MIMEType, Size: r.Size, Annotations: annotations, Meta: r.Meta,
	}
}

func (s *Server) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	content, err := s.library.read(ctx, req.Params.URI)
	if errors.Is(err, rpc.ErrNoResource) {
		return nil, notThere(req.Params.URI, err)
	}
	if err != nil {
		return nil, s.explain("resources/read", err)
	}
	if failure := rpc.ReserveText(ctx, len(content.Text)+len(content.Blob)); failure != nil {
		return nil, wireError(failure)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: content.URI, MIMEType: content.MIMEType, Text: content.Text, Blob: content.Blob, Meta: content.Meta},
	}}, nil
}

// notThere returns the error for a URI without a resource. It encodes the data itself,
// because [mcp.ResourceNotFoundError] quotes the URI with Go syntax, which is not always
// valid JSON. If the cause is an [rpc.NoResource], the error names the nearest URIs.
func notThere(uri string, cause error) error {
	e := *mcp.ResourceNotFoundError(uri).(*jsonrpc.Error)
	data := struct {
		URI     string   `json:"uri"`
		Nearest []string `json:"nearest,omitempty"`
	}{URI: uri}
	if known, ok := errors.AsType[rpc.NoResource](cause); ok && len(known.Nearest) > 0 {
		data.Nearest = known.Nearest
		e.Message += ": the nearest are " + strings.Join(known.Nearest, ", ")
	}
	e.Data, _ = json.Marshal(data) // encoding strings cannot fail
	return &e
}

// subscribe accepts a subscription to every resource that can be read. It stores nothing:
// changes are reported to the SDK, which keeps the list of subscribers.
func (s *Server) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	_, err := s.library.read(ctx, req.Params.URI)
	if errors.Is(err, rpc.ErrNoResource) {
		return notThere(req.Params.URI, err)
	}
	if err != nil {
		return s.explain("resources/subscribe", err)
	}
	return nil
}
