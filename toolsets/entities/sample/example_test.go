package sample_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/sample"
)

// Try the toolset out without a real backend.
func ExampleHandler() {
	server := httptest.NewServer(sample.Handler())
	defer server.Close()
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	page, err := client.Entities(context.Background(), "00000000-0000-4000-a000-000000000001",
		entities.EntityFilter{}, entities.PageRequest{Page: 1, Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Rows), page.HasMore())
	// Output: 1 true
}
