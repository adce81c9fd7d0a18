package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// MinToken is how many characters a token must have at least.
const MinToken = 16

// Token is what a request has to carry to be answered (RFC 6750). The zero
// Token asks for nothing. Of the secret it keeps a hash only.
type Token struct {
	required bool
	hash     [sha256.Size]byte
}

// NewToken returns the token with this secret. What a header cannot carry as
// it stands, and what is too short to be hard to guess, is an error.
func NewToken(secret string) (Token, error) {
	if len(secret) < MinToken {
		return Token{}, fmt.Errorf("the token has %d characters and must have at least %d", len(secret), MinToken)
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Token{}, errors.New("the token must be one line of ASCII characters without spaces")
	}
	return Token{required: true, hash: sha256.Sum256([]byte(secret))}, nil
}

// admits reports whether a request carries the token. How long that takes says
// nothing about it: what is compared are hashes of one length.
func (t Token) admits(r *http.Request) bool {
	if !t.required {
		return true
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	presented := sha256.Sum256([]byte(strings.TrimLeft(secret, " ")))
	same := subtle.ConstantTimeCompare(presented[:], t.hash[:]) == 1
	return same && strings.EqualFold(scheme, "Bearer")
}
