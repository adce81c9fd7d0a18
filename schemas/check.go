package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// check makes sure that nothing which is put off until it is needed can fail
// then.
func (s *Set) check() error {
	definedIn := map[string]string{}
	for _, d := range s.sorted() {
		if err := d.check(definedIn); err != nil {
			return fmt.Errorf("schemas: %s: %w", d.file, err)
		}
	}
	for _, d := range s.sorted() {
		for _, f := range d.fragments() {
			if err := f.checkRefs(); err != nil {
				return fmt.Errorf("schemas: %w", err)
			}
		}
	}
	return nil
}

// sorted returns the documents by file.
func (s *Set) sorted() []*document {
	var documents []*document
	for _, file := range slices.Sorted(maps.Keys(s.documents)) {
		documents = append(documents, s.documents[file])
	}
	return documents
}

// check reads a document, and decodes its top strictly before anything else
// looks at it. The definitions of all documents share one space of names.
func (d *document) check(definedIn map[string]string) error {
	if err := d.load(); err != nil {
		return err
	}
	var top struct {
		Title       string                     `json:"title"`
		Description string                     `json:"description"`
		Properties  map[string]json.RawMessage `json:"properties"`
		Definitions map[string]json.RawMessage `json:"definitions"`
		Examples    []Example                  `json:"examples"`
	}
	if err := json.Unmarshal(d.text, &top); err != nil {
		return err
	}
	for _, name := range d.definitions() {
		if other, twice := definedIn[name]; twice {
			return fmt.Errorf("it defines %s, which %s defines already: give it another name", name, other)
		}
		definedIn[name] = d.file
		if err := d.content().definitions[name].check(); err != nil {
			return fmt.Errorf("definition %s: %w", name, err)
		}
	}
	switch {
	case d.isFormat():
		return d.content().whole.check()
	case d.isMethod():
		return d.checkMethod()
	}
	return nil
}

func (d *document) checkMethod() error {
	c := d.content()
	if want := methodFile(c.title); want != d.file {
		return fmt.Errorf("its title %q belongs into a file named %s", c.title, want)
	}
	if err := c.params.check(); err != nil {
		return fmt.Errorf("params: %w", err)
	}
	if err := c.result.check(); err != nil {
		return fmt.Errorf("result: %w", err)
	}
	return nil
}

// definitions returns the names of what the document defines, sorted.
func (d *document) definitions() []string { return slices.Sorted(maps.Keys(d.content().definitions)) }

// fragments returns every schema of the document.
func (d *document) fragments() []*fragment {
	var all []*fragment
	for _, name := range d.definitions() {
		all = append(all, d.content().definitions[name])
	}
	switch c := d.content(); {
	case d.isFormat():
		all = append(all, c.whole)
	case d.isMethod():
		all = append(all, c.params, c.result)
	}
	return all
}
