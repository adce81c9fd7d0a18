package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/rpc"
)

// Names used in reports for the questions. All searches except the ranked ones count
// all matches.
const (
	searchRare         = "search rare"
	searchAbsent       = "search absent"
	searchCommon       = "search common"
	searchEighth       = "search 13%"
	searchNearlyAll    = "search 97%"
	searchRanked       = "search ranked"        // the ten best matches of three words, one of which is in a single entry
	searchRankedCommon = "search ranked common" // the ten best matches of three common words

	listAll       = "list"
	listCategory  = "list category"
	getOne        = "get"
	diffByHash    = "diff by hash"   // the client sends the hash of the catalog, and nothing changed
	diffUnchanged = "diff unchanged" // the client sends the hash of each entry, and nothing changed
	diffStale     = "diff 10% stale" // like diffUnchanged, but every tenth entry changed
	trackOne      = "track"
	verifyAll     = "verify"
)

// Limits in requests for pages and ranked searches.
const (
	pageSize   = 50
	rankedSize = 10
)

// maxKnown is the largest number of entries that a request of instructions/diff may name.
const maxKnown = 150_000

// question is a call to measure and a check of its answer.
type question struct {
	name   string
	method string
	params json.RawMessage
	want   func(*answer) bool
	// brief means that the answer is short. Noise then outweighs the work, so many
	// rounds are needed.
	brief bool
	// readsFiles means that the server must read every file; so must the floor.
	readsFiles bool
	// varies means that the length of the answer may change from one call to the next.
	varies bool
}

// params are the params of a question.
type params map[string]any

// questions returns the questions about a catalog, ordered so that no answer changes a
// later one.
func questions(c *corpus) []question {
	all := []question{
		search(searchRare, RareTerm, true, c), search(searchAbsent, AbsentTerm, true, c), search(searchCommon, CommonTerm, false, c),
		search(searchEighth, c.form.eighth, false, c), search(searchNearlyAll, c.form.nearlyAll, false, c),
	}
	all = append(all, pages(c)...)
	all = append(all,
		bestOf(searchRanked, RareTerm+" "+CommonTerm+" better", func(a *answer) bool {
			return a.Count != nil && *a.Count > 0 && len(a.Items) > 0 && a.Items[0].ID == c.rare
		}),
		// The tests of the ranking check which entries are the best.
		bestOf(searchRankedCommon, "test the "+CommonTerm, func(a *answer) bool {
			return a.Count != nil && a.Items.has(min(*a.Count, rankedSize))
		}),
		question{name: listAll, method: "instructions/list", params: encode(params{}),
			want: func(a *answer) bool { return a.finds(c.entries, c.entries) && a.Hash == c.hash }},
		question{name: listCategory, method: "instructions/list", params: encode(params{"category": category}),
			want: func(a *answer) bool { return a.finds(c.category, c.category) }},
		question{name: getOne, method: "instructions/get", params: encode(params{"id": c.some}), brief: true,
			want: func(a *answer) bool { return a.Item.ID == c.some }},
		question{name: diffByHash, method: "instructions/diff", params: encode(params{"clientHash": c.hash}), brief: true,
			want: func(a *answer) bool { return a.UpToDate }},
	)
	if c.known != nil {
		all = append(all, diff(diffUnchanged, c.known, 0), diff(diffStale, outdate(c.known), (c.entries+9)/10))
	}
	return append(all, track(trackOne, c),
		question{name: verifyAll, method: "integrity/verify", params: encode(params{}), readsFiles: true,
			want: func(a *answer) bool {
				return a.Count != nil && *a.Count == c.entries && a.IssueCount != nil && *a.IssueCount == 0
			}},
	)
}

// questionCount returns the number of questions about a catalog of size entries.
func questionCount(size int) int {
	if size > maxKnown {
		return 27
	}
	return 29
}

func search(name, term string, brief bool, c *corpus) question {
	return question{name: name, method: "instructions/search", params: encode(params{"q": term}), brief: brief,
		want: func(a *answer) bool { return a.finds(c.with[term], c.with[term]) }}
}

// pageTerms are the search terms of the pages.
var pageTerms = []struct{ name, term string }{
	{"one byte", oneByteTerm}, {"two bytes", twoByteTerm}, {"absent two bytes", absentTwoByteTerm},
	{"common", CommonTerm}, {"rare", RareTerm}, {"two words", twoWordTerm}, {"across sentences", acrossTerm},
}

