// Package watch calls a function again when files that other programs change may have
// changed.
//
// A [Watcher] watches folders, not files. Its [Scan] function scans the files and
// returns the folders to watch. The watcher debounces the events in these folders and
// then calls Scan again. A scan costs more than an event, but it misses nothing. An
// event therefore only means that something may have changed, and the kind and order of
// events do not matter.
//
// If watching is impossible, for example on a network drive, beyond a system limit, or
// while the root does not exist, the watcher calls Scan at short intervals. While
// watching works, it also calls Scan at long intervals, in case an event was lost.
//
// The package does not know the content of the files, and never opens or writes one.
package watch
