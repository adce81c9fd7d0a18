package cachefile

import "syscall"

// expectAll tells the system that all of the memory will be needed, so that it
// gives it out in large pages: to be asked for each small one takes as long as to
// copy what goes into it. Whether it does is up to the system.
func expectAll(memory []byte) {
	const worthwhile = 4 << 20 // of pages of 2 MiB
	if len(memory) >= worthwhile {
		_ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE)
	}
}
