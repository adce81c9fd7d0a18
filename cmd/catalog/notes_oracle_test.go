package main

import (
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// oracle resolves the links of a vault by Obsidian's rules, in the plainest way: it
// compares each link with each note that has such a name or title. It shares no code with
// the program, and reads only the Markdown that gardenVault and the program write.
type oracle struct {
	ids   []string // sorted
	notes map[string]*oracleNote

	named, titled map[string][]string // ids by the loose file name, and by the folded title
	sources       map[string][]string // by note: the notes that link to it, sorted
}

type oracleNote struct {
	title string
	body  string
	parts []string // the text of the body between its links
	links []oracleLink
}

// oracleLink is a link as it is written, and the note that it leads to.
type oracleLink struct {
	form     string // "front", "wiki", "embed" or "link"
	target   string
	fragment string
	label    string // the alias, or the text of a Markdown link
	to       string // "" if it is broken
}

// newOracle reads the notes among the files of a vault.
func newOracle(files map[string]string) *oracle {
	o := &oracle{notes: map[string]*oracleNote{}, named: map[string][]string{}, titled: map[string][]string{}, sources: map[string][]string{}}
	for _, id := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(id, ".md") && !strings.HasPrefix(id, ".") {
			o.ids = append(o.ids, id)
			n := readOracleNote(id, files[id])
			o.notes[id] = n
			name, title := loose(strings.TrimSuffix(path.Base(id), ".md")), folded(n.title)
			o.named[name], o.titled[title] = append(o.named[name], id), append(o.titled[title], id)
		}
	}
	for _, id := range o.ids {
		n := o.notes[id]
		for i := range n.links {
			n.links[i].to = o.resolve(id, n.links[i])
		}
		for _, to := range n.targets() {
			o.sources[to] = append(o.sources[to], id)
		}
	}
	return o
}

var frontWiki = regexp.MustCompile(`"\[\[([^\]]*)\]\]"`)

func readOracleNote(id, text string) *oracleNote {
	n := &oracleNote{title: strings.TrimSuffix(path.Base(id), ".md"), body: text}
	front := ""
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		front, n.body, _ = strings.Cut(rest, "---\n")
	}
	if first := strings.TrimLeft(n.body, "\n"); strings.HasPrefix(first, "# ") {
		heading, _, _ := strings.Cut(first[2:], "\n")
		n.title = strings.TrimSpace(heading)
	}
	for line := range strings.Lines(front) {
		if title, ok := strings.CutPrefix(line, "title: "); ok {
			n.title = strings.Trim(strings.TrimSpace(title), `"`)
		}
		for _, found := range frontWiki.FindAllStringSubmatch(line, -1) {
			n.links = append(n.links, wikiOf("front", found[1]))
		}
	}
	n.readBody()
	return n
}

// bodyToken matches an escaped bracket, which hides a link, and links: a wikilink in
// group 1 and 2, a Markdown link in groups 3 to 5.
var bodyToken = regexp.MustCompile(`\\\[|(!?)\[\[([^\[\]\n]+)\]\]|\[([^\[\]\n]*)\]\((?:<([^>\n]*)>|([^)\s]*))\)`)

func (n *oracleNote) readBody() {
	at := 0
	for _, m := range bodyToken.FindAllStringSubmatchIndex(hideSpans(hideFences(n.body)), -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return n.body[m[2*i]:m[2*i+1]]
		}
		var l oracleLink
		switch {
		case m[4] >= 0 && group(1) == "!":
			l = wikiOf("embed", group(2))
		case m[4] >= 0:
			l = wikiOf("wiki", group(2))
		case m[6] >= 0:
			target, fragment, _ := strings.Cut(group(4)+group(5), "#")
			l = oracleLink{form: "link", target: target, fragment: fragment, label: group(3)}
		default:
			continue
		}
		n.parts = append(n.parts, n.body[at:m[0]])
		n.links = append(n.links, l)
		at = m[1]
	}
	n.parts = append(n.parts, n.body[at:])
}

var fenceLine = regexp.MustCompile("^[ \\t>]*(?:[-*+] |[0-9]+[.] )*[ \\t]*(`{3,}|~{3,})(.*)")

