package markdown

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// linkParser finds what can hold a link or hide one. Emphasis does neither.
var linkParser = newParser()

// headingParser reads a heading as a reader does.
var headingParser = newParser(util.Prioritized(parser.NewEmphasisParser(), 500))

func newParser(more ...util.PrioritizedValue) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers()...),
		parser.WithInlineParsers(append(more,
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(wikiParser{}, 150),
			util.Prioritized(links{parser.NewLinkParser()}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
		)...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
}

// body is the parsed body.
type body struct {
	file         []byte // to the end of the body
	offset       int    // of the part that is parsed
	wantHeading  bool   // if it is the first block and has level 1
	wantAll      bool   // links to anything, not only to notes
	heading      string
	headingStart int
	tags         []string
	links        []Link
	used         map[int]bool // the definitions, by where their targets begin
	definitions  []Link
	err          error // why the body is not parsed
}

// parseBody reads links, tags and, if it is wanted, the heading that is a title.
func parseBody(file []byte, span Span, want func(*body)) *body {
	b := &body{file: file[:span.End], used: map[int]bool{}}
	want(b)
	if len(file) > maxFile {
		return &body{err: errTooLarge}
	}
	for _, part := range parts(file, span) {
		if b.parse(part); b.err != nil {
			return &body{err: b.err}
		}
	}
	for _, l := range b.definitions {
		if !b.used[l.Target.Start] && !b.wantAll {
			b.links = append(b.links, l)
		}
	}
	slices.SortStableFunc(b.links, func(a, b Link) int { return a.Start - b.Start })
	return b
}

// parse reads a part of the body.
func (b *body) parse(part Span) {
	b.offset = part.Start
	source := b.file[part.Start:part.End:part.End]
	tree, err := parse(linkParser, source)
	if err != nil {
		b.err = err
		return
	}
	if h, ok := tree.FirstChild().(*ast.Heading); ok && b.wantHeading && h.Level == 1 {
		b.heading, b.headingStart = headingText(source, h), h.Pos()+b.offset
	}
	b.wantHeading = false
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			b.visit(source, n)
		}
		return ast.WalkContinue, nil
	})
}

func (b *body) visit(source []byte, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		switch n.Parent().(type) {
		case *ast.Link, *ast.Image, *ast.CodeSpan: // they hold no tags
		default:
			b.tags = inlineTags(source, n, b.tags)
		}
	case *wikiNode:
		l := n.link
		l.Start += b.offset
		l.Target, l.Fragment = l.Target.shifted(b.offset), l.Fragment.shifted(b.offset)
		b.links = append(b.links, l)
	case *ast.Link:
		b.add(source, n, n.Destination, n.Reference != nil, false)
	case *ast.Image:
		b.add(source, n, n.Destination, n.Reference != nil, true)
	case *ast.LinkReferenceDefinition:
		if l, ok := b.markdownLink(source, n, n.Destination); ok {
			l.Form = Reference
			l.Start = l.Target.Start
			b.definitions = append(b.definitions, l)
		}
	}
}

func (s Span) shifted(by int) Span { return Span{s.Start + by, s.End + by} }

// add adds a Markdown link unless it leads to the web.
func (b *body) add(source []byte, n ast.Node, destination []byte, reference, embed bool) {
	l, ok := b.markdownLink(source, n, destination)
	if !ok {
		return
	}
	l.Form, l.Embed, l.Start = Inline, embed, n.Pos()+b.offset
	if reference {
		l.Form = Reference
		b.used[l.Target.Start] = true
	}
	b.links = append(b.links, l)
}

// markdownLink returns the link with a destination, as it is written.
func (b *body) markdownLink(source []byte, n ast.Node, destination []byte) (l Link, ok bool) {
	path, _, _ := bytes.Cut(destination, []byte{'#'})
	name, ok := fileName(path)
	if b.wantAll {
		name, ok = string(decoded(path)), len(path) > 0
	}
	if !ok {
		return l, false
	}
	start := offsetOf(source, destination, n.Pos())
	if start < 0 {
		return l, false
	}
	start += b.offset
	end := start + len(path)
	return Link{
		Name: name, Target: Span{start, end}, Fragment: Span{end, start + len(destination)},
		Angle: b.file[start-1] == '<',
	}, true
}

// fileName returns what a destination names: a path that leads to no other host.
func fileName(path []byte) (string, bool) {
	text := string(decoded(path))
	if u, err := url.Parse(text); err == nil && (u.Scheme != "" || u.Host != "") {
		return "", false
	}
	name, err := url.PathUnescape(text)
	if err != nil {
		name = text // a percent sign that stands for itself
	}
	return strings.ToValidUTF8(name, "\uFFFD"), name != ""
}

// offsetOf returns where a part of the source begins that goldmark has cut out of
// it, which it copies only where a tab is in the way. Then it is looked for from
// an offset on. It is -1 where that finds nothing.
func offsetOf(source, part []byte, from int) int {
	at := cap(source) - cap(part)
	if at >= 0 && at+len(part) <= len(source) && &source[at] == &part[0] {
		return at
	}
	from = max(from, 0)
	found := bytes.Index(source[from:], part)
	if found < 0 {
		return -1
	}
	return from + found
}

// rawHeading returns the text of a heading as it is written, on one line.
func rawHeading(source []byte, heading *ast.Heading) []byte {
	lines := heading.Lines()
	var raw []byte
	for i := 0; i < lines.Len() && len(raw) < maxHeading; i++ {
		line := lines.At(i)
		raw = append(append(raw, bytes.TrimSpace(line.Value(source))...), ' ')
	}
	raw = bytes.TrimSpace(raw)
	return raw[:min(len(raw), maxHeading)]
}

// headingText returns the text of a heading without its marks.
func headingText(source []byte, heading *ast.Heading) string {
	marked := append([]byte("# "), rawHeading(source, heading)...)
	tree, _ := parse(headingParser, marked)
	shown := bytes.TrimSpace(shownText(marked, tree, nil))
	return string(bytes.ToValidUTF8(shown, []byte("\uFFFD")))
}

// shownText appends what a reader sees of a tree.
func shownText(source []byte, n ast.Node, shown []byte) []byte {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Value(source)
		if n.Parent().Kind() != ast.KindCodeSpan {
			value = decoded(value)
		}
		shown = append(shown, value...)
	case *ast.AutoLink:
		shown = append(shown, n.Label(source)...)
	case *wikiNode:
		shown = append(shown, n.shown(source)...)
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		shown = shownText(source, child, shown)
	}
	return shown
}

// decoded returns text without backslashes that escape, and with what entities
// stand for.
func decoded(text []byte) []byte {
	return util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(text)))
}
