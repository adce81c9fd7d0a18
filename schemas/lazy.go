package schemas

import "sync"

// lazy is a value that is made when it is first needed. Unlike sync.OnceValue
// it costs nothing before.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(made func() T) T {
	l.once.Do(func() { l.value = made() })
	return l.value
}
