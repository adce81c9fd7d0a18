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

// linkParser parses the elements that can contain or hide a link. Emphasis can do neither.
var linkParser = newParser()

// headingParser also parses emphasis, to get the text of a heading as it is displayed.
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
	offset       int    // offset of the part being parsed
	wantHeading  bool   // look for a heading that is the first block and has level 1
	wantAll      bool   // collect links to anything, not only to notes
	heading      string
	headingStart int
	tags         []string
	links        []Link
	used         map[int]bool // used definitions, by the start of their targets
	definitions  []Link
	err          error // why the body is not parsed
}

// parseBody parses links, tags and, if wanted, the heading that is the title. want sets the
// options of the body before it is parsed.
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

// parse parses one part of the body.
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
		case *ast.Link, *ast.Image, *ast.CodeSpan: // they contain no tags
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

// add adds a Markdown link. It ignores links to the web, unless wantAll is set.
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

// markdownLink returns the link with a destination, which must be in source form. ok is
// false if the link is not to a file, or cannot be located.
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

// fileName returns the path that a destination names. It returns false for a destination on
// another host, or with a scheme, and for an empty one.
func fileName(path []byte) (string, bool) {
	text := string(decoded(path))
	if u, err := url.Parse(text); err == nil && (u.Scheme != "" || u.Host != "") {
		return "", false
	}
	name, err := url.PathUnescape(text)
	if err != nil {
		name = text // a literal percent sign
	}
	return strings.ToValidUTF8(name, "\uFFFD"), name != ""
}

// offsetOf returns the offset in source of part, a slice from goldmark, which normally
// aliases source. goldmark copies a part only if a tab requires it. For a copy, offsetOf
// searches for the text, starting at offset from. It returns -1 if it finds nothing.
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

// rawHeading returns the source text of a heading, on one line and at most maxHeading
// bytes.
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

// headingText returns the text of a heading without its markup.
func headingText(source []byte, heading *ast.Heading) string {
	marked := append([]byte("# "), rawHeading(source, heading)...)
	tree, _ := parse(headingParser, marked)
	shown := bytes.TrimSpace(shownText(marked, tree, nil))
	return string(bytes.ToValidUTF8(shown, []byte("\uFFFD")))
}

// shownText appends the text of a tree as it is displayed.
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

// decoded returns text with entities decoded and without the backslashes of escapes.
func decoded(text []byte) []byte {
	return util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(text)))
}
