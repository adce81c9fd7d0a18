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

// reviewText is a text to review and its source.
type reviewText struct {
	path    string // path to show
	content string
	named   bool   // named by an argument, or standard input; false if found in a folder or bundle
	first   int    // line of the file on which the text begins
	unread  string // why the text cannot be read; "" if it was read
	within  bool   // whether the whole text is on line first, as in a JSON string
}

// line converts a line number of the text to one of the file. Both count from 1.
func (t reviewText) line(n int) int {
	if t.within {
		return t.first
	}
	return t.first + n - 1
}

// textsOf returns the texts that the arguments name: files, folders or standard input.
// The error joins the errors of all arguments that cannot be read.
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

// textsIn returns the texts of a folder. It does not follow symbolic links but names
// them on standard error, and prints how many files were skipped.
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
		fmt.Fprintf(a.stderr, "catalog: %s: %s not reviewed: only prose and files of agents are reviewed; name another file to review it\n", oneLine(dir), count(f.leftOut, "file", "files"))
	}
	return f.texts, nil
}

// bodiesOf returns the texts of a bundle's entries. If lines are not valid entries, it
// prints why and returns an error, because they cannot be reviewed.
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
		return nil, fmt.Errorf("%s: %s cannot be reviewed: fix that first", name, count(unread, "line", "lines"))
	}
	var all []reviewText
	for _, e := range s.Entries() {
		all = append(all, reviewText{path: name, content: shownOf(e), first: e.Origin.FirstLine(), within: true})
	}
	return all, nil
}

// fileText returns the text of a file. For an instruction in JSON it returns the
// entry's text; for any other file it returns all of it.
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

// shownOf returns the text of an entry that agents see: the body, followed by the
// title, summary, rationale and categories that the body does not contain.
func shownOf(e *catalog.Entry) string {
	text := e.Body.Text()
	for _, part := range []string{e.Title, e.SemanticSummary, e.Instruction().Rationale, strings.Join(e.Categories, "\n")} {
		if !strings.Contains(text, part) {
			text += "\n\n" + part
		}
	}
	return text
}

// bodyOffset returns the offset of the value of the "body" member in a JSON object, or
// 0 if the object has no body.
func bodyOffset(object string) int {
	for m := range jsonscan.Members([]byte(object)) {
		if strings.EqualFold(string(m.Name), "body") {
			return m.At
		}
	}
	return 0
}
