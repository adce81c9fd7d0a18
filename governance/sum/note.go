package sum

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"instruction-catalog/catalog"
)

// purpose is the first line of the signed text. It prevents a text signed for another
// purpose from being accepted as the signature of a catalog.
const purpose = "instruction-catalog catalog.sum v1"

// Head is the content of a signature: at Time, a sum of Size lines had the root Root.
type Head struct {
	Size int64
	Root tlog.Hash // Merkle root of RFC 6962 over the lines, without their newlines
	Time time.Time // in UTC, in whole seconds
}

// headOf returns the head of a sum.
func headOf(s Sum, at time.Time) (Head, error) {
	t, err := treeOf(s)
	if err != nil {
		return Head{}, err
	}
	root, err := t.root()
	return Head{t.size, root, at.UTC().Truncate(time.Second)}, err
}

// String returns the text to sign: the purpose, the size, the root in base64 and the time
// in ISO 8601, each on a line.
func (h Head) String() string {
	return fmt.Sprintf("%s\n%d\n%s\n%s\n", purpose, h.Size, h.Root, h.Time.Format(time.RFC3339))
}

// parseHead parses a text in exactly the form that [Head.String] returns. It rejects any
// other spelling.
func parseHead(text string) (Head, error) {
	lines := strings.Split(text, "\n")
	if lines[0] != purpose {
		return Head{}, fmt.Errorf("it is not the signature of a catalog: the first line is not %q", purpose)
	}
	if len(lines) != 5 {
		return Head{}, errMalformedHead
	}
	size, err1 := strconv.ParseInt(lines[1], 10, 64)
	root, err2 := tlog.ParseHash(lines[2])
	at, err3 := time.Parse(time.RFC3339, lines[3])
	h := Head{size, root, at.UTC()}
	if errors.Join(err1, err2, err3) != nil || size < 0 || h.String() != text {
		return Head{}, errMalformedHead
	}
	return h, nil
}

var (
	errNoNote        = errors.New("it is not a signed note: write it with `catalog sign`")
	errMalformedHead = errors.New("the signed text is not a size, a root and a time, each on a line")
)

// Sign returns the signed note with the head of a sum, and the head.
func (k SignerKey) Sign(s Sum, at time.Time) (text []byte, head Head, err error) {
	if head, err = headOf(s, at); err == nil {
		text, err = note.Sign(&note.Note{Text: head.String()}, k.signer)
	}
	return text, head, err
}

// Verify checks that a note is the signature of s by this key, and was not made after now.
// The error says what does not match.
func (k PublicKey) Verify(text []byte, s Sum, now time.Time) (Head, error) {
	signed, err := k.open(text, now)
	if err != nil {
		return Head{}, err
	}
	t, err := treeOf(s)
	if err != nil {
		return Head{}, err
	}
	return signed, t.has(signed)
}

// Signed checks that the catalog is exactly the one that was signed with the key. now is
// the sum of the current catalog. sumFile and noteFile are the contents of catalog.sum and
// catalog.sum.note, or nil if the file is missing. at is the current time. The error names
// the file that does not match, or the first entry that has changed.
func (k PublicKey) Signed(now Sum, sumFile, noteFile []byte, at time.Time) error {
	if sumFile == nil {
		return fmt.Errorf("there is no %s: the catalog is not signed", catalog.SumFile)
	}
	stands, err := Parse(sumFile)
	if err != nil {
		return err
	}
	if changes := slices.DeleteFunc(stands.Changes(now), Change.IsUncovered); len(changes) > 0 {
		return fmt.Errorf("%s since %s was written (%d in all)", changes[0], catalog.SumFile, len(changes))
	}
	if noteFile == nil {
		return fmt.Errorf("there is no %s: the catalog is not signed", catalog.NoteFile)
	}
	if _, err := k.Verify(noteFile, stands, at); err != nil {
		return fmt.Errorf("%s: %w", catalog.NoteFile, err)
	}
	return nil
}

// open returns the head that a note contains, after checking the signature and that it was
// not made after now.
func (k PublicKey) open(text []byte, now time.Time) (Head, error) {
	opened, err := note.Open(text, note.VerifierList(k.verifier))
	if err != nil {
		return Head{}, k.explain(err)
	}
	// The base64 decoder ignores some bits, and a note may have several signatures.
	if again, err := note.Sign(opened); err != nil || string(again) != string(text) || !isCanonical(opened) {
		return Head{}, errors.New("it is not one text with one signature, as `catalog sign` writes it")
	}
	head, err := parseHead(opened.Text)
	if err == nil && head.Time.After(now) {
		err = fmt.Errorf("it was signed in the future, at %s: check the clocks of both machines", head.Time.Format(time.RFC3339))
	}
	return head, err
}

// isOf checks that a note has the head of the tree. It does not verify the signature, since
// it has no key.
func (t *tree) isOf(text []byte) error {
	_, err := note.Open(text, nil)
	unverified, ok := errors.AsType[*note.UnverifiedNoteError](err)
	if !ok {
		return errNoNote
	}
	signed, err := parseHead(unverified.Note.Text)
	if err != nil {
		return err
	}
	return t.has(signed)
}

// has checks that h is the head of the tree.
func (t *tree) has(h Head) error {
	root, err := t.root()
	if err == nil && (h.Size != t.size || h.Root != root) {
		err = fmt.Errorf("it is the signature of another %s: review what has changed, then run `catalog sign`", catalog.SumFile)
	}
	return err
}

// isCanonical reports whether a note has exactly one signature, in canonical base64.
func isCanonical(n *note.Note) bool {
	if len(n.Sigs) != 1 || len(n.UnverifiedSigs) != 0 {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(n.Sigs[0].Base64)
	return err == nil
}

func (k PublicKey) explain(err error) error {
	if unverified, ok := errors.AsType[*note.UnverifiedNoteError](err); ok {
		var by []string
		for _, s := range unverified.Note.UnverifiedSigs {
			by = append(by, keyName(s.Name, s.Hash))
		}
		return fmt.Errorf("it is signed by another key, %s, and not by %s", strings.Join(by, ", "), k)
	}
	if _, ok := errors.AsType[*note.InvalidSignatureError](err); ok {
		return fmt.Errorf("its signature by %s does not match its text: one of them was changed", k)
	}
	return errNoNote
}
