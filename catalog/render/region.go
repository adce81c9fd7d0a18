package render

import (
	"bytes"
	"errors"
	"slices"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
)

// The lines between which our part of a file stands.
const (
	Begin = "<!-- catalog: begin; do not edit here, edit the catalog -->"
	End   = "<!-- catalog: end -->"
)

// ErrMarkers reports a file whose markers are not one begin with one end below it.
var ErrMarkers = errors.New("its markers are not one begin and one end below it: leave one pair of them, or remove them all")

// Region is our part of a file, as offsets of its bytes.
type Region struct {
	Begin, End           int // with the lines of the markers
	ContentStart, EndsAt int // what stands between them
}

// Find returns the region of a file. It is not found if the file has no marker. The
// error is [ErrMarkers].
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

// marker returns the marker that a line is, "" if it is not one.
func marker(line []byte) string {
	switch line := string(bytes.TrimRight(line, " \t\r\n")); line {
	case Begin, End:
		return line
	}
	return ""
}

// HasMarker reports whether a text has a line that would be taken for a marker.
func HasMarker(text []byte) bool {
	for rest := text; len(rest) > 0; {
		var line []byte
		if line, rest = frontmatter.CutLine(rest); marker(line) != "" {
			return true
		}
	}
	return false
}

// Content returns what stands between the markers of a file; nil if it has no markers.
func Content(file []byte) ([]byte, error) {
	r, found, err := Find(file)
	if err != nil || !found {
		return nil, err
	}
	return file[r.ContentStart:r.EndsAt:r.EndsAt], nil
}

// Put returns a file with the content between its markers, which are added at its end if
// it has none. The content must be empty or end in a newline. It and the markers get the
// line ends of the file.
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

// Cut returns a file without its region and the markers.
func Cut(file []byte) ([]byte, error) {
	r, found, err := Find(file)
	if err != nil || !found {
		return file, err
	}
	return slices.Concat(file[:r.Begin], file[r.End:]), nil
}
