package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/instructions"
)

// changeLogFile is written by hand; the document ends with it.
const changeLogFile = "docs/contract-changelog.md"

//go:embed tools.md.tmpl
var toolsTemplate string

// requestTemplate shows a request and its answer.
//
//go:embed request.md.tmpl
var requestTemplate string

// page is what the template makes the document of.
type page struct {
	Contract  string
	Methods   []*section
	Types     []typeSection
	ChangeLog string
}

// section is what the document says about one method.
type section struct {
	*rpc.Method
	Signature string
	Params    table
	Variants  []variant
	Examples  []example
}

// generate returns the document for the repository at root. It reads files
// there and writes none.
func generate(root string) ([]byte, error) {
	run := &runner{testdata: filepath.Join(root, "cmd/gendocs/testdata")}
	p, err := newPage(root, run)
	if err != nil {
		return nil, err
	}
	t, err := template.New("tools").Funcs(template.FuncMap{
		"anchor": anchor,
		"cell":   cell,
		"ask":    func(line string) (example, error) { return run.ask(fixture{}, line) },
		"askIn":  func(catalog, line string) (example, error) { return run.ask(fixture{catalog: catalog}, line) },
	}).Parse(requestTemplate + toolsTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func newPage(root string, run *runner) (*page, error) {
	log, err := changeLog(filepath.Join(root, changeLogFile))
	if err != nil {
		return nil, err
	}
	registry, err := run.registry(filepath.Join(run.testdata, standard))
	if err != nil {
		return nil, err
	}
	p := &page{Contract: instructions.ContractVersion, ChangeLog: log}
	types := newTypes()
	for _, m := range registry.Methods() {
		s, err := newSection(m, types, run.examples)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		p.Methods = append(p.Methods, s)
	}
	p.Types, err = types.sections()
	if err != nil {
		return nil, err
	}
	return p, run.checkFixtures()
}

func newSection(m *rpc.Method, types *types, run func(*rpc.Method) ([]example, error)) (*section, error) {
	params, err := types.read(m.Schema().Params)
	if err != nil {
		return nil, err
	}
	result, err := types.read(m.Schema().Result)
	if err != nil {
		return nil, err
	}
	examples, err := run(m)
	if err != nil {
		return nil, err
	}
	return &section{
		Method:    m,
		Signature: signature(m.Name, params, result),
		Params:    params.table(),
		Variants:  result.variants(),
		Examples:  examples,
	}, nil
}

// changeLog returns the text below the title of the file.
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

// anchor is the fragment by which a heading can be linked to, as GitHub makes it.
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

// cell makes a text fit for a cell of a Markdown table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
