package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minToken is how many characters a token must have at least.
const minToken = 16

// maxName is how many characters the name of a user may have.
const maxName = 255

// Tokens are what a request has to carry one of to be answered (RFC 6750). None
// ask for nothing.
type Tokens []Token

// Token is a secret that lets requests in, for a user if it has a name. Of the
// secret it keeps a hash only.
type Token struct {
	name string
	hash [sha256.Size]byte
}

// ParseTokens reads the text of a file: either one token, or lines NAME:TOKEN, of
// which each lets in requests of the user NAME. Its errors do not repeat a token.
func ParseTokens(text string) (Tokens, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, ":") {
		token, err := newToken("", text)
		return Tokens{token}, err
	}
	var tokens Tokens
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, secret, named := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if !named {
			return nil, fmt.Errorf("line %d has no name: write NAME:TOKEN, as in the others", number)
		}
		token, err := newToken(name, secret)
		if err == nil {
			err = tokens.unlike(token)
		}
		if err == nil {
			err = checkName(name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		tokens = append(tokens, token)
	}
	return tokens, nil
}

// unlike fails if a token is another user's.
func (ts Tokens) unlike(token Token) error {
	if slices.ContainsFunc(ts, func(t Token) bool { return t.hash == token.hash }) {
		return errors.New("the token is that of another line: each needs its own")
	}
	return nil
}

func checkName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("the name before the colon must be text of 1 to %d characters", maxName)
	}
	return nil
}

// newToken returns the token with this secret. What a header cannot carry as
// it stands, and what is too short to be hard to guess, is an error.
func newToken(name, secret string) (Token, error) {
	if len(secret) < minToken {
		return Token{}, fmt.Errorf("the token has %d characters and must have at least %d", len(secret), minToken)
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Token{}, errors.New("the token must be one line of ASCII characters without spaces")
	}
	return Token{name: name, hash: sha256.Sum256([]byte(secret))}, nil
}

// Named reports whether each request is that of a user.
func (ts Tokens) Named() bool { return len(ts) > 0 && ts[0].name != "" }

// admits reports whether a request may be answered, and whose it is. How long that
// takes says nothing about a token: what is compared are hashes of one length, with
// every token.
func (ts Tokens) admits(r *http.Request) (user string, ok bool) {
	if len(ts) == 0 {
		return "", true
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	presented := sha256.Sum256([]byte(strings.TrimLeft(secret, " ")))
	for _, t := range ts {
		if subtle.ConstantTimeCompare(presented[:], t.hash[:]) == 1 {
			user, ok = t.name, strings.EqualFold(scheme, "Bearer")
		}
	}
	return user, ok
}
