// Package vault reads a folder of Markdown files as notes.
//
// A [Vault] scans the folder on request and rereads only files that changed. It opens
// every path through [os.Root], so that no name and no link can lead out of the folder.
// It ignores hidden files and folders, and does not follow folders that are links.
//
// Reading never writes: no file or folder is created or changed.
package vault
