package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// peakResident returns the peak resident memory of a running process, in bytes
// (VmHWM, proc_pid_status(5)). The maximum that wait4(2) reports would not do: it
// includes what the parent held when it forked.
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

// resetPeak resets the peak of this process to what is resident now
// (/proc/pid/clear_refs, proc_pid_clear_refs(5)). It reports whether that worked.
func resetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }
