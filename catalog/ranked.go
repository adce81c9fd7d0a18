package catalog

import (
	"cmp"
	"slices"
	"strings"

	"instruction-catalog/catalog/search/fold"
	"instruction-catalog/catalog/search/ranked"
)

// Ranked is the result of a ranked search, or a page of it.
type Ranked struct {
	Entries    []*Entry       // best first
	Scores     []ranked.Score // the score of each entry
	Count      int            // number of results on all pages
	Duplicates Duplicates     // set by MergeEqual

	snapshot *Snapshot
	question digest
	filter   Filter
	result   *ranked.Result
	early    map[*Entry]bool // entries that add skips: replacements added before their rank, and deprecated entries with a replacement
}

// Ranked returns the entries that best match the words of q, apart from stop words, in
// id, title, categories, summary or body. It omits entries that score far below the best
// one. Unless the catalog is small, it returns no entries if the best score is low.
// Entries with equal scores are in the order of [CompareForce].
//
// An entry whose id is q comes first, with the maximum score. A deprecated entry comes
// after its replacement, which is included even if it does not match q, but not if it
// fails f. If q is blank, Ranked returns all entries that pass f, with score 0. The
// first ranked search builds a separate index.
func (s *Snapshot) Ranked(q string, f Filter) *Ranked { return s.RankedWith(q, f, Similar{}) }

// RankedWith is like [Snapshot.Ranked] and also ranks the entries that are similar to q.
func (s *Snapshot) RankedWith(q string, f Filter, similar Similar) *Ranked {
	f.Category = strings.ToLower(f.Category)
	ranking := s.ranking()
	r := &Ranked{snapshot: s, question: questionOf(q, f), filter: f, result: ranking.index.Rank(q), early: map[*Entry]bool{}}
	if strings.TrimSpace(q) == "" {
		for _, e := range ranking.entries {
			r.add(e, 0)
		}
		return r
	}
	named := s.named(strings.TrimSpace(q))
	if named != nil {
		r.add(named, ranked.MaxScore)
	}
	for _, hit := range ranking.fused(r.result.Hits, similar) {
		if hit.entry != named {
			r.add(hit.entry, hit.score)
		}
	}
	return r
}

// named returns the entry whose id is q, or nil if there is none. It accepts the
// spelling in the entry's file and ignores case.
func (s *Snapshot) named(q string) *Entry {
	e, ok := s.Get(q)
	if !ok {
		e, _ = s.Get(fold.String(q))
	}
	return e
}

// add adds an entry if it passes the filter and has not been added ahead of its rank. It
// first adds the replacement of a deprecated entry.
func (r *Ranked) add(e *Entry, score ranked.Score) {
	if r.early[e] || !r.filter.passes(e) {
		return
	}
	if e.DeprecatedBy != "" {
		r.early[e] = true // also ends the recursion if replacements form a cycle
		if successor := r.snapshot.named(e.DeprecatedBy); successor != nil && !slices.Contains(r.Entries, successor) {
			r.add(successor, score)
			r.early[successor] = true
		}
	}
	r.Entries = append(r.Entries, e)
	r.Scores = append(r.Scores, score)
	r.Count++
}

// SortByPriority sorts the results in the order of [SortPriority].
func (r *Ranked) SortByPriority() {
	r.question = r.question.byPriority()
	score := r.scores()
	slices.SortFunc(r.Entries, comparePriority)
	r.rescore(score)
}

// MergeEqual keeps only the first of the entries with the same body. It records the
// others in Duplicates.
func (r *Ranked) MergeEqual() {
	r.question = r.question.merged()
	score := r.scores()
	r.Entries, r.Duplicates = mergeEqual(r.Entries)
	r.rescore(score)
	r.Count = len(r.Entries)
}

// scores returns the score of each entry, for [Ranked.rescore].
func (r *Ranked) scores() map[*Entry]ranked.Score {
	score := make(map[*Entry]ranked.Score, len(r.Entries))
	for i, e := range r.Entries {
		score[e] = r.Scores[i]
	}
	return score
}

func (r *Ranked) rescore(score map[*Entry]ranked.Score) {
	r.Scores = make([]ranked.Score, len(r.Entries))
	for i, e := range r.Entries {
		r.Scores[i] = score[e]
	}
}

// Page returns up to limit of the results that follow the cursor, and the cursor of the
// next page. If limit is 0, it returns all that follow. The cursor of the next page is
// empty on the last page. The errors are [ErrCursorForm], [ErrCursorStale] and
// [ErrCursorOther].
func (r *Ranked) Page(limit int, after Cursor) (*Ranked, Cursor, error) {
	l := ordered{r.snapshot, r.question, r.Entries}
	start, err := l.after(after)
	if err != nil {
		return nil, "", err
	}
	end, next := l.cut(start, limit)
	page := *r
	page.Entries, page.Scores = r.Entries[start:end], r.Scores[start:end]
	return &page, next, nil
}

// Snippet returns the part of an entry's body that best covers the query, in at most
// length characters. If only other fields match, it returns the beginning of the body.
func (r *Ranked) Snippet(e *Entry, length int) Snippet {
	reach := length * 2 / 3 // bytes; a snippet shows about two thirds of its text after the match
	body := e.Body.Text()
	return snippetAround(body, length, r.result.Window(body, reach), r.result.Locate(body))
}

// CompareForce orders entries by requirement: critical, mandatory, recommended,
// optional, deprecated; then by priority, 1 first; then by id.
func CompareForce(a, b *Entry) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Requirements(), a.Requirement), slices.Index(Requirements(), b.Requirement)),
		cmp.Compare(a.Priority, b.Priority),
		strings.Compare(string(a.ID), string(b.ID)),
	)
}

// ranking is the index of ranked search. The position of an entry in entries is the
// number of its document in the index.
type ranking struct {
	index   *ranked.Index
	entries []*Entry
}

func (s *Snapshot) buildRanking() ranking {
	entries := slices.SortedFunc(slices.Values(s.entries), CompareForce)
	key := func(i int) string {
		e := entries[i]
		fields := append([]string{string(e.ID), e.Title, e.SemanticSummary, string(e.SourceHash)}, e.Categories...)
		return strings.Join(fields, "\x00")
	}
	index := ranked.New(len(entries), key, func(i int) ranked.Document {
		e := entries[i]
		return ranked.Document{
			ID: string(e.ID), Title: e.Title, Categories: strings.Join(e.Categories, " "),
			Summary: e.SemanticSummary, Body: e.Body.Text(),
		}
	}, s.ranked.Load())
	s.ranked.Store(index)
	return ranking{index, entries}
}
