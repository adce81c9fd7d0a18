// Package watch tells when to look again at files that other programs change.
//
// A [Watcher] watches folders, not files: whoever looks says which folders there
// are, and what happens in them is gathered until it is quiet for a moment. Then
// comes one more look. A look costs more than an event and misses nothing, so that
// events are no more than a sign that something happened, and which ones come in
// which order does not matter.
//
// Where watching fails, as on a network drive, at a limit of the system, or while
// the root is not there, it has somebody look at intervals. Where it works, that
// happens rarely, as a safety net.
//
// The package knows nothing of what is in the files, never opens one, and never
// writes.
package watch
