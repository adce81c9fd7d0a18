package review

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode/utf8"
)

// automaton reports whether a pattern matches anywhere in a text. It is a lazy DFA. It
// reads each character once. It computes a state (a set of places in the pattern) when
// a text first reaches it. Most texts do not match, so package regexp, which follows
// each place separately, is only needed to locate a match.
//
// It is safe for concurrent use; calls run one at a time.
type automaton struct {
	instructions []syntax.Inst
	alphabet     alphabet
	width        int      // number of transitions of a state: one for each class, and one for the end of the text
	begin        []uint32 // the places where a match can begin

	mutex  sync.Mutex
	most   int // maximum size of the states kept, in bytes
	states []state
	next   []int32          // rows of width transitions, one row for each state; a transition is the index of the target state's row, or matched or unknown
	known  map[string]int32 // the index of a state's row in next, by the key of the state
	size   int              // approximate size of all states, in bytes
	drops  int              // how many times the states were dropped
	ready  places           // scratch space for step: places that test the character
	after  places           // scratch space for step: places after the character
}

// state is a set of places and the kind of the character before them.
type state struct {
	places []uint32 // instructions that test a character or a boundary, sorted
	before rune     // the representative of its kind, or -1 at the beginning of the text
}

// Transitions that are not the index of a state.
const (
	matched = -1 // the pattern matches
	unknown = -2 // not computed yet
)

// maxStates limits the size of the states of one pattern, in bytes. Beyond the limit,
// all states but the first are dropped; they are computed again when needed.
const maxStates = 256 << 10

// newAutomaton returns the automaton of a pattern. It limits the size of the states it
// keeps to most bytes. It panics if the pattern does not compile.
func newAutomaton(pattern string, most int) *automaton {
	tree, err := syntax.Parse(ignoreCase+pattern, syntax.Perl)
	if err != nil {
		panic(err) // cannot happen: the pattern has been checked
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		panic(err) // every pattern that parses compiles
	}
	a := &automaton{instructions: program.Inst, alphabet: newAlphabet(program.Inst), known: map[string]int32{}, most: most}
	a.width = len(a.alphabet.samples) + 1
	a.ready, a.after = newPlaces(len(program.Inst)), newPlaces(len(program.Inst))
	a.follow(&a.after, uint32(program.Start), 0, true)
	a.begin = slices.Clone(a.after.all)
	a.add(state{places: a.begin, before: -1})
	return a
}

// matches reports whether the pattern matches anywhere in a text. It returns false if
// the limit is reached; the result is then meaningless.
func (a *automaton) matches(text string, l *limit) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	current, next := int32(0), a.next
	for _, r := range text {
		var class uint16
		if r < utf8.RuneSelf {
			class = a.alphabet.ascii[r]
		} else {
			class = a.alphabet.class(r)
		}
		to := next[int(current)+int(class)]
		if to == unknown {
			if l.isReached() {
				return false
			}
			to = a.step(current, int(class))
			next = a.next
		}
		if to == matched {
			return true
		}
		current = to
	}
	return a.step(current, a.width-1) == matched
}

// step computes and records the transition of a state for a class.
func (a *automaton) step(from int32, class int) int32 {
	c := rune(-1)
	if class < len(a.alphabet.samples) {
		c = a.alphabet.samples[class]
	}
	drops := a.drops
	to := a.stepTo(a.states[int(from)/a.width], c)
	if a.drops == drops { // otherwise from was dropped
		a.next[int(from)+class] = to
	}
	return to
}

// stepTo returns the transition of a state for a character, or for the end of the text
// if c is -1.
func (a *automaton) stepTo(s state, c rune) int32 {
	a.ready.clear()
	a.after.clear()
	boundaries := syntax.EmptyOpContext(s.before, c)
	for _, place := range s.places {
		if a.follow(&a.ready, place, boundaries, false) {
			return matched
		}
	}
	if c < 0 {
		return 0
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
	return a.stateAfter(kind(c))
}

// kind returns a representative of the characters that boundaries treat alike:
// newlines, word characters, or all others.
func kind(c rune) rune {
	switch {
	case c == '\n':
		return c
	case syntax.IsWordChar(c):
		return 'a'
	}
	return ' '
}

// follow adds to set the places that can be reached from place without reading a
// character. It reports whether the end of the pattern is among them. If keep is true,
// boundaries are added to the set unevaluated. Otherwise follow passes a boundary only
// if boundaries satisfies it.
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

// stateAfter returns the index of the transitions of the state with the places of
// a.after, and adds the state if it is missing.
func (a *automaton) stateAfter(before rune) int32 {
	slices.Sort(a.after.all)
	key := binary.AppendVarint(nil, int64(before))
	for _, place := range a.after.all {
		key = binary.AppendUvarint(key, uint64(place))
	}
	if s, ok := a.known[string(key)]; ok {
		return s
	}
	size := len(key) + 4*(len(a.after.all)+a.width)
	if a.size += size; a.size > a.most {
		first := a.states[0]
		a.states, a.next, a.size = nil, nil, size
		a.drops++
		clear(a.known)
		a.add(first)
	}
	s := a.add(state{places: slices.Clone(a.after.all), before: before})
	a.known[string(key)] = s
	return s
}

// add adds a state and returns the index of its transitions in next.
func (a *automaton) add(s state) int32 {
	a.states = append(a.states, s)
	start := len(a.next)
	for range a.width {
		a.next = append(a.next, unknown)
	}
	return int32(start)
}

// places is a set of instructions.
type places struct {
	all  []uint32 // the instructions in the set
	seen []uint64 // for each instruction, the round in which it was last visited
	now  uint64
}

func newPlaces(n int) places { return places{seen: make([]uint64, n), now: 1} }

func (p *places) clear() { p.all, p.now = p.all[:0], p.now+1 }

// visit marks a place as visited and reports whether this is its first visit since the
// last clear.
func (p *places) visit(place uint32) bool {
	first := p.seen[place] != p.now
	p.seen[place] = p.now
	return first
}

func (p *places) add(place uint32) { p.all = append(p.all, place) }
