package crosscheck

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/markdown"
	"instruction-catalog/governance/report"
)

// linkedText is a text whose links are checked.
type linkedText struct {
	entry *catalog.Entry // whose text it is, or that of the skill that it is part of
	file  string         // in the repository
	text  string
	bases []string // the folders that a link in it may begin at
	moves bool     // to another repository, so that nothing is known of its top
	place func(line int) report.Place
}

// deadFileLinks reports Markdown links and images that lead to no file.
func deadFileLinks(texts []entryText, t *tree, view View) (found []report.Finding) {
	skills := map[string]*catalog.Entry{}
	for _, e := range texts {
		if e.Origin.Line > 0 {
			continue // in a bundle
		}
		file := t.ofCatalog(e.Origin.Path)
		folder := path.Dir(file)
		if e.Load == catalog.LoadSkill && path.Base(file) == "SKILL.md" && folder != "." {
			skills[folder] = e.Entry
		}
		found = append(found, t.deadIn(linkedText{
			entry: e.Entry, file: file, text: e.body, bases: []string{folder, t.Catalog, "."}, moves: isMisplaced(e.Entry),
			place: func(line int) report.Place { return view.Place(e.Entry, line) },
		}, view)...)
	}
	if len(skills) == 0 {
		return found
	}
	for _, file := range t.Files {
		e, folder := skillOf(file, skills)
		if e == nil || !strings.EqualFold(path.Ext(file), ".md") || path.Base(file) == "SKILL.md" || isSample(strings.TrimPrefix(file, folder)) {
			continue
		}
		if text, ok := t.Text(file); ok {
			found = append(found, t.deadIn(linkedText{
				entry: e, file: file, text: text, bases: []string{path.Dir(file), folder, t.Catalog, "."},
				place: func(line int) report.Place { return t.place(view, file, line) },
			}, view)...)
		}
	}
	return found
}

// skillOf returns the skill that a file is part of, and its folder.
func skillOf(file string, skills map[string]*catalog.Entry) (*catalog.Entry, string) {
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if e := skills[folder]; e != nil {
			return e, folder
		}
	}
	return nil, ""
}

// isSample reports whether a file is meant to be copied, so that its links lead to files
// elsewhere.
func isSample(p string) bool {
	return strings.Contains(strings.ToLower(path.Base(p)), "template") || inSamples(p)
}

// inSamples reports whether a path lies in a folder of samples.
func inSamples(p string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(folder string) bool {
		switch strings.ToLower(folder) {
		case "assets", "templates", "template", "examples", "example", "samples", "fixtures", "testdata", "test-data":
			return true
		}
		return false
	})
}

// deadIn returns the dead links of a text. It is parsed only if something in it looks
// like one, as parsing takes most of the time.
func (t *tree) deadIn(l linkedText, view View) (found []report.Finding) {
	if !slices.ContainsFunc(destination.FindAllStringSubmatch(l.text, -1), func(m []string) bool {
		target, ok := fileTarget(m[1] + m[2])
		return ok && t.isDead(l, target)
	}) {
		return nil
	}
	links, err := markdown.Destinations([]byte(l.text))
	if err != nil {
		return nil // which the check of references tells
	}
	line, at, seen := 1, 0, map[string]bool{}
	for _, link := range links {
		target, ok := fileTarget(link.Name)
		if !ok || seen[target] || !t.isDead(l, target) {
			continue
		}
		seen[target] = true
		written, _, _ := strings.Cut(link.Name, "#")
		line += strings.Count(l.text[at:max(at, link.Start)], "\n")
		at = max(at, link.Start)
		found = append(found, t.deadLink(l, written, target, line, view))
	}
	return found
}

// destination finds what may be the destination of a link, in code or not.
var destination = regexp.MustCompile(`\]\(\s*<?([^\s)>]+)|(?m:^[ >]{0,8}\[[^\]\n]+\]:\s*<?([^\s>]+))`)

func (t *tree) deadLink(l linkedText, written, target string, line int, view View) report.Finding {
	f := finding(DeadLink, l.entry, l.place(line))
	what, _ := t.wants(l, target)
	name := view.quoteName(l.entry, written)
	repair := "correct it, or remove it"
	if near := t.nearest(what); near != "" {
		repair = fmt.Sprintf("%q exists", spellLink(written, path.Dir(l.file), near))
	}
	f.Message = fmt.Sprintf("the link to %q leads to no file: %s", name, repair)
	f.Match, f.Target = "link "+name, t.inCatalog(what)
	return f
}

// spellLink writes the way from a folder to a path as a link does.
func spellLink(written, folder, p string) string {
	switch {
	case strings.HasPrefix(written, "mdc:"):
		return "mdc:" + p
	case strings.HasPrefix(written, "/"):
		return "/" + p
	}
	return relative(folder, p)
}

// isDead reports whether a target exists below none of the folders that a link may begin at.
func (t *tree) isDead(l linkedText, target string) bool {
	_, dead := t.wants(l, target)
	return dead
}

// wants returns the path that a link leads to from its own file, and whether it is dead.
func (t *tree) wants(l linkedText, written string) (p string, dead bool) {
	bases, target := l.bases, written
	if fromTop, ok := strings.CutPrefix(target, "mdc:"); ok { // as Cursor names files
		bases, target = []string{"."}, strings.TrimPrefix(fromTop, "/")
	}
	rooted := strings.HasPrefix(target, "/")
	if l.moves && (rooted || strings.HasPrefix(written, "mdc:")) {
		return target, false
	}
	if rooted {
		bases, target = []string{"."}, target[1:]
	}
	first, _, _ := strings.Cut(target, "/")
	if (rooted || path.Ext(target) == "") && !slices.ContainsFunc(bases, func(base string) bool { return t.known[path.Join(base, first)] }) {
		return target, false // an address of a web site, a file of this machine, or made up
	}
	for i, base := range bases {
		candidate := path.Join(base, target)
		if i == 0 {
			p = candidate
		}
		if is, _ := t.look(candidate); is != absent && (i == 0 || !leadsOut(candidate)) {
			return p, false
		}
	}
	return p, true
}

var (
	scheme      = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	lineNumber  = regexp.MustCompile(`:\d+([-:]\d+)?$`)
	domain      = regexp.MustCompile(`(?i)^([\w-]+\.)+(com|org|net|io|dev|ai|app|sh|co|gov|edu)(/|$)`)
	placeholder = regexp.MustCompile(`(?i)[{}<>$*|…\[\]\\]|\.\.\.|(^|/)(path|your|my|some)[-_/]|(^|[/._-])(x{2,}|nnn+|yyyy|foo|bar|placeholder|example|filename|url|link)([/._-]|$)`)
)

// fileTarget returns the path that a link leads to, if it leads to a file and not to an
// address, a part of the text or something to be filled in.
func fileTarget(destination string) (target string, ok bool) {
	target, _, _ = strings.Cut(destination, "#")
	target, _, _ = strings.Cut(target, "?")
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	target = lineNumber.ReplaceAllString(target, "")
	switch {
	case target == "", scheme.MatchString(strings.TrimPrefix(target, "mdc:")), domain.MatchString(target), placeholder.MatchString(target),
		strings.HasPrefix(target, "//"), strings.HasPrefix(target, "~"), strings.HasPrefix(target, "www."),
		!strings.ContainsAny(target, "/."), strings.Trim(target, "./") == "":
		return "", false
	}
	return target, true
}
