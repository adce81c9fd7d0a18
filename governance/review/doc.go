// Package review checks prompts and instruction bodies against criteria: a team's
// rules, each applied to one text.
//
// A text is checked as given and as rendered, that is, without markup and escapes.
//
// [Parse] reads the criteria. [Criteria.Review] lists the rules that a text breaks.
// Both fail closed: Parse rejects a criteria file as a whole if any part of it is
// invalid, and Review does not review part of a text that is too long.
//
// The package opens no files, and neither changes nor keeps texts. It applies only the
// rules that it is given.
package review
