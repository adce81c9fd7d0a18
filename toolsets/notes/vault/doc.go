// Package vault reads a folder of Markdown files as notes.
//
// A [Vault] scans the folder on request and rereads only files that changed. It opens
// every path through [os.Root], so no name or link can lead out of the folder. It ignores
// hidden files and folders, and does not follow symbolic links to folders.
//
// Reading never writes: no file or folder is created or changed.
package vault
