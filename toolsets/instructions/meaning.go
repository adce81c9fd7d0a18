package instructions

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/rpc"
)

// Limits of the comparison by meaning.
const (
	patience   = 2 * time.Second // for computing the vector of a query; after it, only words are compared
	maxSimilar = 100             // number of entries that count as similar to a query
)

// An entry is found even if no words fit, if it is clearly more similar to the query
// than most entries are. In a small catalog, any similarity is enough, just as any
// matching word is.
const (
	leastDeviations = 4
	leastCosine     = 0.3
	smallCatalog    = 20
)

// meaning finds the entries that are similar to a query. A nil meaning finds none.
type meaning struct {
	index *vectors.Index
	log   *slog.Logger
}

func newMeaning(config *vectors.Config, store *catalog.Store) *meaning {
	if config == nil {
		return nil
	}
	c := *config
	c.Name = "instructions"
	c.Documents = func(context.Context) (vectors.Documents, error) {
		if s := store.Loaded(); s != nil {
			return documents{s}, nil
		}
		return nil, nil
	}
	return &meaning{vectors.New(c), c.Log}
}

// lane returns the lane of searches. A search that waits for an embedder must not delay
// other calls.
func (m *meaning) lane() rpc.Lane {
	if m == nil {
		return rpc.Inline
	}
	return rpc.Concurrent
}

func (m *meaning) start() {
	if m != nil {
		m.index.Start()
	}
}

func (m *meaning) close() error {
	if m == nil {
		return nil
	}
	return m.index.Close()
}

// nearest returns the entries whose meaning is closest to query. It returns none if the
// embedder fails or is slow, which it logs.
func (m *meaning) nearest(ctx context.Context, s *catalog.Snapshot, query string) (similar catalog.Similar) {
	if m == nil || strings.TrimSpace(query) == "" || m.index.Empty(documents{s}) {
		return similar
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	matches, err := m.index.Search(ctx, documents{s}, query, maxSimilar)
	if err != nil {
		m.log.Warn("a search compared words only", "error", err)
	}
	small := len(s.Entries()) <= smallCatalog
	for _, match := range matches {
		similar.Entries = append(similar.Entries, s.Entries()[match.Position])
		if small && match.Score > 0 || match.Deviations >= leastDeviations && match.Score >= leastCosine {
			similar.Clear++
		}
	}
	return similar
}

// documents are the entries of a snapshot, to be found by meaning.
type documents struct{ *catalog.Snapshot }

// Len implements [vectors.Documents].
func (d documents) Len() int { return len(d.Entries()) }

// At implements [vectors.Documents].
func (d documents) At(i int) vectors.Document { return document{d.Entries()[i]} }

type document struct{ *catalog.Entry }

// Text implements [vectors.Document]. The heading is the title, the summary and the
// categories.
func (d document) Text() (heading, content string) {
	heading = d.Title
	for _, more := range []string{d.SemanticSummary, strings.Join(d.Categories, ", ")} {
		if more != "" {
			heading += "\n" + more
		}
	}
	return heading, d.Body.Text()
}
