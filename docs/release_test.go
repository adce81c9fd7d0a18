package docs_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
	"go.yaml.in/yaml/v4"
)

// A release is described in files that know nothing of each other:
// server.json, Containerfile, .goreleaser.yaml, .ci/cross and the source.
// These tests hold them together. .ci/release-check tries what they describe.

// programVersion is the version in the source.
func programVersion(t *testing.T) string {
	t.Helper()
	return submatch(t, "cmd/catalog/run.go", `(?m)^var version = "(.+)"$`)
}

// submatch returns what the group of a pattern matches in a file.
func submatch(t *testing.T, name, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(read(t, name))
	if m == nil {
		t.Fatalf("%s: nothing matches %s", name, pattern)
	}
	return m[1]
}

// manifest is server.json, as far as this project uses the format: reading it
// fails at any other member.
type manifest struct {
	Schema      string `json:"$schema"`
	Name        string
	Title       string
	Description string
	Version     string
	Packages    []struct {
		RegistryType     string
		Identifier       string
		RuntimeHint      string
		RuntimeArguments []manifestArgument
		Transport        struct{ Type string }
	}
}

type manifestArgument struct {
	Type, Name, Description, Value string
	Variables                      map[string]struct {
		Description, Format string
		IsRequired          bool
	}
}

func readManifest(t *testing.T, text string) (m manifest) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		t.Fatalf("server.json: %v", err)
	}
	return m
}

// serverName is the form that the registry asks of a name.
var serverName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$`)

// What the schema of 2025-12-11 and the registry's own validation ask, as far
// as it concerns what server.json uses.
func TestServerManifest(t *testing.T) {
	t.Parallel()
	m := readManifest(t, read(t, "server.json"))
	version := programVersion(t)
	for what, ok := range map[string]bool{
		"$schema is that of the newest format":       m.Schema == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name is a reverse domain, / and a name":     serverName.MatchString(m.Name) && len(m.Name) <= 200,
		"title has 1 to 100 characters":              len(m.Title) >= 1 && len(m.Title) <= 100,
		"description has 1 to 100 characters":        len(m.Description) >= 1 && len(m.Description) <= 100,
		"version is the program's, " + version:       m.Version == version,
		"there is a package, else nobody can use it": len(m.Packages) > 0,
	} {
		if !ok {
			t.Errorf("server.json: wanted: %s", what)
		}
	}
	for _, p := range m.Packages {
		for what, ok := range map[string]bool{
			"registryType is oci, which Containerfile makes": p.RegistryType == "oci",
			"identifier ends with the version as its tag":    strings.HasSuffix(p.Identifier, ":"+version),
			"runtimeArguments come with a runtimeHint":       p.RuntimeHint != "",
			"transport is stdio":                             p.Transport.Type == "stdio",
		} {
			if !ok {
				t.Errorf("server.json: package %s: wanted: %s", p.Identifier, what)
			}
		}
		for _, a := range p.RuntimeArguments {
			checkArgument(t, a)
		}
	}
}

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

// checkArgument: a named argument, whose value asks for its variables and for
// no others.
func checkArgument(t *testing.T, a manifestArgument) {
	t.Helper()
	if a.Type != "named" || a.Name == "" || strings.ContainsAny(a.Name, "<> $") || strings.HasPrefix(a.Value, a.Name) {
		t.Errorf("server.json: argument %q is not a name and a value apart", a.Name)
	}
	asked := map[string]bool{}
	for _, p := range placeholder.FindAllStringSubmatch(a.Value, -1) {
		asked[p[1]] = true
		if v, ok := a.Variables[p[1]]; !ok || !v.IsRequired || v.Description == "" {
			t.Errorf("server.json: argument %s: the variable %s is not required, or not described", a.Name, p[1])
		}
	}
	if len(asked) != len(a.Variables) {
		t.Errorf("server.json: argument %s has variables that its value does not use", a.Name)
	}
}

// TestServerManifestSchema validates server.json with the schema that the MCP
// registry publishes. It is not part of this repository: MCP_SERVER_SCHEMA
// names the file.
func TestServerManifestSchema(t *testing.T) {
	t.Parallel()
	path := os.Getenv("MCP_SERVER_SCHEMA")
	if path == "" {
		t.Skip("MCP_SERVER_SCHEMA does not name a file with the schema: .ci/release-check has one")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(data))
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, "server.json")
	if result, err := schema.Validate(gojsonschema.NewStringLoader(text)); err != nil || !result.Valid() {
		t.Errorf("server.json does not keep to its schema: %v %v", result.Errors(), err)
	}
	for _, change := range [][2]string{
		{`"name": "`, `"name": "/`},
		{`"description": "`, `"description": "` + strings.Repeat("x", 100)},
		{`"type": "stdio"`, `"type": "pipe"`},
		{`"type": "named"`, `"type": "nameless"`},
		{`"version": `, `"edition": `},
	} {
		broken := strings.Replace(text, change[0], change[1], 1)
		if result, err := schema.Validate(gojsonschema.NewStringLoader(broken)); err != nil || result.Valid() {
			t.Errorf("it checks nothing: server.json with %s passes (%v)", change[1], err)
		}
	}
}

// steps are the lines of a container file, with those that go on
// joined, in order.
func steps(text string) (all [][2]string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		keyword, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if keyword != "" && !strings.HasPrefix(keyword, "#") {
			all = append(all, [2]string{keyword, rest})
		}
	}
	return all
}

func TestContainerfile(t *testing.T) {
	t.Parallel()
	// Of a keyword that a stage repeats, the last one of the file is kept,
	// which is what counts for the image.
	last, labels := map[string]string{}, map[string]string{}
	var from []string
	for _, i := range steps(read(t, "Containerfile")) {
		last[i[0]] = i[1]
		switch i[0] {
		case "FROM":
			from = append(from, i[1])
		case "LABEL":
			name, value, _ := strings.Cut(i[1], "=")
			labels[name] = strings.Trim(value, `"`)
		}
	}
	if len(from) != 2 {
		t.Fatalf("Containerfile: wanted a stage that builds and one that is the image, found %q", from)
	}
	goVersion := submatch(t, "go.mod", `(?m)^go (\S+)$`)
	binary := strings.Fields(last["COPY"])
	for what, ok := range map[string]bool{
		"builds with the Go of go.mod, " + goVersion:       strings.HasSuffix(from[0], " golang:"+goVersion+" AS build"),
		"the image is distroless and does not run as root": regexp.MustCompile(`^gcr\.io/distroless/static-debian\d+:nonroot$`).MatchString(from[1]),
		"the entry point is the binary":                    last["ENTRYPOINT"] == `["`+binary[len(binary)-1]+`"]`,
		"it serves unless told otherwise":                  last["CMD"] == `["serve"]`,
		"carries the name in server.json": labels["io.modelcontextprotocol.server.name"] ==
			readManifest(t, read(t, "server.json")).Name,
		"builds as a release is built": containsAll(last["RUN"], "CGO_ENABLED=0 ", " -trimpath ", `"-s -w `, "-X main.version="),
	} {
		if !ok {
			t.Errorf("Containerfile: wanted: %s", what)
		}
	}
}

