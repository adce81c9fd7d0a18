package crosscheck

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/markdown"
	"instruction-catalog/governance/report"
)

// linkedText is a text whose links are checked.
type linkedText struct {
	entry *catalog.Entry // the entry with the text, or the skill that the text is part of
	file  string         // path in the repository
	text  string
	bases []string // the folders that a link in it may be relative to
	moves bool     // whether the file is meant for another repository, whose top is not known
	place func(line int) report.Place
}

// deadFileLinks reports Markdown links and images whose target file does not exist.
func deadFileLinks(texts []entryText, t *tree, view View) (found []report.Finding) {
	skills := map[string]entryText{}
	for _, e := range texts {
		if e.Origin.Line > 0 {
			continue // from a bundle
		}
		file := t.fileOf(e.Entry)
		folder := path.Dir(file)
		if e.Load == catalog.LoadSkill && path.Base(file) == "SKILL.md" && folder != "." || e.Origin.Format == string(agents.KiroPower) {
			skills[folder] = e
		}
		found = append(found, t.deadIn(linkedText{
			entry: e.Entry, file: file, text: e.body, bases: []string{folder, t.Catalog, "."}, moves: isMisplaced(e.Entry),
			place: func(line int) report.Place { return view.Place(e.Entry, line) },
		}, view)...)
	}
	for _, part := range t.partsOf(skills) {
		found = append(found, t.deadIn(linkedText{
			entry: part.skill, file: part.file, text: part.text, bases: []string{path.Dir(part.file), part.folder, t.Catalog, "."},
			place: func(line int) report.Place { return t.place(view, part.file, line) },
		}, view)...)
	}
	return found
}

// deadIn returns the findings for the dead links of a text. Parsing takes most of the
// time, so it parses a text only if something in it looks like a dead link.
func (t *tree) deadIn(l linkedText, view View) (found []report.Finding) {
	if !slices.ContainsFunc(destination.FindAllStringSubmatch(l.text, -1), func(m []string) bool {
		target, ok := fileTarget(m[1] + m[2])
		return ok && t.isDead(l, target)
	}) {
		return nil
	}
	links, err := markdown.Destinations([]byte(l.text))
	if err != nil {
		return nil // deadReferences reports it
	}
	line, at, all := 1, 0, map[string]*deadLink{}
	var order []*deadLink
	for _, link := range links {
		target, ok := fileTarget(link.Name)
		if !ok || !t.isDead(l, target) {
			continue
		}
		line += strings.Count(l.text[at:max(at, link.Start)], "\n")
		at = max(at, link.Start)
		d := all[target]
		if d == nil {
			written, _, _ := strings.Cut(link.Name, "#")
			d = &deadLink{written: written, target: target, shown: true}
			all[target], order = d, append(order, d)
		}
		if !slices.Contains(d.lines, line) {
			d.lines = append(d.lines, line)
		}
		d.shown = d.shown && isShown(l.text, link.Start)
	}
	if isCopied(order, links) {
		return []report.Finding{t.copiedFinding(order, l, view)}
	}
	for _, d := range order {
		found = append(found, t.findingOf(d, l, view))
	}
	return found
}

// manyDead is the minimum number of dead links in a text that seems to be a copy.
const manyDead = 10

// isCopied reports whether a text seems to be copied from elsewhere together with its
// links: all relative links in it are dead, and there are many.
func isCopied(dead []*deadLink, links []markdown.Link) bool {
	isDead := map[string]bool{}
	for _, d := range dead {
		isDead[d.target] = true
	}
	return len(dead) >= manyDead && !slices.ContainsFunc(links, func(link markdown.Link) bool {
		target, ok := fileTarget(link.Name)
		return ok && !isDead[target]
	})
}

// copiedFinding returns the single finding for a text that seems to be a copy.
func (t *tree) copiedFinding(dead []*deadLink, l linkedText, view View) report.Finding {
	f := t.findingOf(dead[0], l, view)
	f.Severity = report.Note
	f.Message = fmt.Sprintf("the link to %q and %d others lead to no file: the text seems to be copied from elsewhere with its links", view.quoteName(l.entry, dead[0].written), len(dead)-1)
	return f
}

// deadLink is a target that does not exist, with the lines of a text that link to it.
type deadLink struct {
	written, target string
	lines           []int
	shown           bool // whether every link to it is an example
}

// showing matches the beginning of a line that introduces an example of a link.
var showing = regexp.MustCompile(`(?i)^[\s>*+|-]*[*_]{0,2}(?:for )?(?:examples?|e\.g\.|such as|format|syntax)[*_]{0,2}[:,.]`)

// isShown reports whether the words before an offset on its line introduce an example.
func isShown(text string, at int) bool {
	return showing.MatchString(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
}

// destination matches text that may be the destination of a link, even in code.
var destination = regexp.MustCompile(`\]\(\s*<?([^\s)>]+)|(?m:^[ >]{0,8}\[[^\]\n]+\]:\s*<?([^\s>]+))`)

// findingOf returns the finding for a dead link. It is a note if the link is an
// example, may lead to a page of a web site or is part of an installed skill.
func (t *tree) findingOf(d *deadLink, l linkedText, view View) report.Finding {
	f := finding(DeadLink, l.entry, l.place(d.lines[0]))
	if d.shown || t.isInstalled(l.file) || strings.HasPrefix(d.target, "/") && path.Ext(d.target) == "" {
		f.Severity = report.Note
	}
	what, _ := t.wants(l, d.target)
	name := view.quoteName(l.entry, d.written)
	repair := "correct it, or remove it"
	if near := t.nearest(what); near != "" {
		repair = fmt.Sprintf("%q exists", spellLink(d.written, path.Dir(l.file), near))
	}
	f.Message = fmt.Sprintf("the link to %q%s leads to no file: %s", name, d.elsewhere(l), repair)
	f.Match, f.Target = "link "+name, t.inCatalog(what)
	return f
}

// elsewhere returns the lines of all links but the first, worded for a message.
func (d *deadLink) elsewhere(l linkedText) string {
	var lines []string
	for _, line := range d.lines[1:] {
		lines = append(lines, strconv.Itoa(l.place(line).Line))
	}
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return " (also on line " + lines[0] + ")"
	}
	return " (also on lines " + strings.Join(lines, ", ") + ")"
}

// spellLink returns a link to path p in the style of the written link. folder is the
// folder of the linking file.
func spellLink(written, folder, p string) string {
	switch {
	case strings.HasPrefix(written, "mdc:"):
		return "mdc:" + p
	case strings.HasPrefix(written, "/"):
		return "/" + p
	}
	return relative(folder, p)
}

// isDead reports whether a target exists in none of the folders that a link may be
// relative to.
func (t *tree) isDead(l linkedText, target string) bool {
	_, dead := t.wants(l, target)
	return dead
}

// wants returns the path that a link leads to, resolved against its first base, and
// whether the link is dead.
func (t *tree) wants(l linkedText, written string) (p string, dead bool) {
	bases, target := l.bases, written
	if fromTop, ok := strings.CutPrefix(target, "mdc:"); ok { // the way Cursor refers to files
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
		return target, false // a web address, a file on this machine, or a fictitious path
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
	placeholder = regexp.MustCompile(`(?i)[{}<>$*|…\[\]\\]|\.\.\.|(^|/)(path|your|my|some)[-_/]|(^|[/_-])(x{2,}|nnn+|yyyy|foo|bar|placeholder|example|filename|url|link)([/._-]|$)`)
)

// fileTarget returns the path that a link leads to. ok is false if the link is a web
// address, leads to a part of the same text, or is a placeholder.
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
