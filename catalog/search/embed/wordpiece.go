package embed

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"golang.org/x/text/unicode/norm"
)

// wordPiece splits words into the longest known pieces, as BERT does.
type wordPiece struct {
	prefix  string // prefix of a piece that does not begin a word
	unknown string // the piece for unknown words; such words are skipped
	longest int    // words with more characters are skipped
	lower   bool   // convert text to lower case
	strip   bool   // remove accents
}

// normalizer is the preprocessing step of a tokenizer.
type normalizer struct {
	Type         string       `json:"type"`
	Normalizers  []normalizer `json:"normalizers"`
	Lowercase    bool         `json:"lowercase"`
	StripAccents *bool        `json:"strip_accents"`
}

// bert returns n or the first nested normalizer that is a BertNormalizer, or nil.
func (n *normalizer) bert() *normalizer {
	if n.Type == "BertNormalizer" {
		return n
	}
	for i := range n.Normalizers {
		if found := n.Normalizers[i].bert(); found != nil {
			return found
		}
	}
	return nil
}

// parseTokenizer parses a tokenizer.json with a WordPiece model. It also returns the row
// of each piece.
func parseTokenizer(text []byte) (*wordPiece, map[string]int32, error) {
	var t struct {
		Normalizer *normalizer `json:"normalizer"`
		Model      struct {
			Type    string           `json:"type"`
			Unknown string           `json:"unk_token"`
			Prefix  string           `json:"continuing_subword_prefix"`
			Longest int              `json:"max_input_chars_per_word"`
			Rows    map[string]int32 `json:"vocab"`
		} `json:"model"`
	}
	t.Model.Prefix, t.Model.Longest = "##", 100
	// Other types of model have a vocabulary that does not decode into t.
	var kind struct {
		Model struct {
			Type string `json:"type"`
		} `json:"model"`
	}
	if json.Unmarshal(text, &kind) == nil && kind.Model.Type != "WordPiece" {
		return nil, nil, fmt.Errorf("its model is of the type %.20q: only WordPiece is known", kind.Model.Type)
	}
	if json.Unmarshal(text, &t) != nil {
		return nil, nil, errors.New("it is no tokenizer in JSON")
	}
	p := &wordPiece{prefix: t.Model.Prefix, unknown: t.Model.Unknown, longest: t.Model.Longest}
	if n := t.Normalizer; n != nil {
		bert := n.bert()
		if bert == nil {
			return nil, nil, fmt.Errorf("its normalizer is of the type %.20q: only BertNormalizer is known", n.Type)
		}
		p.lower, p.strip = bert.Lowercase, bert.Lowercase
		if bert.StripAccents != nil {
			p.strip = *bert.StripAccents
		}
	}
	return p, t.Model.Rows, nil
}

// tokens returns the rows of the pieces of text.
func (p *wordPiece) tokens(text string, rows map[string]int32) (found []int32) {
	if p.strip {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	if p.lower {
		text = strings.ToLower(text)
	}
	for _, word := range bertWords(text) {
		found = append(found, p.cut(word, rows)...)
	}
	return found
}

// cut returns the rows of the pieces of a word, or nil if a part of the word is unknown.
func (p *wordPiece) cut(word []rune, rows map[string]int32) (found []int32) {
	if len(word) > p.longest {
		return nil
	}
	prefix := ""
	for len(word) > 0 {
		end := len(word)
		for ; end > 0; end-- {
			piece := prefix + string(word[:end])
			if row, ok := rows[piece]; ok && piece != p.unknown {
				found = append(found, row)
				break
			}
		}
		if end == 0 {
			return nil
		}
		word, prefix = word[end:], p.prefix
	}
	return found
}

// bertWords splits text at white space. Each punctuation mark, ASCII symbol and Chinese
// character is a word of its own. It removes control and format characters.
func bertWords(text string) (words [][]rune) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words, word = append(words, word), nil
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			end()
		case r == 0 || r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf):
		case unicode.IsPunct(r) || r < unicode.MaxASCII && unicode.IsSymbol(r) || unicode.Is(unicode.Han, r):
			end()
			words = append(words, []rune{r})
		default:
			word = append(word, r)
		}
	}
	end()
	return words
}
