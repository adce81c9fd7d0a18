// Package strict reads the files that people write and the program goes by: gates,
// criteria and configuration. There is one reading of each: [JSON] refuses what two programs could
// understand in two ways, and [Schema] gives what a file must look like.
//
// It knows what none of these files means, and never opens one.
package strict
