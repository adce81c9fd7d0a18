package bench

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/rpc"
)

// answer is what the questions look at in a result. A member that is missing is nil or
// zero.
type answer struct {
	Hash       string `json:"hash"`
	Count      *int   `json:"count"`
	Items      *list  `json:"items"`
	Item       entry  `json:"item"`
	UpToDate   bool   `json:"upToDate"`
	Added      *list  `json:"added"`
	Updated    *list  `json:"updated"`
	Removed    *list  `json:"removed"`
	ID         string `json:"id"`
	UsageCount int    `json:"usageCount"`
	InMemory   bool   `json:"inMemory"`
	IssueCount *int   `json:"issueCount"`
}

type entry struct {
	ID string `json:"id"`
}

// list is a long array, of which only the length and the id of the first element are
// kept: a result may have a gigabyte.
type list struct {
	length int
	first  string
}

// UnmarshalJSONFrom implements [json.UnmarshalerFrom].
func (l *list) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if token, err := d.ReadToken(); err != nil || token.Kind() != '[' {
		return cmp.Or(err, fmt.Errorf("got %s, want a list", token))
	}
	for ; d.PeekKind() != ']'; l.length++ {
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		var e entry
		if l.length == 0 && json.Unmarshal(value, &e) == nil {
			l.first = e.ID
		}
	}
	_, err := d.ReadToken()
	return err
}

// has reports whether the list is present and has this length.
func (l *list) has(length int) bool { return l != nil && l.length == length }

// finds reports whether so many entries matched and so many are served.
func (a *answer) finds(count, items int) bool {
	return a.Count != nil && *a.Count == count && a.Items.has(items)
}

// readAnswer reads a result.
func readAnswer(r io.Reader) (*answer, error) {
	var a answer
	return &a, json.UnmarshalRead(r, &a)
}

// readResponse reads the result in a response of JSON-RPC 2.0.
func readResponse(r io.Reader) (*answer, error) {
	var response struct {
		Result answer         `json:"result"`
		Error  jsontext.Value `json:"error"`
	}
	err := json.UnmarshalRead(r, &response)
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
