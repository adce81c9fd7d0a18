package v1_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// BenchmarkGraph measures a call for a graph of 100 nodes, including its one request.
func BenchmarkGraph(b *testing.B) {
	server := httptest.NewServer(fakebackend.New(hub(99)).Canned())
	defer server.Close()
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		b.Fatal(err)
	}
	registry := registryOn(b, client, &strings.Builder{})
	for b.Loop() {
		if _, err := registry.Call(context.Background(), "entities/get_entity_graph", json.RawMessage(withEntity(""))); err != nil {
			b.Fatal(err)
		}
	}
}