func containsAll(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// What git ignores, and git's own folder, stay out of the image's build.
func TestContainerIgnore(t *testing.T) {
	t.Parallel()
	want := []string{".git"}
	for _, pattern := range strings.Fields(read(t, ".gitignore")) {
		// Only a pattern with a slash before its end is git's for one folder.
		if bare := strings.Trim(pattern, "/"); strings.HasPrefix(pattern, "/") {
			want = append(want, bare)
		} else {
			want = append(want, "**/"+bare)
		}
	}
	if got := strings.Fields(read(t, ".containerignore")); !slices.Equal(got, want) {
		t.Errorf(".containerignore: got %q, want %q, as .gitignore has it", got, want)
	}
}

// recipe is what these tests look at in .goreleaser.yaml. Whether goreleaser
// understands it, .ci/release-check tells.
type recipe struct {
	Builds []struct {
		Main, Binary                      string
		Env, Flags, Ldflags, Goos, Goarch []string
	}
}

func TestReleaseTargets(t *testing.T) {
	t.Parallel()
	var r recipe
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Builds) != 1 {
		t.Fatalf(".goreleaser.yaml has %d builds: one program is released", len(r.Builds))
	}
	build := r.Builds[0]
	var released []string
	for _, system := range build.Goos {
		for _, machine := range build.Goarch {
			released = append(released, system+"/"+machine)
		}
	}
	slices.Sort(released)
	cross := read(t, ".ci/cross")
	var checked []string
	for _, m := range regexp.MustCompile(`(?m)^ *\[(\w+/\w+)\]=`).FindAllStringSubmatch(cross, -1) {
		checked = append(checked, m[1])
	}
	slices.Sort(checked)
	want := []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}
	if !slices.Equal(released, want) || !slices.Equal(checked, want) {
		t.Errorf("goreleaser builds for %q and .ci/cross for %q, but both should for %q", released, checked, want)
	}
	if build.Main != "./cmd/catalog" || !slices.Equal(build.Env, []string{"CGO_ENABLED=0"}) ||
		!slices.Equal(build.Flags, []string{"-trimpath"}) || !slices.Equal(build.Ldflags, []string{"-s -w -X main.version={{ .Version }}"}) {
		t.Errorf(".goreleaser.yaml: the build is %+v, which .ci/cross does not check", build)
	}
	if !containsAll(cross, "CGO_ENABLED=0 ", " -trimpath ", `"-s -w -X main.version=$stamp"`, " ./cmd/catalog") {
		t.Error(".ci/cross does not build as a release is built")
	}
}
