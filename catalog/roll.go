package catalog

// roll is what a client that holds a catalog knows of it, in id order. It lies
// close together, and all of it is looked at in turn: a look at the entries
// themselves would wait for memory at each.
type roll struct {
	known []Known // parts of text
	text  []byte  // each as JSON, as list answers with these fields
	ends  []int   // of each in text, its comma included
}

func newRoll(entries []*Entry) *roll {
	r := &roll{known: make([]Known, len(entries)), ends: make([]int, len(entries))}
	for i, e := range entries {
		r.text = e.appendElement(r.text, func(name Field) bool { return name == "id" || name == "sourceHash" })
		r.ends[i] = len(r.text)
	}
	for i, e := range entries {
		r.known[i] = e.knownIn(r.at(i))
	}
	return r
}

// at returns the text of the nth without its comma, nothing after the last one.
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

// knownIn returns what there is to know of the entry, as parts of the text that
// says so, unless something is escaped there.
func (e *Entry) knownIn(text []byte) Known {
	id, hash := len(`{"id":"`), len(text)-len(`"}`)-len(e.SourceHash)
	k := Known{ID(stringOf(text[id : id+len(e.ID)])), Fingerprint(stringOf(text[hash : hash+len(e.SourceHash)]))}
	if k.ID != e.ID || k.SourceHash != e.SourceHash {
		return Known{e.ID, e.SourceHash}
	}
	return k
}
