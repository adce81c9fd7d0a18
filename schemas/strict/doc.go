// Package strict reads the files that people write to control the program: gates,
// criteria and configuration. [JSON] rejects text that two parsers could read
// differently. [Schema] returns the schema of such a file.
//
// The package does not interpret the files and never opens them.
package strict
