package sum

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/mod/sumdb/note"
)

// MaxKey is the maximum size, in bytes, of a key file.
const MaxKey = 4 << 10

// SignerKey is a secret Ed25519 key for signing, in the format of
// golang.org/x/mod/sumdb/note. The zero value is not a key.
type SignerKey struct {
	signer note.Signer
	public string
}

// String returns the key's name in notes: NAME+HASH.
func (k SignerKey) String() string { return keyName(k.signer.Name(), k.signer.KeyHash()) }

// Public returns the public key in the text form that [ParsePublicKey] reads.
func (k SignerKey) Public() string { return k.public }

// PublicKey is a key that verifies signatures of a [SignerKey]. The zero value is not a
// key.
type PublicKey struct{ verifier note.Verifier }

// String returns the key's name in notes: NAME+HASH.
func (k PublicKey) String() string { return keyName(k.verifier.Name(), k.verifier.KeyHash()) }

func keyName(name string, hash uint32) string { return fmt.Sprintf("%s+%08x", name, hash) }

// GenerateKeys returns a new pair of keys, as texts without a newline. The name identifies
// the owner of the keys. It must be printable and valid in a key.
func GenerateKeys(name string) (signer, public string, err error) {
	signer, public, err = note.GenerateKey(rand.Reader, name)
	if err != nil {
		return "", "", err
	}
	if _, err := note.NewVerifier(public); err != nil || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "", "", fmt.Errorf("%q cannot be the name of a key: use letters, digits and hyphens, such as platform-team", name)
	}
	return signer, public, nil
}

// signerPrefix is the prefix of every signer key.
const signerPrefix = "PRIVATE+KEY+"

// ParseSignerKey parses a signer key. It ignores surrounding white space.
func ParseSignerKey(text string) (SignerKey, error) {
	text = strings.TrimSpace(text)
	signer, err := note.NewSigner(text)
	if err != nil || strings.ContainsAny(text, "\r\n") { // the base64 decoder ignores these
		return SignerKey{}, errors.New("it is not a signer key: make one with `catalog keygen`")
	}
	public, err := publicOf(text, signer)
	if err != nil {
		return SignerKey{}, err
	}
	return SignerKey{signer, public}, nil
}

// publicOf returns the public key for a signer key. The last part of text is the base64 of
// the algorithm and the seed.
func publicOf(text string, signer note.Signer) (string, error) {
	parts := strings.SplitN(text, "+", 5) // PRIVATE KEY NAME HASH KEY
	key, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(key) != 1+ed25519.SeedSize {
		return "", errors.New("it is not a signer key of Ed25519: make one with `catalog keygen`")
	}
	return note.NewEd25519VerifierKey(signer.Name(), ed25519.NewKeyFromSeed(key[1:]).Public().(ed25519.PublicKey))
}

// ParsePublicKey parses a public key. It ignores surrounding white space.
func ParsePublicKey(text string) (PublicKey, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, signerPrefix) {
		return PublicKey{}, errors.New("it is a signer key, which is a secret: give the public key, which `catalog keygen` printed")
	}
	verifier, err := note.NewVerifier(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return PublicKey{}, errors.New("it is not a public key: give the one that `catalog keygen` printed, NAME+HASH+KEY, or a file with it")
	}
	return PublicKey{verifier}, nil
}
