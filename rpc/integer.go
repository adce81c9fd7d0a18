package rpc

import (
	"math"
	"strconv"
)

// Integer is an integer among params, in every spelling that JSON Schema takes
// for one: 10, 10.0 and 1e1 are the same. Beyond 2^53, from where not every
// integer is a JSON number for everybody, it is brought back to that.
type Integer int64

const maxInteger = 1 << 53

// UnmarshalJSON implements json.Unmarshaler for a value that the schema allows.
func (n *Integer) UnmarshalJSON(text []byte) error {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return err
	}
	*n = Integer(math.Min(math.Max(x, -maxInteger), maxInteger))
	return nil
}
