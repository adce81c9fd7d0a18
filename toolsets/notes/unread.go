package notes

import (
	"fmt"
	"slices"
	"strings"
)

// Unread is a file or folder of a vault that could not be read. Its notes are missing
// from the snapshot.
type Unread struct {
	Path   string // within the vault
	Reason string
	Kind   UnreadKind
}

// UnreadKind is the consequence of an [Unread].
type UnreadKind int

// Values of UnreadKind.
const (
	UnreadNote UnreadKind = iota // it is or contains notes, whose links are unknown
	TooLarge                     // it is a note whose links are ignored
	NoNote                       // it is a symbolic link that does not lead to a note
)

// UnreadError reports that the file of a note cannot be read.
type UnreadError struct {
	Unread
	Consequence string // what was not done because of it, or ""
}

func (e *UnreadError) Error() string {
	text := fmt.Sprintf("%q cannot be read (%s): ", strings.ToValidUTF8(e.Path, "\uFFFD"), e.Reason)
	if e.Consequence != "" {
		text += e.Consequence + "; "
	}
	return text + "see that it is a file that this server may read, and call again"
}

// WithUnread returns a copy of the snapshot with the given unread files, which must be
// sorted by path.
func (s *Snapshot) WithUnread(unread []Unread) *Snapshot {
	other := *s
	other.unread = unread
	return &other
}

// Unread returns the files and folders that could not be read, sorted by path. The
// caller must not modify the slice.
func (s *Snapshot) Unread() []Unread { return s.unread }

// CheckRead returns an [*UnreadError] if the file with the given id, or a folder above
// it, could not be read.
func (s *Snapshot) CheckRead(id string) error {
	key := Key(id)
	for _, u := range s.unread {
		unread := Key(u.Path)
		if u.Kind != NoNote && (key == unread || strings.HasPrefix(key, unread+"/")) {
			return &UnreadError{Unread: u}
		}
	}
	return nil
}

// CheckLinks returns an [*UnreadError] if the links of a note are unknown because its
// file could not be read. consequence says what the caller did not do because of that.
func (s *Snapshot) CheckLinks(consequence string) error {
	i := slices.IndexFunc(s.unread, func(u Unread) bool { return u.Kind == UnreadNote })
	if i < 0 {
		return nil
	}
	return &UnreadError{s.unread[i], consequence}
}
