// Package journal changes the files of a folder that others change too.
//
// [Begin] takes a lock that all servers of the folder share, and completes what
// one of them left half done. Under the lock a file is created, edited or moved
// to the trash: durably, and so that whoever reads sees the old text or the new.
// [Session.Apply] changes many files as one: all new texts are written beside,
// then a plan of the change, and only then the files take their places. A process
// that dies on the way leaves the plan, and the next one follows it to the end.
//
// Programs that know nothing of the lock, such as editors, may write at any
// time: a file is read anew just before it is replaced, and what it holds then
// is what gets edited.
//
// What the package needs for itself is in [Hidden], a folder of the folder. It
// knows neither notes nor links, never follows a link out of the folder, and
// never replaces a file that it was to create.
package journal
