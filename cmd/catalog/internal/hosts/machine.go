package hosts

import (
	"fmt"
	"strings"
)

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

// absolute reports whether a path of this machine's system is one.
func (m Machine) absolute(path string) bool {
	if !m.windows() {
		return strings.HasPrefix(path, "/")
	}
	path = strings.ReplaceAll(path, "/", `\`)
	return strings.HasPrefix(path, `\\`) || len(path) > 2 && path[1:3] == `:\`
}

// places finds the folders of the user. The first one that cannot be told is
// the error of all.
type places struct {
	Machine
	err error
}

func (p *places) fail(problem string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(problem, args...)
	}
}

func (p *places) home() string {
	variable := "HOME"
	if p.windows() {
		variable = "USERPROFILE"
	}
	if p.Env(variable) == "" {
		p.fail("the home folder is unknown: set %s", variable)
		return ""
	}
	return p.folder(variable)
}

// folder is what an environment variable names, else a folder below the home.
func (p *places) folder(variable string, below ...string) string {
	folder := p.Env(variable)
	if folder == "" {
		return p.join(append([]string{p.home()}, below...)...)
	}
	if !p.absolute(folder) {
		p.fail("%s is %q, which is no absolute path: set it to one, or to nothing", variable, folder)
	}
	return folder
}

// config is where the XDG Base Directory Specification has configurations. A
// relative path is to be ignored, it says.
func (p *places) config() string {
	if named := p.Env("XDG_CONFIG_HOME"); strings.HasPrefix(named, "/") {
		return named
	}
	return p.join(p.home(), ".config")
}

// applications is where programs with a window keep their data.
func (p *places) applications() string {
	switch p.OS {
	case "windows":
		return p.folder("APPDATA", "AppData", "Roaming")
	case "darwin":
		return p.join(p.home(), "Library", "Application Support")
	}
	return p.config()
}

// localApplications is the same on Windows for data that stays on the machine.
func (p *places) localApplications() string {
	return p.folder("LOCALAPPDATA", "AppData", "Local")
}

// extension is where VS Code keeps the data of an extension.
func (p *places) extension(id string) string {
	return p.join(p.applications(), "Code", "User", "globalStorage", id)
}
