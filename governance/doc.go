// Package governance holds a catalog, and the prompts written with it, to the
// rules that a team has set.
//
// Gates are conditions on the whole catalog, such as "at least one critical
// entry": [EvaluateGates] counts the entries of a snapshot. Criteria are rules
// about one text: [Criteria.Review] lists those that a prompt breaks.
//
// Both fail closed. A gate that cannot be understood has failed, criteria that
// cannot be understood are refused as a whole, and a prompt that is too long is
// not reviewed in part.
//
// The package reads one file, the gates, and never writes any. It changes
// neither the catalog nor the prompt, keeps no prompt, and judges by the rules
// it is given alone.
package governance
