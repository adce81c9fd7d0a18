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

// minToken is the minimum length of a token, in characters.
const minToken = 16

// maxName is the maximum length of a user name, in characters.
const maxName = 255

// Tokens is a set of bearer tokens (RFC 6750). A request must carry one of them. Empty
// Tokens accept every request.
type Tokens []Token

// Token is a bearer token. If it has a name, requests with it come from the user of that
// name. It holds only a hash of the secret.
type Token struct {
	name string
	hash [sha256.Size]byte
}

// ParseTokens parses the text of a token file: either one token, or lines of the form
// NAME:TOKEN, where NAME is the user of requests with TOKEN. Its errors do not contain
// tokens.
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

// unlike returns an error if ts contains a token with the same secret.
func (ts Tokens) unlike(token Token) error {
	if slices.ContainsFunc(ts, func(t Token) bool { return t.hash == token.hash }) {
		return errors.New("another line has the same token: give each user their own")
	}
	return nil
}

func checkName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("the name before the colon must be text of 1 to %d characters", maxName)
	}
	return nil
}

// newToken returns the token with this secret. It returns an error if the secret is too
// short, or has characters that a header cannot carry unencoded.
func newToken(name, secret string) (Token, error) {
	if len(secret) < minToken {
		return Token{}, fmt.Errorf("the token has %d characters and must have at least %d", len(secret), minToken)
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Token{}, errors.New("the token must be one line of ASCII characters without spaces")
	}
	return Token{name: name, hash: sha256.Sum256([]byte(secret))}, nil
}

// Named reports whether the tokens have user names, so that each request has a user.
func (ts Tokens) Named() bool { return len(ts) > 0 && ts[0].name != "" }

// admits reports whether a request carries one of the tokens, and returns the token's user.
// Its duration reveals nothing about the tokens, because it compares hashes of fixed length
// in constant time, and always compares all of them.
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
