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
	// ErrDamaged means that a state file is corrupt.
	ErrDamaged = errors.New("it is damaged")
	// ErrNewer means that a newer version of this program has written a state file.
	ErrNewer = errors.New("it was written by a newer version of this program")
)

// State is a kind of state file. Only this program writes such files, and Decode
// detects any change by other programs. The first line of the file contains the kind,
// the version and the SHA-256 of the rest.
type State struct {
	Name, Kind string
	Version    int
}

func (s State) header(body []byte) []byte {
	return fmt.Appendf(nil, `{%q:%q,"version":%d,"sha256":%q}`, s.Name, s.Kind, s.Version, hashOf(body))
}

// Encode returns the content of a state file with the given body.
func (s State) Encode(body []byte) []byte {
	return bytes.Join([][]byte{s.header(body), body}, []byte("\n"))
}

// Decode returns the body of a state file. The error is [ErrDamaged] or [ErrNewer].
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

// Changed reports whether the file called name differs from the one seen before: it is
// another file, or has another size or modification time. A nil seen means that the
// file was missing. An error other than a missing file counts as a change.
func Changed(name string, seen fs.FileInfo) bool {
	now, err := os.Stat(name)
	if err != nil || seen == nil {
		return seen != nil || !errors.Is(err, fs.ErrNotExist)
	}
	return !os.SameFile(now, seen) || now.Size() != seen.Size() || !now.ModTime().Equal(seen.ModTime())
}
