package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	entries "instruction-catalog/catalog/render"
	"instruction-catalog/rpc"
)

//go:embed *.tmpl
var templateFiles embed.FS

// templates are the templates of the documents and their parts.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"anchor": anchor, "cell": cell, "sentence": sentence, "reads": reads,
	"regionBegin": func() string { return entries.Begin }, "regionEnd": func() string { return entries.End },
}).ParseFS(templateFiles, "*.tmpl"))

func render(name string, data any) ([]byte, error) {
	var out bytes.Buffer
	err := templates.ExecuteTemplate(&out, name, data)
	return out.Bytes(), err
}

// page is a toolset as the input of a template.
type page struct {
	*subject
	Contract  string
	Methods   []*section
	Types     []typeSection // shared by the methods
	ChangeLog string
}

// section describes one method.
type section struct {
	*rpc.Method
	Signature string
	Params    table
	Variants  []variant
	Examples  []example
}

// example is a request with its answer.
type example struct {
	Name, Description string
	Request, Answer   string // formatted for reading
}

// generateTools returns the document on the instruction catalog's methods. It reads
// files of the repository at root and does not write there.
func generateTools(root string) ([]byte, error) {
	p, err := newPage(root, shownInstructions)
	if err != nil {
		return nil, err
	}
	return render("tools.md.tmpl", p)
}

// generateToolsets returns the document on the other toolsets.
func generateToolsets(root string) ([]byte, error) {
	var pages []*page
	for _, s := range shownToolsets {
		p, err := newPage(root, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Title, err)
		}
		pages = append(pages, p)
	}
	return render("toolsets.md.tmpl", pages)
}

func newPage(root string, s *subject) (*page, error) {
	p := &page{subject: s}
	var err error
	if p.ChangeLog, err = changeLog(filepath.Join(root, s.changes)); err != nil {
		return nil, err
	}
	types, unused := newTypes(), map[string]bool{}
	for key := range s.scenes {
		unused[key] = true
	}
	err = s.start(s.usual, func(registry *rpc.Registry, contract string) error {
		p.Contract = contract
		for _, m := range registry.Methods() {
			one, err := p.section(m, types, unused)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
			p.Methods = append(p.Methods, one)
		}
		return registry.Conforms()
	})
	if err == nil && len(unused) > 0 {
		err = fmt.Errorf("scenes have no example: %v", unused)
	}
	if err != nil {
		return nil, err
	}
	p.Types, err = types.described(s.errors)
	return p, err
}

func (p *page) section(m *rpc.Method, types *types, unused map[string]bool) (*section, error) {
	params, err := types.read(m.Schema().Params)
	if err != nil {
		return nil, err
	}
	result, err := types.read(m.Schema().Result)
	if err != nil {
		return nil, err
	}
	examples, err := p.examples(m, unused)
	return &section{m, signature(m.Name, params, result), params.table(), result.variants(), examples}, err
}

// examples runs the examples of a method and removes their scenes from unused. It skips
// an example with the same request as an earlier one if both run in the usual scene,
// because the answer would be the same.
func (s *subject) examples(m *rpc.Method, unused map[string]bool) (all []example, err error) {
	asked := map[string]bool{}
	for _, e := range m.Schema().Examples() {
		key := m.Name + ": " + e.Name
		in, own := s.scenes[key]
		delete(unused, key)
		if !own {
			in = s.usual
		}
		line := request(m.Name, e.Params)
		if !own && asked[line] {
			continue
		}
		asked[line] = asked[line] || !own
		x, err := s.result(in, m, line)
		if err != nil {
			return nil, fmt.Errorf("example %q: %w", e.Name, err)
		}
		x.Name, x.Description = e.Name, e.Description
		all = append(all, x)
	}
	return all, nil
}

// result runs a request and returns it as an example. The answer must be a result that
// conforms to the schema.
func (s *subject) result(in scene, m *rpc.Method, line string) (example, error) {
	answer, err := s.send(in, line)
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
	return newExample(line, answer, s.shown)
}

func newExample(line string, answer []byte, d detail) (example, error) {
	shown, err := layOut(answer, d)
	if err != nil {
		return example{}, err
	}
	asked, err := layOut([]byte(line), whole)
	if err != nil { // the line of an example may be invalid JSON
		asked = line
	}
	return example{Request: asked, Answer: shown}, nil
}

// Ask sends any line and returns it with the complete answer.
func (p *page) Ask(line string) (example, error) { return p.AskIn(p.usual.catalog, line) }

// AskIn is like Ask, but uses another catalog, which may be missing.
func (p *page) AskIn(catalog, line string) (example, error) {
	in := p.usual
	in.catalog = catalog
	answer, err := p.send(in, line)
	if err != nil {
		return example{}, err
	}
	return newExample(line, answer, whole)
}

// Heading returns a heading of the page with the suffix of the toolset.
func (p *page) Heading(text string) string { return text + p.suffix }

// Part renders the named part of the prose about the toolset.
func (p *page) Part(name string) (string, error) {
	text, err := render(name+" of "+p.prose, p)
	return string(text), err
}

// changeLog returns the text of a change log without its title.
func changeLog(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	title, text, _ := strings.Cut(string(data), "\n")
	if !strings.HasPrefix(title, "# ") {
		return "", fmt.Errorf("%s: the first line must be its title", path)
	}
	return strings.TrimSpace(text), nil
}

// anchor returns the URL fragment that GitHub generates for a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

// cell escapes a text for a cell of a Markdown table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// sentence adds a full stop to a summary that has none.
func sentence(summary string) string { return strings.TrimSuffix(summary, ".") + "." }
