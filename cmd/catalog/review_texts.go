package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/source"
	"instruction-catalog/schemas/jsonscan"
)

// reviewText is a text to review, and where it comes from.
type reviewText struct {
	path    string // as a person names it
	content string
	named   bool   // by an argument, or standard input; else it stands in a folder or bundle
	first   int    // the line of the file on which it begins
	unread  string // why it cannot be read; "" if it was
	within  bool   // whether all of it stands on that line, as a string of JSON does
}

// line returns the line of the file for one of the text, from 1.
func (t reviewText) line(n int) int {
	if t.within {
		return t.first
	}
	return t.first + n - 1
}

// textsOf returns what the arguments name: files, the texts of folders, standard input.
// The error is about those that cannot be read.
func (a *app) textsOf(args []string) ([]reviewText, error) {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var all []reviewText
	var failed []error
	for _, arg := range args {
		some, err := a.textsAt(arg)
		all = append(all, some...)
		failed = append(failed, err)
	}
	return all, errors.Join(failed...)
}

func (a *app) textsAt(name string) ([]reviewText, error) {
	if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
		return a.textsIn(name)
	}
	if source.IsBundleName(name) {
		return a.bodiesOf(name)
	}
	data, err := a.readInput(name)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s is not UTF-8: convert it first", name)
	}
	text := fileText(name, data)
	text.named = true
	return []reviewText{text}, nil
}

// textsIn returns the texts of a folder. Symbolic links are named and not followed, and
// what is left out is counted.
func (a *app) textsIn(dir string) ([]reviewText, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f := textFinder{app: a, dir: dir, reader: files.NewReader(root)}
	defer f.reader.Close()
	if err := fs.WalkDir(root.FS(), ".", f.visit); err != nil {
		return nil, err
	}
	if f.leftOut > 0 {
		fmt.Fprintf(a.stderr, "catalog: %s: %s not reviewed, being neither prose nor of an agent: name a file to review it\n", oneLine(dir), count(f.leftOut, "file", "files"))
	}
	return f.texts, nil
}

// bodiesOf returns the bodies of a bundle. Lines that are no entries are told of, and an
// error: what they say cannot be reviewed.
func (a *app) bodiesOf(name string) ([]reviewText, error) {
	s, err := source.New(name).Load(context.Background())
	if err != nil {
		return nil, err
	}
	unread := 0
	for _, d := range s.Diagnostics() {
		if d.Severity == catalog.SeverityError {
			fmt.Fprintln(a.stderr, describe(filepath.ToSlash(filepath.Dir(name)), d))
			unread++
		}
	}
	if unread > 0 {
		return nil, fmt.Errorf("%s: %s cannot be reviewed: mend that first", name, count(unread, "line", "lines"))
	}
	var all []reviewText
	for _, e := range s.Entries() {
		all = append(all, reviewText{path: name, content: shownOf(e), first: e.Origin.FirstLine(), within: true})
	}
	return all, nil
}

// fileText returns the text of a file: of an instruction that is kept as JSON its
// body, of any other file all of it.
func fileText(name string, data []byte) reviewText {
	whole := reviewText{path: name, content: string(files.TrimByteOrderMark(data)), first: 1}
	if filepath.Ext(name) != ".json" {
		return whole
	}
	e := format.Interpret(filepath.Base(name), data)
	if e == nil {
		return whole
	}
	return reviewText{
		path: name, content: shownOf(e),
		first: 1 + strings.Count(whole.content[:bodyOffset(whole.content)], "\n"), within: true,
	}
}

// shownOf is what agents are shown of an entry: its body, then what else it says.
func shownOf(e *catalog.Entry) string {
	text := e.Body.Text()
	for _, part := range []string{e.Title, e.SemanticSummary, e.Instruction().Rationale, strings.Join(e.Categories, "\n")} {
		if !strings.Contains(text, part) {
			text += "\n\n" + part
		}
	}
	return text
}

// bodyOffset returns where the value of the member body of a JSON object begins.
func bodyOffset(object string) int {
	for m := range jsonscan.Members([]byte(object)) {
		if strings.EqualFold(string(m.Name), "body") {
			return m.At
		}
	}
	return 0
}
