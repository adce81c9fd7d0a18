package catalog

// roll is what a client that holds a catalog knows of it: each entry as a [Known]
// in JSON, as list answers with these fields. They lie close together, in id
// order, since a look at the entries themselves has to wait for memory at each.
type roll struct {
	text []byte
	ends []int // of each in text, its comma included
}

func newRoll(entries []*Entry) *roll {
	r := &roll{ends: make([]int, len(entries))}
	for i, e := range entries {
		r.text = e.appendElement(r.text, func(name Field) bool { return name == "id" || name == "sourceHash" })
		r.ends[i] = len(r.text)
	}
	return r
}

// at returns the nth without its comma, nothing after the last one.
func (r *roll) at(n int) []byte {
	if n >= len(r.ends) {
		return nil
	}
	start := 0
	if n > 0 {
		start = r.ends[n-1]
	}
	return r.text[start : r.ends[n]-len(",")]
}
