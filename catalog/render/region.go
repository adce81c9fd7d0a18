package render

import (
	"bytes"
	"errors"
	"slices"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
)

// Begin and End are the marker lines around the generated region of a file.
const (
	Begin = "<!-- catalog: begin; do not edit here, edit the catalog -->"
	End   = "<!-- catalog: end -->"
)

// ErrMarkers reports that the markers of a file are not exactly one begin marker and
// one end marker below it.
var ErrMarkers = errors.New("it must have one begin marker and one end marker below it: leave one pair, or remove all markers")

// Region is the generated region of a file, as byte offsets.
type Region struct {
	Begin, End           int // including the marker lines
	ContentStart, EndsAt int // the content between the marker lines
}

// Find returns the region of a file. found is false if the file has no markers. The
// only error is [ErrMarkers].
func Find(file []byte) (r Region, found bool, err error) {
	at := len(file) - len(files.TrimByteOrderMark(file))
	begins, ends := 0, 0
	for rest := file[at:]; len(rest) > 0; {
		var line []byte
		line, rest = frontmatter.CutLine(rest)
		next := len(file) - len(rest)
		switch marker(line) {
		case Begin:
			begins++
			r.Begin, r.ContentStart = next-len(line), next
		case End:
			ends++
			r.EndsAt, r.End = next-len(line), next
		}
	}
	switch {
	case begins == 0 && ends == 0:
		return Region{}, false, nil
	case begins != 1 || ends != 1 || r.EndsAt < r.ContentStart:
		return Region{}, false, ErrMarkers
	}
	return r, true, nil
}

// marker returns the marker in a line, or "" if the line is not a marker. It ignores
// white space at the end of the line.
func marker(line []byte) string {
	switch line := string(bytes.TrimRight(line, " \t\r\n")); line {
	case Begin, End:
		return line
	}
	return ""
}

// HasMarker reports whether a line of text is a marker.
func HasMarker(text []byte) bool {
	for rest := text; len(rest) > 0; {
		var line []byte
		if line, rest = frontmatter.CutLine(rest); marker(line) != "" {
			return true
		}
	}
	return false
}

// Content returns the text between the markers of a file, or nil if the file has no
// markers. The only error is [ErrMarkers].
func Content(file []byte) ([]byte, error) {
	r, found, err := Find(file)
	if err != nil || !found {
		return nil, err
	}
	return file[r.ContentStart:r.EndsAt:r.EndsAt], nil
}

// Put returns file with content between its markers. If file has no markers, Put
// appends them. The content must be empty or end in a newline. The content, and markers
// that Put adds, get the line endings of file. The only error is [ErrMarkers].
func Put(file, content []byte) ([]byte, error) {
	r, found, err := Find(file)
	if err != nil {
		return nil, err
	}
	if found {
		return slices.Concat(file[:r.ContentStart], WithLineEnds(content, file), file[r.EndsAt:]), nil
	}
	region := slices.Concat([]byte(Begin+"\n"), content, []byte(End+"\n"))
	if text := files.TrimByteOrderMark(file); len(text) > 0 && text[len(text)-1] != '\n' {
		region = append([]byte("\n"), region...)
	}
	return slices.Concat(file, WithLineEnds(region, file)), nil
}

// Cut returns file without its region and markers. The only error is [ErrMarkers]; file
// is then returned unchanged.
func Cut(file []byte) ([]byte, error) {
	r, found, err := Find(file)
	if err != nil || !found {
		return file, err
	}
	return slices.Concat(file[:r.Begin], file[r.End:]), nil
}