// pages returns the questions for the first pages of matches. Those named "page …"
// request the count of all matches. Those named "first page …" do not, so the server
// need not look beyond one page.
func pages(c *corpus) (all []question) {
	for _, p := range pageTerms {
		found := c.with[p.term]
		all = append(all, question{name: "page " + p.name, method: "instructions/search",
			params: encode(params{"q": p.term, "limit": pageSize}),
			want:   func(a *answer) bool { return a.finds(found, min(found, pageSize)) }})
	}
	for _, p := range pageTerms {
		served := min(c.with[p.term], pageSize)
		all = append(all, question{name: "first page " + p.name, method: "instructions/search", brief: true,
			params: encode(params{"q": p.term, "limit": pageSize, "count": false}),
			want:   func(a *answer) bool { return a.Count == nil && a.Items.has(served) }})
	}
	return all
}

func bestOf(name, words string, want func(*answer) bool) question {
	return question{name: name, method: "instructions/search", brief: true, want: want,
		params: encode(params{"q": words, "mode": "ranked", "limit": rankedSize})}
}

// diff returns the question of a client that sends the hash of each entry it has.
func diff(name string, entries []known, updated int) question {
	return question{name: name, method: "instructions/diff", params: encode(params{"known": entries}),
		want: func(a *answer) bool { return a.Added.has(0) && a.Updated.has(updated) && a.Removed.has(0) }}
}

// outdate returns a copy of entries in which every tenth, starting with the first, has
// another hash.
func outdate(entries []known) []known {
	stale := slices.Clone(entries)
	for i := 0; i < len(stale); i += 10 {
		stale[i].SourceHash = fmt.Sprintf("%064d", i)
	}
	return stale
}

func track(name string, c *corpus) question {
	return question{name: name, method: "usage/track", params: encode(params{"id": c.some}), brief: true, varies: true,
		want: func(a *answer) bool {
			return a.ID == c.some && a.UsageCount > 0 && !a.InMemory
		}}
}

// rounds returns how many times to ask the question.
func (q *question) rounds(iterations int) int {
	switch {
	case q.brief:
		return 10 * iterations
	case q.readsFiles:
		return fewer(iterations)
	}
	return iterations
}

// line returns the question as a line with a JSON-RPC 2.0 request.
func (q *question) line() []byte {
	return append(encode(params{"jsonrpc": "2.0", "id": 1, "method": q.method, "params": q.params}), '\n')
}

// checkLine checks a response line.
func (q *question) checkLine(line []byte) error { return q.check(rpc.JSON{line}, readResponse) }

// checkResult checks a result.
func (q *question) checkResult(result rpc.JSON) error { return q.check(result, readAnswer) }

func (q *question) check(answer rpc.JSON, read func(io.Reader) (*answer, error)) error {
	a, err := read(reader(answer))
	if err == nil && !q.want(a) {
		err = errors.New("this is not the right answer for the generated catalog")
	}
	if err != nil {
		beginning, _ := io.ReadAll(io.LimitReader(reader(answer), 300))
		return fmt.Errorf("%s: %w: %s", q.name, err, beginning)
	}
	return nil
}

// encode encodes strings, numbers and JSON. It panics on an error, which cannot happen
// for these.
func encode(v any) json.RawMessage {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic("bench: " + err.Error())
	}
	return encoded
}

// answer has the members of a result that questions check. A missing member is nil or
// zero.
type answer struct {
	Hash       string `json:"hash"`
	Count      *int   `json:"count"`
	Items      list   `json:"items"`
	Item       entry  `json:"item"`
	UpToDate   bool   `json:"upToDate"`
	Added      list   `json:"added"`
	Updated    list   `json:"updated"`
	Removed    list   `json:"removed"`
	ID         string `json:"id"`
	UsageCount int    `json:"usageCount"`
	InMemory   bool   `json:"inMemory"`
	IssueCount *int   `json:"issueCount"`
}

type entry struct {
	ID string `json:"id"`
}

type list []entry

// has reports whether the list is present and has this length.
func (l list) has(length int) bool { return l != nil && len(l) == length }

// finds reports whether the answer has this count of matches and this many items.
func (a *answer) finds(count, items int) bool {
	return a.Count != nil && *a.Count == count && a.Items.has(items)
}

// readAnswer decodes a result.
func readAnswer(r io.Reader) (*answer, error) {
	var a answer
	return &a, jsonv2.UnmarshalRead(r, &a)
}

// readResponse decodes the result in a JSON-RPC 2.0 response. It returns an error in
// the response as an error.
func readResponse(r io.Reader) (*answer, error) {
	var response struct {
		Result answer         `json:"result"`
		Error  jsontext.Value `json:"error"`
	}
	err := jsonv2.UnmarshalRead(r, &response)
	if err == nil && response.Error != nil {
		err = fmt.Errorf("the server answers with the error %s", response.Error)
	}
	return &response.Result, err
}

// reader returns a reader of a value.
func reader(value rpc.JSON) io.Reader {
	pieces := make([]io.Reader, len(value))
	for i, piece := range value {
		pieces[i] = bytes.NewReader(piece)
	}
	return io.MultiReader(pieces...)
}
