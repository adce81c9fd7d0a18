package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"instruction-catalog/bench"
)

// machine is what the figures were measured on. What the system does not tell is
// empty.
type machine struct {
	CPU       string      `json:"cpu,omitempty"`
	CPUs      int         `json:"cpus"`
	Memory    bench.Bytes `json:"memoryBytes,omitempty"`
	System    string      `json:"system,omitempty"` // such as "Debian GNU/Linux 12 (bookworm)"
	OS        string      `json:"os"`
	Arch      string      `json:"arch"`
	GoVersion string      `json:"goVersion"`
}

// thisMachine asks Linux for what the Go runtime does not know; elsewhere that
// stays empty.
func thisMachine() machine {
	return machine{
		CPU: field("/proc/cpuinfo", "model name", ":"), CPUs: runtime.NumCPU(),
		Memory: kibibytes(field("/proc/meminfo", "MemTotal", ":")),
		System: strings.Trim(field("/etc/os-release", "PRETTY_NAME", "="), `"`),
		OS:     runtime.GOOS, Arch: runtime.GOARCH, GoVersion: runtime.Version(),
	}
}

// field returns the value of the first line of a file that begins with a key.
func field(path, key, separator string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, separator); ok && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// kibibytes reads a figure of /proc/meminfo, such as "16384 kB".
func kibibytes(text string) bench.Bytes {
	n, err := strconv.ParseInt(strings.TrimSuffix(text, " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return bench.Bytes(n << 10)
}
