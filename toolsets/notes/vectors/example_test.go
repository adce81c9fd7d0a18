package vectors_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/sample"
	"instruction-catalog/toolsets/notes/vectors"
)

func ExampleIndex_Search() {
	snapshot := notes.NewSnapshot([]*notes.Note{
		notes.NewNote("a.md", []byte("A thought about the network.")),
		notes.NewNote("b.md", []byte("Where the data is kept: on disk.")),
	}, nil)
	index := vectors.New(vectors.Config{
		Embedder: sample.NewEmbedder(""),
		Notes:    func(context.Context) (*notes.Snapshot, error) { return snapshot, nil },
		Log:      slog.New(slog.DiscardHandler),
	})
	if err := index.Refresh(context.Background()); err != nil {
		log.Fatal(err)
	}
	matches, err := index.Search(context.Background(), snapshot, "durable storing of facts", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range matches {
		fmt.Printf("%s %.2f\n", m.ID, m.Score)
	}
	// Output: b.md 0.95
}
