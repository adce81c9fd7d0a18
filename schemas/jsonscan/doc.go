// Package jsonscan walks once over a JSON text (RFC 8259), checks it on the way,
// and decodes no more of it than it is asked for. It is for texts that are long,
// such as a request with what a client knows of a whole catalog, and for finding
// parts that have to stay as they were written. It also encodes what others then
// string together.
package jsonscan
