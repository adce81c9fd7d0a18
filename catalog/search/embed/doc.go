// Package embed turns texts into vectors. Texts with similar meanings get vectors that
// point in nearly the same direction.
//
// [Open] supports two kinds of embedders: a server with the OpenAI embeddings API, such
// as Ollama, llama.cpp or LM Studio, and a file with a vector for each word. Nothing is
// requested or read before the first call of [Embedder.Embed].
//
// The package stores no vectors of texts, sends its key only to the configured server,
// and never includes a server's response in its errors.
package embed
