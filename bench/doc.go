// Package bench measures the server: how long each kind of question takes, over
// its pipe and in process, beside the least that any program would need for it.
//
// [Run] generates a catalog of each size, opens it in process, starts the real
// server on it as a subprocess, asks both, several times over, and reports
// medians. What an answer must be is known from the making of the catalog, and
// a wrong one ends the run. The least, called floor, is measured in the same run
// and in turn with what it is compared to, because a machine is not equally fast
// all the time:
//
//   - for a question that is answered from memory: a child process that reads a
//     line of the same length and answers as many bytes, and does nothing else;
//   - for one that has to read all files: a loop that reads and hashes them;
//   - for one that is asked while many files change: the same while none does.
//
// What is promised of the figures is one table, in bounds.go, and a report
// says of each promise whether it holds. [Report.Compare] tells what moved since
// an earlier report.
//
// [Generate] writes the catalogs. Benchmarks of other packages may use it, so
// that their figures speak of the same texts.
//
// The package never measures a catalog that it did not generate, writes nowhere
// but in a temporary folder that it removes, and never fails because something
// is slow.
package bench