// hideFences replaces fenced code by as many other bytes.
func hideFences(body string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(body) {
		m := fenceLine.FindStringSubmatch(line)
		begins := fence == "" && m != nil && (m[1][0] == '~' || !strings.Contains(m[2], "`"))
		hidden := fence != "" || begins
		switch {
		case begins:
			fence = m[1]
		case fence != "" && m != nil && strings.HasPrefix(m[1], fence) && strings.TrimSpace(m[2]) == "":
			fence = ""
		}
		if hidden {
			line = hide(line)
		}
		b.WriteString(line)
	}
	return b.String()
}

var backticks = regexp.MustCompile("`+")

// hideSpans replaces code between backticks by as many other bytes.
func hideSpans(body string) string {
	hidden := []byte(body)
	runs := backticks.FindAllStringIndex(body, -1)
	for i := 0; i < len(runs); i++ {
		for k := i + 1; k < len(runs) && !strings.Contains(body[runs[i][1]:runs[k][0]], "\n\n"); k++ {
			if runs[k][1]-runs[k][0] == runs[i][1]-runs[i][0] {
				copy(hidden[runs[i][0]:], hide(body[runs[i][0]:runs[k][1]]))
				i = k
				break
			}
		}
	}
	return string(hidden)
}

// hide keeps the end of a line, so that the lines around stay as they are.
func hide(text string) string {
	return strings.Repeat("x", len(strings.TrimRight(text, "\n"))) + text[len(strings.TrimRight(text, "\n")):]
}

func wikiOf(form, text string) oracleLink {
	target, label, _ := strings.Cut(strings.Replace(text, `\|`, "|", 1), "|")
	target, fragment, _ := strings.Cut(target, "#")
	return oracleLink{form: form, target: strings.TrimSpace(target), fragment: fragment, label: label}
}

func (o *oracle) resolve(from string, l oracleLink) string {
	folder, target := path.Dir(from), l.target
	if l.form == "link" {
		decoded, err := url.PathUnescape(target)
		if err != nil {
			return ""
		}
		target = decoded
	}
	name := strings.TrimSuffix(target, ".md")
	places := []string{path.Join(folder, name), path.Clean(name)}
	rooted := true
	switch {
	case name == "":
		return ""
	case name[0] == '/':
		places = []string{path.Clean(name[1:])}
	case strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../"):
		places = places[:1]
	default:
		rooted = false
	}
	candidates := o.named[loose(path.Base(name))]
	if l.form == "link" || rooted {
		for _, place := range places {
			tests := []func(string) bool{like(whole, place, same), like(whole, place, folded), like(whole, place, loose)}
			if l.form == "link" {
				tests = tests[:2]
			}
			if to := first(candidates, folder, tests...); to != "" {
				return to
			}
		}
		return ""
	}
	end := func(id string) string {
		segments := strings.Split(whole(id), "/")
		return strings.Join(segments[max(0, len(segments)-1-strings.Count(name, "/")):], "/")
	}
	to := first(candidates, folder, like(whole, name, same), like(whole, name, folded), like(end, name, same), like(end, name, folded),
		like(whole, name, loose), like(end, name, loose))
	if to == "" {
		title := func(id string) string { return o.notes[id].title }
		to = first(o.titled[folded(target)], folder, like(title, target, same), like(title, target, folded))
	}
	return to
}

// whole returns the path of a note as a link spells it.
func whole(id string) string { return strings.TrimSuffix(id, ".md") }

// first returns the best of the ids that are accepted by the first test that accepts
// any. ids is sorted.
func first(ids []string, folder string, tests ...func(id string) bool) string {
	for _, test := range tests {
		best := ""
		for _, id := range ids {
			if test(id) && (best == "" || rank(folder, id) < rank(folder, best)) {
				best = id
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}

// rank is less for a note in the folder, and then for one with fewer segments.
func rank(folder, id string) int {
	if path.Dir(id) == folder {
		return 0
	}
	return 1 + strings.Count(id, "/")
}

// like returns a test of whether a part of an id equals name under key.
func like(part func(id string) string, name string, key func(string) string) func(string) bool {
	name = key(name)
	return func(id string) bool { return key(part(id)) == name }
}

func same(text string) string { return text }

func folded(text string) string { return norm.NFC.String(strings.ToLower(norm.NFC.String(text))) }

func loose(text string) string { return strings.ReplaceAll(folded(text), " ", "-") }

// targets returns the notes that a note links to, in the order of its links, each once.
func (n *oracleNote) targets() (all []string) {
	for _, l := range n.links {
		if l.to != "" && !slices.Contains(all, l.to) {
			all = append(all, l.to)
		}
	}
	return all
}
