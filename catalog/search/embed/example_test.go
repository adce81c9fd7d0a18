package embed_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"instruction-catalog/catalog/search/embed"
	"instruction-catalog/toolsets/notes/sample"
)

func ExampleOpen() {
	server := httptest.NewServer(sample.NewEmbedder(""))
	defer server.Close()
	e, err := embed.Open(server.URL+"/v1#model", "")
	if err != nil {
		log.Fatal(err)
	}
	vectors, err := e.Embed(context.Background(), []string{"the hub", "its centre", "a thought"})
	if err != nil {
		log.Fatal(err)
	}
	cosine := func(a, b embed.Vector) (sum float32) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	fmt.Println(cosine(vectors[0], vectors[1]), cosine(vectors[0], vectors[2]))
	// Output: 1 0
}
