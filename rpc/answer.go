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

// answer makes the answer of a result, when there is room for it.
func (m *Method) answer(ctx context.Context, agent bool, value any, text func() string) (a Answer, _ error) {
	share, claimed := ShareOf(ctx), 0
	if sized, ok := value.(Sized); ok {
		total, made := sized.Size()
		if claimed = made; agent {
			claimed = whileMade * total
		}
		if failure := share.claim(ctx, claimed); failure != nil {
			return a, failure
		}
	}
	var err error
	if a.Result, err = Encode(value); err != nil {
		return a, err
	}
	if claimed == 0 {
		if claimed = a.Result.held(); agent {
			claimed = whileMade * a.Result.Len()
		}
		if failure := share.claim(ctx, claimed); failure != nil {
			return a, failure
		}
	}
	if agent {
		share.made(claimed, onceMade*m.addForAgent(&a, value, text))
	}
	return a, nil
}

// addForAgent adds what only an agent gets, and returns how many bytes it gets in all.
func (m *Method) addForAgent(a *Answer, value any, text func() string) (length int) {
	if annotated, ok := value.(Annotated); ok {
		a.Meta = annotated.Meta()
	}
	if m.hasText {
		a.Text = text()
	} else {
		a.Text = string(a.Result.Bytes())
	}
	if m.Tool.TextOnly {
		return len(a.Text)
	}
	return len(a.Text) + a.Result.Len()
}
