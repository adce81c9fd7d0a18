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

// purpose is the first line of what is signed, so that no key can be brought to sign
// a catalog with a text that was made for something else.
const purpose = "instruction-catalog catalog.sum v1"

// Head is what a signature says: at that time, a sum of so many lines had that root.
type Head struct {
	Size int64
	Root tlog.Hash // of RFC 6962, over the lines without their newlines
	Time time.Time // in UTC, of whole seconds
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

// String returns the text that is signed: the purpose, the size, the root in base64 and
// the time in ISO 8601, each on a line.
func (h Head) String() string {
	return fmt.Sprintf("%s\n%d\n%s\n%s\n", purpose, h.Size, h.Root, h.Time.Format(time.RFC3339))
}

// parseHead reads what [Head.String] returns, and nothing else.
func parseHead(text string) (Head, error) {
	lines := strings.Split(text, "\n")
	if lines[0] != purpose {
		return Head{}, fmt.Errorf("it is no signature of a catalog: the first line is not %q", purpose)
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
	errNoNote        = errors.New("it is no signed note: write it with `catalog sign`")
	errMalformedHead = errors.New("what is signed is not a size, a root and a time, each on a line")
)

// Sign returns the note of a sum, its head with a signature, and that head.
func (k SignerKey) Sign(s Sum, at time.Time) (text []byte, head Head, err error) {
	if head, err = headOf(s, at); err == nil {
		text, err = note.Sign(&note.Note{Text: head.String()}, k.signer)
	}
	return text, head, err
}

// Verify checks that a note is the signature of that sum by this key, made no later
// than now. The error says why it is not.
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

// Signed checks that a catalog is, to the letter, the one that was signed with the key:
// now is the sum of what is there, and the other two are the contents of catalog.sum and
// catalog.sum.note, nil where there are none. The error names the file that says so, or
// the first entry that has changed.
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

// open returns the head that a note has the signature of.
func (k PublicKey) open(text []byte, now time.Time) (Head, error) {
	opened, err := note.Open(text, note.VerifierList(k.verifier))
	if err != nil {
		return Head{}, k.explain(err)
	}
	// The decoder of base64 passes over bits, and a note may have more signatures.
	if again, err := note.Sign(opened); err != nil || string(again) != string(text) || !isCanonical(opened) {
		return Head{}, errors.New("it is not one text with one signature, as `catalog sign` writes it")
	}
	head, err := parseHead(opened.Text)
	if err == nil && head.Time.After(now) {
		err = fmt.Errorf("it was signed in the future, at %s: check the clocks of both machines", head.Time.Format(time.RFC3339))
	}
	return head, err
}

// isOf checks that a note, whose key is not known here, has the head of the tree.
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

// has checks that a head is that of the tree.
func (t *tree) has(h Head) error {
	root, err := t.root()
	if err == nil && (h.Size != t.size || h.Root != root) {
		err = fmt.Errorf("it is the signature of another %s: review what has changed, then run `catalog sign`", catalog.SumFile)
	}
	return err
}

// isCanonical reports whether a note has one signature, and no other way to write it.
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
		return fmt.Errorf("its signature by %s does not fit its text: somebody has changed one of them", k)
	}
	return errNoNote
}
