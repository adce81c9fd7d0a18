// Package format decodes instruction files into entries, and sets single fields in the
// text of such files.
//
// An instruction file is JSON, Markdown with front matter in YAML or TOML, or TOML for
// a command of Gemini CLI. Each format is parsed to the same intermediate form, the
// document. One set of rules turns a document into an entry:
//
//	bytes → parse (JSON, Markdown or TOML) → document → normalise → entry + diagnostics
//
// A non-standard value with a known meaning is normalised, with a warning. A file that
// cannot become an entry gets an error. Nothing is dropped without a diagnostic.
//
// The package does not access the file system.
package format
