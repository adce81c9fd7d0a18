// Package docs holds the documents of the project, and hands the program the
// one that it needs while it runs.
package docs

import _ "embed"

// PromptCriteria is PROMPT-CRITERIA.json: the rules that prompts are reviewed
// by where nobody brings others.
//
//go:embed PROMPT-CRITERIA.json
var PromptCriteria []byte
