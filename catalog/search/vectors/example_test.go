package vectors_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/toolsets/notes/sample"
)

func ExampleIndex_Search() {
	documents := &texts{
		{"a", "A thought about the network."},
		{"b", "Where the data is kept: on disk."},
	}
	index := vectors.New(vectors.Config{
		Embedder:  sample.NewEmbedder(""),
		Documents: func(context.Context) (vectors.Documents, error) { return documents, nil },
		Log:       slog.New(slog.DiscardHandler),
	})
	if err := index.Refresh(context.Background()); err != nil {
		log.Fatal(err)
	}
	matches, err := index.Search(context.Background(), documents, "durable storing of facts", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range matches {
		fmt.Printf("%s %.2f\n", (*documents)[m.Position].heading, m.Score)
	}
	// Output: b 0.95
}
