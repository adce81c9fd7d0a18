package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var (
	// ErrDamaged says that a state file is not as it was written.
	ErrDamaged = errors.New("it is damaged")
	// ErrNewer says that a newer version of this program has written a state file.
	ErrNewer = errors.New("a newer version of this program has written it")
)

// State is a kind of state file: one that only this program writes, and that it
// recognises if anything else changed a byte of it. Its first line names kind and
// version, and has the SHA-256 of the rest.
type State struct {
	Name, Kind string
	Version    int
}

func (s State) header(body []byte) []byte {
	return fmt.Appendf(nil, `{%q:%q,"version":%d,"sha256":%q}`, s.Name, s.Kind, s.Version, hashOf(body))
}

// Encode returns the content of a state file with a body.
func (s State) Encode(body []byte) []byte {
	return bytes.Join([][]byte{s.header(body), body}, []byte("\n"))
}

// Decode returns the body of a state file, or [ErrDamaged] or [ErrNewer].
func (s State) Decode(content []byte) (body []byte, err error) {
	header, body, _ := bytes.Cut(content, []byte("\n"))
	if bytes.Equal(header, s.header(body)) {
		return body, nil
	}
	var says struct{ Version int }
	if json.Unmarshal(header, &says) == nil && says.Version > s.Version {
		return nil, ErrNewer
	}
	return nil, ErrDamaged
}

// Changed reports whether a name stands for another file than the one that was
// seen, or for other content. Nil stands for a file that was missing.
func Changed(name string, seen fs.FileInfo) bool {
	now, err := os.Stat(name)
	if err != nil || seen == nil {
		return seen != nil || !errors.Is(err, fs.ErrNotExist)
	}
	return !os.SameFile(now, seen) || now.Size() != seen.Size() || !now.ModTime().Equal(seen.ModTime())
}
