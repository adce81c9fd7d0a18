package hosts

import (
	"fmt"
	"strings"
)

// A Machine is the environment that determines where configurations are.
type Machine struct {
	OS  string              // as in runtime.GOOS
	Env func(string) string // like os.Getenv
}

func (m Machine) windows() bool { return m.OS == "windows" }

// join joins path elements with this machine's separator.
func (m Machine) join(elements ...string) string {
	separator := "/"
	if m.windows() {
		separator = `\`
	}
	return strings.Join(elements, separator)
}

// absolute reports whether a path is absolute on this machine.
func (m Machine) absolute(path string) bool {
	if !m.windows() {
		return strings.HasPrefix(path, "/")
	}
	path = strings.ReplaceAll(path, "/", `\`)
	return strings.HasPrefix(path, `\\`) || len(path) > 2 && path[1:3] == `:\`
}

// places determines the folders of the user. err is the first error.
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

// folder returns the folder that an environment variable names, or else the given
// folder below the home folder.
func (p *places) folder(variable string, below ...string) string {
	folder := p.Env(variable)
	if folder == "" {
		return p.join(append([]string{p.home()}, below...)...)
	}
	if !p.absolute(folder) {
		p.fail("%s is %q, which is not an absolute path: set it to one, or unset it", variable, folder)
	}
	return folder
}

// config returns the configuration folder of the XDG Base Directory Specification. The
// specification requires programs to ignore relative paths.
func (p *places) config() string {
	if named := p.Env("XDG_CONFIG_HOME"); strings.HasPrefix(named, "/") {
		return named
	}
	return p.join(p.home(), ".config")
}

// applications returns the folder where desktop programs keep their data.
func (p *places) applications() string {
	switch p.OS {
	case "windows":
		return p.folder("APPDATA", "AppData", "Roaming")
	case "darwin":
		return p.join(p.home(), "Library", "Application Support")
	}
	return p.config()
}

// localApplications returns the folder on Windows for data that stays on the machine.
func (p *places) localApplications() string {
	return p.folder("LOCALAPPDATA", "AppData", "Local")
}

// extension returns the folder where VS Code keeps the data of an extension.
func (p *places) extension(id string) string {
	return p.join(p.applications(), "Code", "User", "globalStorage", id)
}
