package ranked

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"instruction-catalog/catalog/search/fold"
)

// wordsOf returns the folded words of a text.
func wordsOf(text string) []string {
	var words []string
	s := wordScanner{text: text}
	for at, ok := s.next(); ok; at, ok = s.next() {
		words = append(words, string(s.fold(at)))
	}
	return words
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		" \t\n-.,":                       "",
		"Wrap errors, then wrap.":        "wrap errors then wrap",
		"go-error-values":                "go error values",
		"error_values":                   "error values",
		"docs/decisions/0001.md":         "docs decisions 0001 md",
		"errors.Is(err)":                 "errors is err",
		"fmt.Errorf(\"%w\")":             "fmt errorf w",
		"-32602":                         "32602",
		"project's don't":                "project s don t",
		"camelCase":                      "camelcase camel case",
		"HTTPServer":                     "httpserver http server",
		"readHTTPLine":                   "readhttpline read http line",
		"AsType As TYPE":                 "astype as type as type",
		"iOS":                            "ios i os",
		"sha256Sum v2":                   "sha256sum sha256 sum v2",
		"utf8Ω":                          "utf8ω utf8 ω",
		"Straße STRASSE":                 "strasse strasse",
		"ΣΊΣΥΦΟΣ":                        "σίσυφοσ",
		"E\u0301cole e\u0301Cole":        "e\u0301cole e\u0301cole e\u0301 cole",
		"\u0301 \u0301a":                 "a", // a mark alone is not a word
		"نمی\u200cخواهم":                 "نمی\u200cخواهم",
		"代码评审":                           "代码 码评 评审",
		"代 码":                            "代 码",
		"用Go写":                           "用 go 写",
		"設定ファイル":                         "設定 定フ ファ ァイ イル",
		"สวัสดี":                         "สวั วัส สดี", // marks stay with their letter
		"a\xffb \xed\xa0\x80c":           "a b c",
		"x\u0000y\u2028z":                "x y z",
		"😀 a😀b":                          "a b",
		strings.Repeat("x", 100):         strings.Repeat("x", 64),
		strings.Repeat("é", 100):         strings.Repeat("é", 32),
		"x" + strings.Repeat("é", 100):   "x" + strings.Repeat("é", 31),
		strings.Repeat("\u212a", 200):    strings.Repeat("k", 64),
		strings.Repeat("\u0390", 40)[2:]: strings.Repeat("\u03b9\u0308\u0301", 10) + "\u03b9\u0308", // 64 bytes
	} {
		if got := strings.Join(wordsOf(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// checkWords checks that words are in order, within the text and on character boundaries,
// are not empty, and are folded as in package fold.
func checkWords(t *testing.T, text string) {
	t.Helper()
	s := wordScanner{text: text}
	last := fold.Match{}
	for at, ok := s.next(); ok; at, ok = s.next() {
		whole := at.Start >= last.End
		if at.Start < last.Start || at.End <= at.Start || at.End > len(text) || !whole && at == last {
			t.Fatalf("%q: %v after %v", text, at, last)
		}
		if !utf8.RuneStart(text[at.Start]) || at.End < len(text) && !utf8.RuneStart(text[at.End]) && utf8.ValidString(text) {
			t.Errorf("%q: %v cuts a character", text, at)
		}
		folded, want := string(s.fold(at)), spelled(text[at.Start:at.End])
		if folded == "" || !strings.HasPrefix(want, folded) || len(folded) > maxWord || len(want) <= maxWord && folded != want {
			t.Errorf("%q: %v is %q, want %q", text, at, folded, want)
		}
		last = at
	}
}

// spelled returns the form used to compare words, without the limit on its length.
func spelled(word string) string {
	folded := fold.String(word)
	if strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return folded // the names with signs are ASCII
	}
	if name, ok := strings.CutPrefix(folded, "."); ok {
		folded = "dot" + name
	}
	return strings.NewReplacer("#", "sharp", "+", "p", ".", "").Replace(folded)
}

func TestWordsOfMixedTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 3))
	for range 3000 {
		checkWords(t, mixed(random, 80))
		checkWords(t, strings.Repeat(mixed(random, 4), 40))
	}
}

