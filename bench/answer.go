package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"

	"instruction-catalog/rpc"
)

// answer is what the questions look at in a result: the members as they are,
// and of long arrays only how long they are and how they begin, since a result
// may be a gigabyte.
type answer struct {
	members map[string]json.RawMessage
	arrays  map[string]array
}

type array struct {
	length int
	first  json.RawMessage
}

// number returns a member that is a number, or -1.
func (a *answer) number(member string) int {
	n := -1
	if json.Unmarshal(a.members[member], &n) != nil {
		return -1
	}
	return n
}

// text returns a member that is a string, or "".
func (a *answer) text(member string) string {
	var s string
	if json.Unmarshal(a.members[member], &s) != nil {
		return ""
	}
	return s
}

// is reports whether a member is true.
func (a *answer) is(member string) bool { return string(a.members[member]) == "true" }

// has reports whether an array is there and has this length.
func (a *answer) has(member string, length int) bool {
	array, ok := a.arrays[member]
	return ok && array.length == length
}

// finds reports whether so many entries matched and so many are served.
func (a *answer) finds(count, items int) bool {
	return a.number("count") == count && a.has("items", items)
}

// changes reports whether these are the lengths of the three lists of a diff.
func (a *answer) changes(added, updated, removed int) bool {
	return a.has("added", added) && a.has("updated", updated) && a.has("removed", removed)
}

// idOf returns the id of an encoded entry, or "".
func idOf(entry json.RawMessage) string {
	var e struct{ ID string }
	if json.Unmarshal(entry, &e) != nil {
		return ""
	}
	return e.ID
}

// readAnswer reads a result.
func readAnswer(r io.Reader) (*answer, error) {
	a := &answer{members: map[string]json.RawMessage{}, arrays: map[string]array{}}
	return a, eachMember(json.NewDecoder(r), a.readMember)
}

// readResponse reads the result in a response of JSON-RPC 2.0.
func readResponse(r io.Reader) (*answer, error) {
	a := &answer{members: map[string]json.RawMessage{}, arrays: map[string]array{}}
	err := eachMember(json.NewDecoder(r), func(d *json.Decoder, name string) error {
		if name == "result" {
			return eachMember(d, a.readMember)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil || name != "error" {
			return err
		}
		return fmt.Errorf("the server says: %s", value)
	})
	return a, err
}

// eachMember reads an object; use reads the value of each member.
func eachMember(d *json.Decoder, use func(d *json.Decoder, name string) error) error {
	if err := expect(d, '{'); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if err := use(d, name.(string)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return expect(d, '}')
}

// lists are the members that are read element by element.
var lists = map[string]bool{"items": true, "added": true, "updated": true, "removed": true, "changed": true}

func (a *answer) readMember(d *json.Decoder, name string) error {
	if !lists[name] {
		var value json.RawMessage
		err := d.Decode(&value)
		a.members[name] = value
		return err
	}
	if err := expect(d, '['); err != nil {
		return err
	}
	var list array
	var element json.RawMessage
	for d.More() {
		if err := d.Decode(&element); err != nil {
			return err
		}
		if list.length++; list.length == 1 {
			list.first = bytes.Clone(element)
		}
	}
	a.arrays[name] = list
	return expect(d, ']')
}

func expect(d *json.Decoder, want json.Delim) error {
	token, err := d.Token()
	if err == nil && token != want {
		err = fmt.Errorf("%v stands where %v should", token, want)
	}
	return err
}

// reader reads a value piece by piece.
type reader struct {
	pieces rpc.JSON
	offset int // in the first piece
}

func (r *reader) Read(p []byte) (int, error) {
	total := 0
	for total < len(p) && len(r.pieces) > 0 {
		n := copy(p[total:], r.pieces[0][r.offset:])
		total += n
		if r.offset += n; r.offset == len(r.pieces[0]) {
			r.pieces, r.offset = r.pieces[1:], 0
		}
	}
	if total == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return total, nil
}

// digest is a fingerprint of a value, valid for as long as the process runs.
func digest(value rpc.JSON) uint64 {
	var h maphash.Hash
	h.SetSeed(digestSeed)
	for _, piece := range value {
		_, _ = h.Write(piece)
	}
	return h.Sum64()
}

var digestSeed = maphash.MakeSeed()
