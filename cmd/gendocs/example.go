package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/stdio"
)

// example is a request that was sent and the answer that came.
type example struct {
	Name, Description string
	Request, Answer   string // laid out for reading
}

// runner runs examples on servers of its own, each of which begins with a
// clock that says the same.
type runner struct {
	testdata string
	used     []string // keys of the fixtures that were used
}

// examples runs the examples of a method's document. One that asks what an
// earlier one asked, with the same fixture, is left out: its answer would be the
// same.
func (r *runner) examples(m *rpc.Method) ([]example, error) {
	var out []example
	asked := map[string]bool{}
	for _, e := range m.Schema().Examples() {
		key := m.Name + ": " + e.Name
		fixture, prepared := fixtures[key]
		if prepared {
			r.used = append(r.used, key)
		}
		line := request(m.Name, e.Params)
		if !prepared && asked[line] {
			continue
		}
		asked[line] = asked[line] || !prepared
		x, err := r.result(fixture, m, line)
		if err != nil {
			return nil, fmt.Errorf("example %q: %w", e.Name, err)
		}
		x.Name, x.Description = e.Name, e.Description
		out = append(out, x)
	}
	return out, nil
}

// checkFixtures reports fixtures of examples that there are not.
func (r *runner) checkFixtures() error {
	var problems []error
	for key := range fixtures {
		if !slices.Contains(r.used, key) {
			problems = append(problems, fmt.Errorf("the fixture of %q has no example", key))
		}
	}
	return errors.Join(problems...)
}

// result is ask for a line whose answer must be a result that fits the schema.
func (r *runner) result(fixture fixture, m *rpc.Method, line string) (example, error) {
	answer, err := r.send(fixture, line)
	if err != nil {
		return example{}, err
	}
	var response struct{ Result json.RawMessage }
	if err := json.Unmarshal(answer, &response); err != nil {
		return example{}, err
	}
	if response.Result == nil {
		return example{}, fmt.Errorf("the answer is no result: %s", answer)
	}
	issues, err := m.Schema().Result.Validate(response.Result)
	if err != nil || len(issues) > 0 {
		return example{}, fmt.Errorf("the answer does not fit the schema: %v %v", issues, err)
	}
	return newExample(line, answer, brief)
}

// ask sends a line, whatever it is, and shows the answer whole.
func (r *runner) ask(fixture fixture, line string) (example, error) {
	answer, err := r.send(fixture, line)
	if err != nil {
		return example{}, err
	}
	return newExample(line, answer, whole)
}

func newExample(line string, answer []byte, d detail) (example, error) {
	shown, err := layOut(answer, d)
	if err != nil {
		return example{}, err
	}
	asked, err := layOut([]byte(line), whole)
	if err != nil { // shown as it is: that it is not JSON is the point of it
		asked = line
	}
	return example{Request: asked, Answer: shown}, nil
}

// send prepares the fixture and returns the answer to a line.
func (r *runner) send(fixture fixture, line string) ([]byte, error) {
	dir, err := r.folder(fixture)
	if err != nil {
		return nil, err
	}
	if fixture.gone != nil {
		defer os.RemoveAll(dir)
	}
	registry, err := r.registry(dir)
	if err != nil {
		return nil, err
	}
	for _, before := range fixture.before {
		if _, err := serve(registry, before); err != nil {
			return nil, err
		}
	}
	for _, name := range fixture.gone {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return serve(registry, line)
}

// folder returns the catalog's folder: a copy where files are to be removed.
// One that is not there has no place in the repository either, so that an
// answer may name it.
func (r *runner) folder(fixture fixture) (string, error) {
	dir := filepath.Join(r.testdata, cmp.Or(fixture.catalog, standard))
	switch {
	case fixture.catalog == missing:
		return missing, nil
	case fixture.gone == nil:
		return dir, nil
	}
	temporary, err := os.MkdirTemp("", "gendocs-")
	if err != nil {
		return "", err
	}
	return temporary, os.CopyFS(temporary, os.DirFS(dir))
}

// serve sends one line through a server, as a client would over its pipe.
func serve(registry *rpc.Registry, line string) ([]byte, error) {
	server := &stdio.Server{
		Registry: registry, Log: slog.New(slog.DiscardHandler), MaxLine: stdio.DefaultMaxLine,
	}
	var out bytes.Buffer
	err := server.Serve(context.Background(), strings.NewReader(line+"\n"), &out)
	return out.Bytes(), err
}

func request(method string, params json.RawMessage) string {
	var compact bytes.Buffer
	if err := json.Compact(&compact, params); err != nil {
		panic("gendocs: the params of an example are no JSON: " + err.Error()) // they were read as JSON
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, &compact)
}
