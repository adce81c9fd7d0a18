package hosts

import "strings"

// A Machine is what the place of a configuration depends on.
type Machine struct {
	OS  string              // as runtime.GOOS has it
	Env func(string) string // as os.Getenv
}

func (m Machine) windows() bool { return m.OS == "windows" }

// join makes a path of this machine's system.
func (m Machine) join(elements ...string) string {
	separator := "/"
	if m.windows() {
		separator = `\`
	}
	return strings.Join(elements, separator)
}

func (m Machine) homeVariable() string {
	if m.windows() {
		return "USERPROFILE"
	}
	return "HOME"
}

func (m Machine) home() string { return m.Env(m.homeVariable()) }

// folder is what an environment variable names, else the fallback.
func (m Machine) folder(variable, fallback string) string {
	if named := m.Env(variable); named != "" {
		return named
	}
	return fallback
}

// config is where the XDG Base Directory Specification has configurations. A
// relative path is to be ignored, it says.
func (m Machine) config() string {
	if named := m.Env("XDG_CONFIG_HOME"); strings.HasPrefix(named, "/") {
		return named
	}
	return m.join(m.home(), ".config")
}

// applications is where programs with a window keep their data.
func (m Machine) applications() string {
	switch m.OS {
	case "windows":
		return m.folder("APPDATA", m.join(m.home(), "AppData", "Roaming"))
	case "darwin":
		return m.join(m.home(), "Library", "Application Support")
	}
	return m.config()
}

// localApplications is the same on Windows for data that stays on the machine.
func (m Machine) localApplications() string {
	return m.folder("LOCALAPPDATA", m.join(m.home(), "AppData", "Local"))
}
