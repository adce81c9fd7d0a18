package httpapi_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// Request a page of one project's entities.
func ExampleNew() {
	server := httptest.NewServer(fakebackend.New(fakebackend.Sample()))
	defer server.Close()
	client, err := httpapi.New(server.URL, "a bearer token")
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	page, err := client.Entities(context.Background(), fakebackend.DefaultProject,
		entities.EntityFilter{Search: "rye"}, entities.PageRequest{Page: 1, Limit: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range page.Rows {
		fmt.Println(e.EntityType, e.Title)
	}
	fmt.Println(page.Total, page.HasMore())
	// Output:
	// news Rye is scarce
	// concept Rye or wheat flour
	// 3 true
}
