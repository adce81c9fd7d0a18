// Package vault has a folder of Markdown files as notes.
//
// A [Vault] looks at the folder when it is asked, and reads those files again that
// are not as they were. Every path is opened through [os.Root], so that no name and
// no link leads out of the folder. Hidden files and folders hold no notes, and
// folders that are links are not followed.
//
// Reading changes nothing: no file, no folder, nothing beside them.
package vault
