package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// peakMemory returns the most that was resident of a running process, in
// bytes (VmHWM, proc_pid_status(5)). The maximum that wait4(2) tells would not
// do: it begins with what the parent held when it forked.
func peakMemory(pid int) (int64, bool) {
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
