package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// peakResident returns the peak resident memory of a running process, in bytes (VmHWM,
// proc_pid_status(5)), and whether it could be read. The maximum that wait4(2) reports
// includes the memory that the parent held when it forked, so it is not used.
func peakResident(pid int) (int64, bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	_, rest, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	number, isKiB := bytes.CutSuffix(bytes.TrimSpace(line), []byte(" kB"))
	kib, err := strconv.ParseInt(string(number), 10, 64)
	return kib << 10, err == nil && isKiB
}

// resetPeak sets the recorded peak of this process to its current resident memory
// (/proc/pid/clear_refs, proc_pid_clear_refs(5)). It reports whether that succeeded.
func resetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }
