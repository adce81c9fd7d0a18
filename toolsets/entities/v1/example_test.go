package v1_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/http/httptest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/sample"
	"instruction-catalog/toolsets/entities/v1"
)

// A server offers the toolset of one of the two contracts.
func ExampleNew() {
	server := httptest.NewServer(sample.Handler())
	defer server.Close()
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		log.Fatal(err)
	}
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	if err := registry.Add(v1.New(client, slog.New(slog.DiscardHandler))); err != nil {
		log.Fatal(err)
	}
	params := `{"projectId": "00000000-0000-4000-a000-000000000001", "entityId": "00000000-0000-4000-a000-000000000007"}`
	_, failure := registry.Call(context.Background(), "entities/get_entity", json.RawMessage(params))
	shape, err := json.Marshal(failure.Data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(failure.Code)
	fmt.Println(string(shape))
	// Output:
	// -32001
	// {"error":{"code":"ENTITY_NOT_FOUND","message":"Entity not found in this project: search_entities lists its entities."}}
}
