// Package bench measures how long the server takes for each kind of question, over its
// pipe and in process, and compares that with the least time that any program would
// need.
//
// For each size, [Run] generates a catalog, opens it in process, starts the real server
// on it as a subprocess, asks both several times, and reports medians. It checks an
// answer to each question against facts known from generating the catalog; a wrong
// answer ends the run. The least time is called the floor. Because the speed of a
// machine varies, the floor is measured in the same run, in turn with the operation
// that it is compared to. There are three floors:
//
//   - for a question that is answered from memory: a child process that reads a
//     line of the same length and answers as many bytes, and does nothing else;
//   - for one that has to read all files: a loop that reads and hashes them;
//   - for a count on disk: a line that is appended to a file and synced.
//
// Every measurement is an [Operation], a row of one table. The promised bounds are in
// bounds.go, and a report states for each whether it holds. [Report.Compare] reports
// the figures that moved since an earlier report.
//
// [Generate] writes the catalogs. Benchmarks of other packages may use it, so that all
// figures are measured on the same texts.
//
// The package only measures catalogs that it generated, writes nothing outside a
// temporary folder that it removes, and never fails because something is slow.
package bench
