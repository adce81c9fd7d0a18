package instructions

import (
	"bytes"
	"unsafe"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas/jsonscan"
)

// knownReader compares what a client knows with a snapshot, element by element.
// It is an [rpc.Listener].
type knownReader struct {
	snapshot   *catalog.Snapshot
	comparison *catalog.Comparison // nil before the first element
	array      []byte              // the whole text
}

// listen returns who hears what a client knows, once there is a catalog.
func (t *Toolset) listen() rpc.Listener {
	if s := t.store.Loaded(); s != nil {
		return &knownReader{snapshot: s}
	}
	return nil
}

// begun returns the comparison. Most who ask for a diff say nothing to compare.
func (r *knownReader) begun() *catalog.Comparison {
	if r.comparison == nil {
		r.comparison = r.snapshot.Compare()
	}
	return r.comparison
}

func (r *knownReader) expected() []byte { return r.begun().Expected() }

// Familiar takes an element that is written as expected: it is a text of ours, so
// that it fits.
func (r *knownReader) Familiar(text []byte) int {
	expected := r.expected()
	if len(expected) == 0 || !bytes.HasPrefix(text, expected) {
		return 0
	}
	r.comparison.AsExpected()
	return len(expected)
}

// Element takes any other element.
func (r *knownReader) Element(text []byte) { r.begun().Take(readKnown(jsonscan.New(text))) }

// End takes the text of the array.
func (r *knownReader) End(array []byte) { r.array = array }

func (r *knownReader) changes() *catalog.Changes {
	changes := r.begun().Changes()
	return &changes
}

// readKnown reads the object that comes next. What it returns is in the memory of
// the text, unless it had to be decoded.
func readKnown(s *jsonscan.Scanner) (k catalog.Known) {
	for name := range s.Members() {
		switch string(name) {
		case "id":
			k.ID = catalog.ID(shared(s.Text()))
		case "sourceHash":
			k.SourceHash = catalog.Fingerprint(shared(s.Text()))
		default:
			s.Skip()
		}
	}
	return k
}

// shared returns bytes as a string in the same memory.
func shared(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }
