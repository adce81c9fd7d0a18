package v2_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// BenchmarkPage measures a call for a page of 100 entities. The metric "own" is the time
// beyond that of the same request without the toolset.
func BenchmarkPage(b *testing.B) {
	data := fakebackend.Random(1, 200, 0)
	summary := strings.Repeat("what it is about ", 6)
	for i := range data.Entities {
		data.Entities[i].Summary = &summary
	}
	server := httptest.NewServer(fakebackend.New(data).Canned())
	defer server.Close()
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		b.Fatal(err)
	}
	registry := registryOn(b, client, &strings.Builder{})
	own(b, registry, "entities/search_entities", with(`"limit":100`), server.URL+"/api/entities?limit=100&page=1")
}

// BenchmarkGraph measures a call for a graph of 100 nodes.
func BenchmarkGraph(b *testing.B) {
	data := fakebackend.Random(1, 2, 0)
	for i := 2; i <= 100; i++ {
		e := data.Entities[1]
		e.ID = fakebackend.ID('e', i)
		data.Entities = append(data.Entities, e)
		data.Relations = append(data.Relations, fakebackend.Relation{ID: fakebackend.ID('b', i), RelationType: "GUIDE_USES_CONCEPT", FromEntityType: "guide",
			FromEntityID: fakebackend.ID('e', 1), ToEntityType: "concept", ToEntityID: e.ID, ProjectID: project, CreatedAt: fakebackend.At(i)})
	}
	server := httptest.NewServer(fakebackend.New(data).Canned())
	defer server.Close()
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		b.Fatal(err)
	}
	registry := registryOn(b, client, &strings.Builder{})
	own(b, registry, "entities/get_entity_graph", withEntity(""), server.URL+"/api/entities/"+fakebackend.ID('e', 1)+"/graph?depth=1")
}

// own alternates calls and bare requests and measures both.
func own(b *testing.B, registry *rpc.Registry, method, params, url string) {
	var calls, bare time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := registry.Call(context.Background(), method, json.RawMessage(params)); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		resp, err := http.Get(url)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		calls, bare = calls+middle.Sub(start), bare+time.Since(middle)
	}
	b.ReportMetric(float64(calls.Microseconds()-bare.Microseconds())/float64(b.N), "own-µs/op")
	b.ReportMetric(float64(bare.Microseconds())/float64(b.N), "backend-µs/op")
}
