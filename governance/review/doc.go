// Package review holds texts, prompts and the bodies of instructions, against
// criteria: rules about one text that a team has set.
//
// A text is seen as it is given and as it is rendered, without markup and escapes.
//
// [Parse] reads the criteria, and [Criteria.Review] lists the rules that a text
// breaks. Both fail closed: criteria that cannot be understood are refused as a
// whole, and a text that is too long is not reviewed in part.
//
// The package opens no file, neither changes nor keeps a text, and judges only by the
// rules that it is given.
package review
