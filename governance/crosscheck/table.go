package crosscheck

import (
	_ "embed"
	"strings"
)

//go:embed opposites.txt
var oppositesText string

//go:embed contexts.txt
var contextsText string

// subject is an entry of the table of opposites: something for which only one choice
// can hold.
type subject struct {
	name    string
	general bool // whether it is independent of the language
	each    bool // whether each thing that a clause names has its own choice
	labels  map[string]bool
	about   map[string]bool
	before  map[string]bool // like about, but for words before the choice
	needs   map[string]bool
	choices []choice
}

// choice is a choice of a subject, with all its spellings. The spelling of a number
// contains {n} or {v}, and each value is a different choice.
type choice struct {
	spellings [][]string
	number    bool
}

// subjectsByWord maps the first word of a choice's spelling to the subjects with such
// a choice. All numbers have the key aNumber.
var subjectsByWord = readOpposites(oppositesText)

func readOpposites(text string) map[string][]*subject {
	byWord := map[string][]*subject{}
	var s *subject
	for line := range strings.Lines(text) {
		content := strings.TrimSpace(line)
		key, value, _ := strings.Cut(content, ":")
		switch {
		case content == "" || content[0] == '#':
		case line[0] != ' ':
			s = &subject{name: content, labels: map[string]bool{}}
		case key == "general":
			s.general = true
		case key == "each":
			s.each = true
		case key == "label":
			for label := range strings.SplitSeq(value, ",") {
				s.labels[strings.TrimSpace(label)] = true
			}
		case key == "about":
			s.about = wordSet(value)
		case key == "before":
			s.before = wordSet(value)
		case key == "needs":
			s.needs = wordSet(value)
		default:
			s.addChoice(value, key == "number", byWord)
		}
	}
	return byWord
}

func (s *subject) addChoice(value string, number bool, byWord map[string][]*subject) {
	c := choice{number: number}
	for spelling := range strings.SplitSeq(value, ",") {
		words := strings.Fields(spelling)
		c.spellings = append(c.spellings, words)
		trigger := words[0]
		if strings.HasPrefix(trigger, "{") {
			trigger = aNumber
		}
		if known := byWord[trigger]; len(known) == 0 || known[len(known)-1] != s {
			byWord[trigger] = append(known, s)
		}
	}
	s.choices = append(s.choices, c)
}

// aNumber is the key for all numbers in subjectsByWord.
const aNumber = "0"

// contexts maps a word to the name of the context (a language or part of a repository)
// that it indicates.
var contexts = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(contextsText) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, word := range words {
			all[word] = words[0]
		}
	}
	return all
}()

// contextsIn returns the contexts that the words of a text indicate.
func contextsIn(text string) (names []string) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), betweenContexts) {
		if name := contexts[word]; name != "" {
			names = append(names, name)
		}
	}
	return names
}

func betweenContexts(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '+' || r == '#' || r > 127)
}
