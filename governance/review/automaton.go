package review

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode/utf8"
)

// automaton tells whether a pattern matches anywhere in a text, and reads each
// character once. It goes from state to state, each of which is a set of places in
// the pattern, and makes a state when it first comes to it. Package regexp, which
// follows each place by itself, is left to find where the match is: most windows
// have none.
//
// It may be used by any number of goroutines, one after the other.
type automaton struct {
	instructions []syntax.Inst
	alphabet     alphabet

	mutex  sync.Mutex
	states map[string]*state // by their key
	size   int               // of all states, in bytes, about
	first  *state            // at the beginning of a text
	begin  []uint32          // the places at which a match can begin
	ready  places            // of the step that is made: those that wait for its character
	after  places            // and those that come next
}

// state is a set of places, and what kind of character stands before.
type state struct {
	places []uint32 // instructions that wait for a character or are a boundary, sorted
	before rune     // a character of the kind, or -1 at the beginning
	next   []*state // by class of character, the last at the end of the text; nil where not known yet
}

// matched is the state in which a match is found.
var matched = &state{}

// maxStates is how large the states of one pattern may become, in bytes. If they
// do, all but the first are forgotten and made anew.
const maxStates = 256 << 10

func newAutomaton(pattern string) *automaton {
	tree, err := syntax.Parse(ignoreCase+pattern, syntax.Perl)
	if err != nil {
		panic(err) // it has been checked
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		panic(err) // what can be parsed can be compiled
	}
	a := &automaton{instructions: program.Inst, alphabet: newAlphabet(program.Inst), states: map[string]*state{}}
	a.ready, a.after = newPlaces(len(program.Inst)), newPlaces(len(program.Inst))
	a.follow(&a.after, uint32(program.Start), 0, true)
	a.begin = slices.Clone(a.after.all)
	a.first = &state{places: a.begin, before: -1, next: make([]*state, len(a.alphabet.samples)+1)}
	return a
}

// matches reports whether the pattern matches in a text.
func (a *automaton) matches(text string) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	s := a.first
	for i := 0; i < len(text); {
		class, size := uint16(0), 1
		if c := text[i]; c < utf8.RuneSelf {
			class = a.alphabet.ascii[c]
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			class = a.alphabet.class(r)
		}
		i += size
		next := s.next[class]
		if next == nil {
			next = a.step(s, int(class))
		}
		if next == matched {
			return true
		}
		s = next
	}
	return a.step(s, len(a.alphabet.samples)) == matched
}

// step returns the state after a character of a class, and remembers it.
func (a *automaton) step(s *state, class int) *state {
	c := rune(-1)
	if class < len(a.alphabet.samples) {
		c = a.alphabet.samples[class]
	}
	next := a.stepTo(s, c)
	s.next[class] = next
	return next
}

// stepTo returns the state after a character, or after the end of the text, -1.
func (a *automaton) stepTo(s *state, c rune) *state {
	a.ready.clear()
	a.after.clear()
	boundaries := syntax.EmptyOpContext(s.before, c)
	for _, place := range s.places {
		if a.follow(&a.ready, place, boundaries, false) {
			return matched
		}
	}
	if c < 0 {
		return a.first
	}
	for _, place := range a.ready.all {
		if i := &a.instructions[place]; i.MatchRune(c) && a.follow(&a.after, i.Out, 0, true) {
			return matched
		}
	}
	for _, place := range a.begin {
		if a.after.visit(place) {
			a.after.add(place)
		}
	}
	return a.state(kind(c))
}

// kind returns one character for all that are the same to a boundary.
func kind(c rune) rune {
	switch {
	case c == '\n':
		return c
	case syntax.IsWordChar(c):
		return 'a'
	}
	return ' '
}

// follow adds to a set the places that are reached from one without reading a
// character, and reports whether the match is among them. A boundary is passed if
// it is one of those given; one that is not is added itself if it is kept.
func (a *automaton) follow(set *places, place uint32, boundaries syntax.EmptyOp, keep bool) (match bool) {
	if !set.visit(place) {
		return false
	}
	switch i := &a.instructions[place]; i.Op {
	case syntax.InstMatch:
		return true
	case syntax.InstAlt, syntax.InstAltMatch:
		return a.follow(set, i.Out, boundaries, keep) || a.follow(set, i.Arg, boundaries, keep)
	case syntax.InstCapture, syntax.InstNop:
		return a.follow(set, i.Out, boundaries, keep)
	case syntax.InstEmptyWidth:
		if keep {
			set.add(place)
			return false
		}
		return syntax.EmptyOp(i.Arg)&^boundaries == 0 && a.follow(set, i.Out, boundaries, keep)
	case syntax.InstFail:
		return false
	}
	set.add(place)
	return false
}

// state returns the state of the places that come next.
func (a *automaton) state(before rune) *state {
	slices.Sort(a.after.all)
	key := binary.AppendVarint(nil, int64(before))
	for _, place := range a.after.all {
		key = binary.AppendUvarint(key, uint64(place))
	}
	s := a.states[string(key)]
	if s != nil {
		return s
	}
	s = &state{places: slices.Clone(a.after.all), before: before, next: make([]*state, len(a.alphabet.samples)+1)}
	size := len(key) + 4*len(s.places) + 8*len(s.next)
	if a.size += size; a.size > maxStates {
		clear(a.states)
		clear(a.first.next) // from where they could be reached
		a.size = size
	}
	a.states[string(key)] = s
	return s
}

// places is a set of instructions.
type places struct {
	all  []uint32 // those that count
	seen []uint64 // of each instruction, the round in which it was last come to
	now  uint64
}

func newPlaces(n int) places { return places{seen: make([]uint64, n), now: 1} }

func (p *places) clear() { p.all, p.now = p.all[:0], p.now+1 }

// visit reports whether a place is come to for the first time.
func (p *places) visit(place uint32) bool {
	first := p.seen[place] != p.now
	p.seen[place] = p.now
	return first
}

func (p *places) add(place uint32) { p.all = append(p.all, place) }
