package bench

import (
	"encoding/json"
	"fmt"
)

// The questions that a result is summed up by.
const (
	searchRare   = "search rare"
	searchAbsent = "search absent"
)

// questionCount is how many [questions] there are.
const questionCount = 8

// question is one thing to measure: a call, and what its answer must be, so
// that nothing is measured but the right answer.
type question struct {
	name   string
	method string
	params json.RawMessage
	want   func(*answer) bool
	// brief: the answer is short, so that the machine's moods weigh more than
	// the work, and many rounds are needed.
	brief bool
	// readsFiles: the server has to look at every file, and so does the floor.
	readsFiles bool
}

// rounds is how often the question is asked.
func (q *question) rounds(iterations int) int {
	switch {
	case q.brief:
		return 10 * iterations
	case q.readsFiles:
		return fewer(iterations)
	}
	return iterations
}

// answer holds what the questions look at in results of all methods.
type answer struct {
	Count      int               `json:"count"`
	Items      []json.RawMessage `json:"items"`
	Item       json.RawMessage   `json:"item"`
	Added      []json.RawMessage `json:"added"`
	Updated    []json.RawMessage `json:"updated"`
	Removed    []string          `json:"removed"`
	IssueCount int               `json:"issueCount"`
}

// known is what a client remembers of an entry.
type known struct {
	ID         string `json:"id"`
	SourceHash string `json:"sourceHash"`
}

// listing is a result of instructions/list with nothing but hashes.
type listing struct{ Items []known }

// questions returns what is asked about a catalog with these entries.
func questions(entries []known) []question {
	n := len(entries)
	stale, outdated := outdate(entries)
	return []question{
		search(searchRare, RareTerm, true, func(a *answer) bool { return a.Count == 1 && len(a.Items) == 1 }),
		search(searchAbsent, AbsentTerm, true, func(a *answer) bool { return a.Count == 0 }),
		search("search common", CommonTerm, false, func(a *answer) bool { return a.Count > 0 && len(a.Items) == a.Count }),
		{name: "list", method: "instructions/list", params: encode(struct{}{}),
			want: func(a *answer) bool { return a.Count == n && len(a.Items) == n }},
		{name: "get", method: "instructions/get", params: encode(map[string]string{"id": entries[n/2].ID}), brief: true,
			want: func(a *answer) bool { return len(a.Item) > 0 }},
		{name: "diff unchanged", method: "instructions/diff", params: encode(map[string]any{"known": entries}),
			want: func(a *answer) bool { return len(a.Added)+len(a.Updated)+len(a.Removed) == 0 }},
		{name: "diff 10% stale", method: "instructions/diff", params: encode(map[string]any{"known": stale}),
			want: func(a *answer) bool { return len(a.Updated) == outdated && len(a.Added)+len(a.Removed) == 0 }},
		{name: "verify", method: "integrity/verify", params: encode(struct{}{}), readsFiles: true,
			want: func(a *answer) bool { return a.Count == n && a.IssueCount == 0 }},
	}
}

func search(name, term string, brief bool, want func(*answer) bool) question {
	return question{name: name, method: "instructions/search", params: encode(map[string]string{"q": term}), brief: brief, want: want}
}

// outdate returns a copy of the entries in which every tenth, the first
// included, has another hash, and how many those are.
func outdate(entries []known) ([]known, int) {
	stale, outdated := append([]known(nil), entries...), 0
	for i := 0; i < len(stale); i += 10 {
		stale[i].SourceHash = fmt.Sprintf("%064d", i)
		outdated++
	}
	return stale, outdated
}

// line is the question as a request of JSON-RPC 2.0.
func (q *question) line() []byte {
	return append(encode(map[string]any{"jsonrpc": "2.0", "id": 1, "method": q.method, "params": q.params}), '\n')
}

// checkLine looks at the line that answers the question.
func (q *question) checkLine(line []byte) error {
	var response struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(line, &response); err != nil {
		return fmt.Errorf("%s: the answer is no JSON: %w", q.name, err)
	}
	if response.Error != nil {
		return fmt.Errorf("%s: the server answered with an error: %s", q.name, response.Error)
	}
	return q.checkResult(response.Result)
}

// checkResult looks at the result that answers the question.
func (q *question) checkResult(result []byte) error {
	var a answer
	if err := json.Unmarshal(result, &a); err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	if !q.want(&a) {
		return fmt.Errorf("%s: this is not the right answer for the generated catalog: %.300s", q.name, result)
	}
	return nil
}

// encode encodes what cannot fail: strings, numbers and JSON.
func encode(v any) json.RawMessage {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic("bench: " + err.Error())
	}
	return encoded
}
