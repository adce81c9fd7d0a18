package schemas

// MostNested is how deep a value may be nested that [Schema.Fits] knows.
const MostNested = 16

// Fits reports whether data is, for certain, one JSON value that fits the
// schema: [Schema.Validate] finds nothing in it then. The value is nested at
// most [MostNested] deep, and none of its objects has a member twice.
//
// It takes one walk over the bytes, where Validate decodes them and asks a
// library. The price is that false says no more than "not certain". It is the
// answer for whatever is unusual, such as an escape in a name or a number with
// a point, and for every value where the schema has a keyword that a [matcher]
// does not know.
func (s *Schema) Fits(data []byte) bool {
	start := blanks(data, 0)
	length, _, ok := s.Match(data[start:], nil)
	return ok && blanks(data, start+length) == len(data)
}

// Match looks for a value at the very beginning of text of which [Schema.Fits]
// would be certain, and returns its length in bytes, and how many values it may
// have in it at most: elements and members, at all levels together. The listener
// may be nil.
func (s *Schema) Match(text []byte, l Listener) (length, values int, ok bool) {
	m := s.matcherOnce.get(func() *matcher { return newMatcher(s.fragment()) })
	if m == nil {
		return 0, 0, false
	}
	length = m.match(text, 0, l)
	return length, m.values, length != uncertain
}

// Listener hears what is in the arrays of a value, those within arrays excepted,
// while [Schema.Match] walks over it: who has to read a long one need not walk
// over it again. Whether the value fits is only known after that.
type Listener interface {
	// Familiar returns the length of the element that text begins with, if it is
	// known to fit, and takes it; it is not matched then. Else it returns 0.
	Familiar(text []byte) (length int)
	// Element takes any other element.
	Element(text []byte)
	// End takes the text of an array that has ended.
	End(array []byte)
}

// matcher is a schema made ready for [Schema.Fits]: as much of draft-07 as the
// params of methods need. What it matches is well-formed JSON (RFC 8259).
type matcher struct {
	form       form
	properties []property  // of an object
	required   propertySet // of an object
	items      *matcher    // of an array
	count      span        // of the elements of an array
	length     span        // of a string, in characters
	size       span        // of an integer
	enum       []string    // that a string may be; nil for any
	values     int         // within an object or array, at most; countless at most
}

// countless is more values than anybody may send.
const countless = 1 << 30

// mostValues counts the values that an object or array may have in it. An empty
// one counts as one, as it does for whoever counts brackets and commas.
func (m *matcher) mostValues() int {
	n := 0
	switch m.form {
	case objectForm:
		n = max(1, len(m.properties))
		for _, p := range m.properties {
			n += p.value.values
		}
	case arrayForm:
		n = int(max(1, min(m.count.most, countless)) * int64(1+m.items.values))
	}
	return min(n, countless)
}

// form is what a value looks like: the type that its schema demands.
type form uint8

const (
	_ form = iota
	objectForm
	arrayForm
	stringForm
	booleanForm
	integerForm
)

// property is a member that an object may have; there may be no others.
type property struct {
	quoted string // its name, as it is usually written
	value  *matcher
}

// propertySet is a set of properties of one object, by index.
type propertySet uint64

const mostProperties = 64

func (s propertySet) has(i int) bool                { return s>>i&1 != 0 }
func (s propertySet) with(i int) propertySet        { return s | 1<<i }
func (s propertySet) hasAll(other propertySet) bool { return s&other == other }

// span is the integers between two, both included.
type span struct{ least, most int64 }

func (s span) has(n int64) bool { return s.least <= n && n <= s.most }
