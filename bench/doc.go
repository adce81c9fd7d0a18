// Package bench measures the server: how long each kind of question takes, over
// its pipe and in process, beside the least that any program would need for it.
//
// [Run] generates a catalog of each size, opens it in process, starts the real
// server on it as a subprocess, asks both, several times over, and reports
// medians. What an answer must be is known from generating the catalog, and
// a wrong one ends the run. The least, called floor, is measured in the same run
// and in turn with what it is compared to, because the speed of a machine varies:
//
//   - for a question that is answered from memory: a child process that reads a
//     line of the same length and answers as many bytes, and does nothing else;
//   - for one that has to read all files: a loop that reads and hashes them;
//   - for a count on disk: a line that is appended to a file and synced.
//
// Everything measured is an [Operation], a row of one table. The promises are
// in bounds.go, and a report says of each whether it holds. [Report.Compare]
// reports what moved since an earlier report.
//
// [Generate] writes the catalogs. Benchmarks of other packages may use it, so
// that all figures are about the same texts.
//
// The package never measures a catalog that it did not generate, writes nothing
// outside a temporary folder that it removes, and never fails because something
// is slow.
package bench
