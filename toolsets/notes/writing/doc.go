// Package writing creates, changes, renames and deletes the notes of a vault, as
// their owner would by hand, and without damage.
//
// A new title gives the file another name, and every link to the note the new one,
// in the form that it had. That is worked out before anything is written: the
// graph after the rename is built, and each link that would lead elsewhere in it
// is spelled so that it leads where it led. Then all files change as one.
//
// Every text is edited as it is in the file at that moment, under a lock that all
// servers share. The package says neither how an error looks to a caller nor what
// a note looks like in an answer.
package writing
