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

// exchange is a request that was sent and the answer that came.
type exchange struct {
	Name, Description string
	Request, Answer   string // laid out for reading
}

// stage runs examples on servers of its own, each of which begins with a
// clock that says the same.
type stage struct {
	testdata string
	played   []string // keys of the scenes that were used
}

// examples runs the examples of a method's document. One that asks what an
// earlier one asked, in the same scene, is left out: its answer would be the
// same.
func (s *stage) examples(m *rpc.Method) ([]exchange, error) {
	var out []exchange
	asked := map[string]bool{}
	for _, e := range m.Schema().Examples() {
		key := m.Name + ": " + e.Name
		scene, staged := scenes[key]
		if staged {
			s.played = append(s.played, key)
		}
		line := request(m.Name, e.Params)
		if !staged && asked[line] {
			continue
		}
		asked[line] = asked[line] || !staged
		x, err := s.result(scene, m, line)
		if err != nil {
			return nil, fmt.Errorf("example %q: %w", e.Name, err)
		}
		x.Name, x.Description = e.Name, e.Description
		out = append(out, x)
	}
	return out, nil
}

// checkScenes reports scenes of examples that there are not.
func (s *stage) checkScenes() error {
	var problems []error
	for key := range scenes {
		if !slices.Contains(s.played, key) {
			problems = append(problems, fmt.Errorf("there is no example %q to set a scene for", key))
		}
	}
	return errors.Join(problems...)
}

// result is ask for a line whose answer must be a result that fits the schema.
func (s *stage) result(scene scene, m *rpc.Method, line string) (exchange, error) {
	answer, err := s.send(scene, line)
	if err != nil {
		return exchange{}, err
	}
	var response struct{ Result json.RawMessage }
	if err := json.Unmarshal(answer, &response); err != nil {
		return exchange{}, err
	}
	if response.Result == nil {
		return exchange{}, fmt.Errorf("the answer is no result: %s", answer)
	}
	issues, err := m.Schema().Result.Validate(response.Result)
	if err != nil || len(issues) > 0 {
		return exchange{}, fmt.Errorf("the answer does not fit the schema: %v %v", issues, err)
	}
	return newExchange(line, answer, brief)
}

// ask sends a line, whatever it is, and shows the answer whole.
func (s *stage) ask(scene scene, line string) (exchange, error) {
	answer, err := s.send(scene, line)
	if err != nil {
		return exchange{}, err
	}
	return newExchange(line, answer, whole)
}

func newExchange(line string, answer []byte, d detail) (exchange, error) {
	shown, err := layOut(answer, d)
	if err != nil {
		return exchange{}, err
	}
	asked, err := layOut([]byte(line), whole)
	if err != nil { // shown as it is: that it is no JSON is the point of it
		asked = line
	}
	return exchange{Request: asked, Answer: shown}, nil
}

// send sets the scene and returns the answer to a line.
func (s *stage) send(scene scene, line string) ([]byte, error) {
	dir, err := s.folder(scene)
	if err != nil {
		return nil, err
	}
	if scene.gone != nil {
		defer os.RemoveAll(dir)
	}
	registry, err := s.registry(dir)
	if err != nil {
		return nil, err
	}
	for _, before := range scene.before {
		if _, err := serve(registry, before); err != nil {
			return nil, err
		}
	}
	for _, name := range scene.gone {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return serve(registry, line)
}

// folder returns the catalog's folder: a copy where files are to be removed.
// One that is not there has no place in the repository either, so that an
// answer may name it.
func (s *stage) folder(scene scene) (string, error) {
	dir := filepath.Join(s.testdata, cmp.Or(scene.catalog, standard))
	switch {
	case scene.catalog == missing:
		return missing, nil
	case scene.gone == nil:
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
