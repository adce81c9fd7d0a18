package catalog

import "instruction-catalog/schemas/jsonscan"

// roll is what a client that holds a catalog knows of it, in id order, and each
// as JSON, as list answers with these fields.
type roll struct {
	known []Known
	texts [][]byte
}

func newRoll(entries []*Entry) *roll {
	r := &roll{}
	for _, e := range entries {
		r.known = append(r.known, Known{e.ID, e.SourceHash})
		r.texts = append(r.texts, jsonscan.MustEncode(Known{e.ID, e.SourceHash}))
	}
	return r
}

// at returns the text of the nth, nothing after the last one.
func (r *roll) at(n int) []byte {
	if n >= len(r.texts) {
		return nil
	}
	return r.texts[n]
}
