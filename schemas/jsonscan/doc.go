// Package jsonscan walks over JSON text (RFC 8259) that others have found
// well-formed, and decodes no more of it than it is asked for. It is for texts
// that are long, such as what a client knows of a whole catalog, and for those
// that every start reads.
//
// The package never checks what it walks over, except where a function says
// so: a text that is not well-formed may make it panic.
package jsonscan
