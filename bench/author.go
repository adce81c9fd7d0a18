package bench

import (
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// author writes texts that read like instructions but mean nothing. Word frequencies
// follow Zipf's law within each class of words, as in a natural language.
type author struct {
	random *rand.Rand
	ranks  map[string]*rand.Zipf
}

// newAuthor returns the author of one block of a catalog.
func newAuthor(seed, block uint64) *author {
	a := &author{random: rand.New(rand.NewPCG(seed, block)), ranks: map[string]*rand.Zipf{}}
	for class, words := range lexicons() {
		a.ranks[class] = rand.NewZipf(a.random, 1.1, 3, uint64(len(words)-1))
	}
	return a
}

// word returns a random word of the class.
func (a *author) word(class string) string { return lexicons()[class][a.ranks[class].Uint64()] }

// write expands a random pattern, replacing each $class with a word of that class.
func (a *author) write(patterns []string) string {
	return os.Expand(patterns[a.random.IntN(len(patterns))], a.word)
}

func (a *author) sentence() string {
	patterns := sentences
	if a.random.IntN(15) == 0 {
		patterns = foreignSentences
	}
	return capital(a.write(patterns))
}

// title writes a title without a full stop.
func (a *author) title() string {
	return capital(os.Expand("$verb the $adjective $noun $preposition the $noun", a.word))
}

// body returns Markdown of about size bytes. It includes the sentence extra unless that
// is empty.
func (a *author) body(title string, size int, extra string) string {
	var text strings.Builder
	text.WriteString("# " + title + "\n\n")
	if extra != "" {
		text.WriteString(extra + "\n\n")
	}
	text.WriteString(a.sentence() + "\n")
	for text.Len() < size {
		text.WriteString("\n" + a.part(size-text.Len()))
	}
	return text.String()
}

// part returns a paragraph, a list, a section or a code block. If room, in bytes, is
// small, it returns one sentence.
func (a *author) part(room int) string {
	if room < 200 {
		return a.sentence() + "\n"
	}
	switch a.random.IntN(8) {
	case 0:
		return a.write(blocks)
	case 1, 2:
		return "## " + a.title() + "\n\n" + a.paragraph()
	case 3, 4:
		return a.list()
	}
	return a.paragraph()
}

func (a *author) paragraph() string {
	lines := make([]string, 1+a.random.IntN(4))
	for i := range lines {
		lines[i] = a.sentence()
	}
	return strings.Join(lines, " ") + "\n"
}

func (a *author) list() string {
	var text strings.Builder
	for range 2 + a.random.IntN(4) {
		text.WriteString("- " + capital(a.write(bullets)) + "\n")
	}
	return text.String()
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// lexicon is a class of words, most frequent first.
type lexicon []string

func words(list string) lexicon { return strings.Fields(list) }

// lexicons returns the word classes by the names that patterns use, such as "noun".
var lexicons = sync.OnceValue(func() map[string]lexicon {
	return map[string]lexicon{
		"noun": words(`
		error test function change file name request value user context package service caller type branch
		review message module config interface client response timeout commit secret log key table build
		query dependency thread comment index migration endpoint handler cache version schema release lock
		token record queue limit retry worker pipeline deadline transaction default flag team owner instance
		header payload password credential account permission role policy cluster container image volume
		region backup replica snapshot cursor page batch stream event topic partition consumer producer
		buffer pool socket proxy gateway certificate domain route path folder script runner artefact job
		stage coverage fixture mock assertion benchmark profile metric trace span alert dashboard incident
		runbook ticket sprint milestone roadmap proposal decision record template prompt agent instruction
		catalog tool editor session conversation model checklist guideline convention exception stack
		pointer slice struct field method constant enum variable closure goroutine channel mutex loop
		condition parser lexer compiler linker binary library framework component widget form button layout
		stylesheet translation locale currency invoice order customer address calendar`),
		"verb": words(`
		use check write keep return test add avoid call read name review log handle close run wrap pass
		document prefer validate update remove declare limit split move measure store send reject retry
		cancel mock commit merge release deploy rotate encrypt escape quote sort count cache lock load parse
		render trace profile rename deprecate migrate restore archive monitor schedule approve assign
		simplify extract inline generate verify sign publish subscribe acknowledge flush compress
		normalise sanitise benchmark annotate isolate refactor`),
		"adjective": words(`
		new small public clear single existing explicit slow shared private internal large stable empty
		unused external local remote safe required optional missing stale recent concurrent generated
		default failing flaky critical sensitive temporary permanent nested relative absolute immutable
		idempotent deterministic duplicate obsolete verbose readable portable signed expired anonymous
		encrypted distributed synchronous partial atomic`),
		"adverb": words(`
		always first only never early explicitly locally once carefully directly immediately separately
		together quickly safely gradually twice manually automatically consistently sparingly atomically
		silently eagerly lazily`),
		"preposition": words(`in for before of with from after without behind across against beside outside within`),
		// Words that test case folding and encoding; most are not English.
		"foreign": {
			"naïve", "façade", "résumé", "Größe", "Überprüfung", "Straße", "café", "Ångström", "Łódź", "coöperate",
			"jalapeño", "Ελληνικά", "σύνοψις", "проверка", "ЖУРНАЛ", "İstanbul", "設定", "检查清单", "ﬁnal", "日本語",
		},
	}
})

// sentences are the patterns of prose.
var sentences = []string{
	"$verb the $noun $preposition the $noun.",
	"$verb the $adjective $noun $adverb, and $verb every $noun that the $noun needs.",
	"Do not $verb a $noun $preposition the $adjective $noun: the $noun is $adjective there.",
	"When a $noun is $adjective, $verb it $adverb $preposition the $noun, then $verb the $noun.",
	"A $adjective $noun is better than an $adjective one, because the next $noun has to $verb it.",
	"If you cannot $verb the $noun, say so $preposition the $noun and ask its owner to $verb it.",
	"Every $noun has one $adjective $noun; $verb it $adverb.",
	"The $noun must $adverb $verb its $noun, even where the $noun is $adjective.",
	"Prefer `$noun.$verb` to a $adjective $noun of your own.",
	"See the $noun of the $noun for what to $verb and what to $verb $adverb.",
}

// foreignSentences are sentence patterns with non-ASCII characters.
var foreignSentences = []string{
	"The $noun may hold words such as “$foreign” or “$foreign”: $verb them as they stand.",
	"Test the $noun with $foreign, not with ASCII alone — the $noun will $verb both.",
	"$foreign → $noun: $verb it $preposition the $adjective $noun.",
}

// bullets are the patterns of list items.
var bullets = []string{
	"$verb the $adjective $noun",
	"**$noun**: $verb it $adverb $preposition the $noun",
	"one $noun per $noun, never a $adjective $noun",
	"`$noun-$noun` $preposition the $noun, $verb $adverb",
}

// blocks are the patterns of code blocks.
var blocks = []string{
	"```go\nif err := $noun.$verb(ctx, $noun); err != nil {\n\treturn fmt.Errorf(\"$verb the $noun: %w\", err)\n}\n```\n",
	"```sh\n$noun $verb --$noun ./$noun | sort > \"$noun.txt\"\n```\n",
	"```json\n{\"$noun\": {\"$verb\": true, \"$noun\": [\"$noun\", \"$noun\"]}}\n```\n",
}
