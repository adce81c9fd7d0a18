// Package embed turns texts into vectors: texts that mean something alike get
// vectors that point in nearly the same direction.
//
// [Open] knows two kinds of embedders: a server that speaks the OpenAI API of
// embeddings, such as Ollama, llama.cpp or LM Studio, and a file with a vector for
// each word. It asks nothing and reads nothing until the first [Embedder.Embed].
//
// The package keeps no vector of a text, sends its key to the named server and
// nowhere else, and never repeats what a server says in its errors.
package embed
