package jsonscan

import "bytes"

// Step leads from an object to a member of it, or from an array to an element.
type Step struct {
	Name    string // of the member
	Index   int    // of the element
	IsIndex bool
}

// Repeated finds the first member whose object has one of that name before it: which
// of the two counts, every reader decides for itself (RFC 8259, section 4). It returns
// the path to it, nil where there is none, and the offset of its name. Names are
// compared decoded. What comes behind a fault in the text is not looked at.
func Repeated(text []byte) (path []Step, offset int) {
	s := New(text)
	var open opened
	for {
		if c := s.Next(); c == '{' || c == '[' {
			s.Enter(c)
			open.levels = append(open.levels, level{closing: c + 2, first: len(open.names), index: -1})
		} else {
			s.skipScalar(c)
		}
		for len(open.levels) > 0 && !s.More(open.last().closing) {
			open.close()
		}
		if len(open.levels) == 0 {
			return nil, 0
		}
		if open.last().closing == ']' {
			open.last().index++
			continue
		}
		s.Next()
		offset = s.at
		if name := s.Name(); name != nil && !open.add(name) {
			return open.path(), offset
		}
	}
}

// opened are the arrays and objects around a value.
type opened struct {
	levels []level
	names  [][]byte // of the members so far of all objects
}

type level struct {
	closing byte
	first   int             // of names
	index   int             // of the element
	many    map[string]bool // the names, where there are more than few
}

func (o *opened) last() *level { return &o.levels[len(o.levels)-1] }

func (o *opened) close() {
	o.names = o.names[:o.last().first]
	o.levels = o.levels[:len(o.levels)-1]
}

// add adds the name of a member, and reports whether it is the first of that name.
func (o *opened) add(name []byte) bool {
	const few = 16 // which are compared faster than looked up
	in := o.last()
	earlier := o.names[in.first:]
	o.names = append(o.names, name)
	if len(earlier) < few {
		for _, n := range earlier {
			if bytes.Equal(n, name) {
				return false
			}
		}
		return true
	}
	if in.many == nil {
		in.many = map[string]bool{}
		for _, n := range earlier {
			in.many[string(n)] = true
		}
	}
	if in.many[string(name)] {
		return false
	}
	in.many[string(name)] = true
	return true
}

// path leads to the member that was added last.
func (o *opened) path() []Step {
	path := make([]Step, len(o.levels))
	for i, in := range o.levels {
		end := len(o.names)
		if i+1 < len(o.levels) {
			end = o.levels[i+1].first
		}
		if path[i] = (Step{Index: in.index, IsIndex: true}); in.closing == '}' {
			path[i] = Step{Name: string(o.names[end-1])}
		}
	}
	return path
}
