package rpc

import "context"

// Answer is what an agent gets for a call.
type Answer struct {
	Result JSON
	Text   string         // how a model reads the result
	Meta   map[string]any // what an [Annotated] result has to say beside it
}

// Annotated is implemented by results about which there is something to say that
// is no part of them, and that only agents have a place for. Meta is called once
// for each answer to an agent, and may be nil.
type Annotated interface {
	Meta() map[string]any
}

// Sized is implemented by results that may be large, so that there is room for them
// before they are encoded: as JSON they have at most total bytes, about made of which
// are made for it. The others are there anyway.
type Sized interface {
	Size() (total, made int)
}

// answer encodes a result, for which it reserves memory: before if the result is
// [Sized], else after.
func (m *Method) answer(ctx context.Context, agent bool, value any, text func() string) (a Answer, err error) {
	sized, isSized := value.(Sized)
	if isSized {
		total, made := sized.Size()
		if failure := reserveResult(ctx, agent, total, made); failure != nil {
			return a, failure
		}
	}
	if a.Result, err = Encode(value); err != nil {
		return a, err
	}
	if !isSized {
		if failure := reserveResult(ctx, agent, a.Result.Len(), a.Result.held()); failure != nil {
			return a, failure
		}
	}
	if agent {
		m.addForAgent(&a, value, text)
	}
	return a, nil
}

// reserveResult reserves memory for a result of total bytes, of which made are not in
// memory anyway.
func reserveResult(ctx context.Context, agent bool, total, made int) *Error {
	if agent {
		return reserveAnswer(ctx, agentFactor*total)
	}
	return reserveAnswer(ctx, made)
}

// addForAgent adds what only an agent gets.
func (m *Method) addForAgent(a *Answer, value any, text func() string) {
	if annotated, ok := value.(Annotated); ok {
		a.Meta = annotated.Meta()
	}
	if m.hasText {
		a.Text = text()
	} else {
		a.Text = string(a.Result.Bytes())
	}
}

// held returns how many bytes a value takes by itself. The pieces of one that has many
// belong to the catalog, except for short ones between them.
func (j JSON) held() int {
	if len(j) == 1 {
		return len(j[0])
	}
	const header, short = 24, 256
	n := header * cap(j)
	for _, piece := range j {
		if len(piece) < short {
			n += len(piece)
		}
	}
	return n
}