// TestWordsDoNotDependOnTheirNeighbours checks that a separator between two texts keeps
// their words separate and unchanged.
func TestWordsDoNotDependOnTheirNeighbours(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		a, b := mixed(random, 30), mixed(random, 30)
		if got, want := wordsOf(a+", "+b), slices.Concat(wordsOf(a), wordsOf(b)); !slices.Equal(got, want) {
			t.Errorf("%q and %q: %q, want %q", a, b, got, want)
		}
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	for _, forms := range []string{
		"wrap wraps wrapped wrapping",
		"error errors",
		"query queries queried",
		"retry retries retrying",
		"dependency dependencies",
		"paginate pagination paginated",
		"deprecate deprecates deprecated deprecation",
		"validate validates validation validator validating",
		"class classes",
		"process processes processed processing",
		"status statuses",
		"log logs logging logged logger",
		"cache caches cached caching",
		"call calls called caller calling",
		"key keys",
		"test tests tested testing tester",
		"评审",
		"ß",
	} {
		first, _, _ := strings.Cut(forms, " ")
		for form := range strings.FieldsSeq(forms) {
			if got, want := stem(form), stem(first); got != want || !strings.HasPrefix(form, got) {
				t.Errorf("%s: %q, want %q as of %s", form, got, want, first)
			}
		}
	}
	for _, apart := range []string{"is ids", "red read", "us used", "context content", "id ion", "table type", "bus business", "as ass"} {
		seen := map[string]string{}
		for word := range strings.FieldsSeq(apart) {
			if other, taken := seen[stem(word)]; taken {
				t.Errorf("%s and %s both have the stem %q", word, other, stem(word))
			}
			seen[stem(word)] = word
		}
	}
}

func TestStopWordsAreWords(t *testing.T) {
	t.Parallel()
	for word := range stopWords() {
		if got := wordsOf(word); !slices.Equal(got, []string{word}) {
			t.Errorf("%q is scanned as %q and never met", word, got)
		}
	}
}

// TestWordsWithSigns checks that names of languages and platforms are words including their
// signs, and that the parts of platform names are words, too.
func TestWordsWithSigns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"C# and f#.": "csharp and fsharp", "C++, c++17": "cpp c 17", "issue#12 a#b": "issue 12 a b", "## C": "c",
		".NET and (.net)": "dotnet net and dotnet net", "ASP.NET": "asp net",
		"Next.js": "nextjs next js", "NODE.JS!": "nodejs node js", "a.json": "a json", "x.js.map": "xjs x js map",
		"C": "c", "#": "", "++": "", ".js": "js",
	} {
		var got []string
		s := wordScanner{text: text}
		for at, ok := s.next(); ok; at, ok = s.next() {
			got = append(got, string(s.fold(at)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	documents := []Document{{Title: "Write C# code"}, {Title: "Write C++ code"}, {Title: "Write C code"}, {Title: "Old .NET code"}, {Title: "Next.js code"}, {Title: "nextjs pages"}, {Title: "Node.js code"}}
	x := indexOf(documents)
	for query, want := range map[string][]int{
		"c#": {0}, "csharp": {0}, "C++": {1}, "c": {2}, ".net": {3}, "net": {3}, "dotnet": {3},
		"next.js": {4, 5}, "nextjs": {4, 5}, "Node.js": {6}, "node js": {6, 4}, "nodejs": {6},
	} {
		if got := positions(x.Rank(query).Hits); !slices.Equal(got, want) {
			t.Errorf("Rank(%q) = %v, want %v", query, x.Rank(query).Hits, want)
		}
	}
}
