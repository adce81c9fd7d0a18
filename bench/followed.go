package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// What a client that stays in step sees of a server that follows its files.
const (
	notified  = "notified"   // from a write to instructions/changed
	diffSince = "diff since" // that so many entries have changed
)

// changedFiles is how many files are changed, one after the other.
const changedFiles = 10

// maxFollowed is the largest catalog of which that is measured, in entries.
const maxFollowed = 5000

// measureFollowed changes files of a copy of the catalog while a client is
// subscribed, and then asks what has changed since.
func (t *trial) measureFollowed(ctx context.Context) (err error) {
	if !t.measuresFollowed(t.corpus.truth.entries) {
		return nil
	}
	dir, err := os.MkdirTemp("", "catalog-bench-followed")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.CopyFS(dir, os.DirFS(t.corpus.path)); err != nil {
		return err
	}
	return withChild(ctx, t.Server(dir), func(server *child) error {
		return withChild(ctx, t.Floor, func(floor *child) error {
			since, err := t.notifications(server, dir)
			if err != nil {
				return err
			}
			q := question{name: diffSince, method: "instructions/diff", brief: true,
				params: encode(map[string]string{"since": since}),
				want:   func(a *answer) bool { return a.changes(0, changedFiles, 0) }}
			return t.overPipe(ctx, &q, server, floor)
		})
	})
}

func (c *Config) measuresFollowed(size int) bool {
	return !c.InProcess && size >= changedFiles && size <= maxFollowed
}

// notifications measures how long a subscriber waits for one, and returns the
// revision before the first.
func (t *trial) notifications(server *child, dir string) (since string, err error) {
	t.next(notified)
	since, err = revisionIn(server.ask([]byte(`{"jsonrpc":"2.0","id":1,"method":"instructions/subscribe"}` + "\n")))
	if err != nil {
		return "", err
	}
	var took []time.Duration
	length := 0
	for _, file := range t.corpus.files[:changedFiles] {
		within, err := filepath.Rel(t.corpus.path, file)
		if err != nil {
			return "", err
		}
		runtime.GC() // not in the middle
		one, line, err := changeOne(server, filepath.Join(dir, within))
		if err != nil {
			return "", err
		}
		took, length = append(took, one), len(line)
	}
	t.result.Operations = append(t.result.Operations, newOperation(notified, Pipe, summarise(took), length))
	_, err = server.ask([]byte(`{"jsonrpc":"2.0","id":1,"method":"instructions/unsubscribe"}` + "\n"))
	return since, err
}

// changeOne changes the text of a file and waits for the notification.
func changeOne(server *child, path string) (time.Duration, []byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return 0, nil, err
	}
	fresh := path + "~" // which is none of the catalog's
	if err := os.WriteFile(fresh, retitled(content), 0o600); err != nil {
		return 0, nil, err
	}
	start := time.Now()
	if err := os.Rename(fresh, path); err != nil {
		return 0, nil, err
	}
	line, err := server.ask(nil)
	return time.Since(start), line, err
}

// retitled is a file with another title, or where it is Markdown with another text.
func retitled(content []byte) []byte {
	other := bytes.Replace(content, []byte(`"title": "`), []byte(`"title": "Again: `), 1)
	if len(other) == len(content) {
		other = append(other, "\nAnd again.\n"...)
	}
	return other
}

func revisionIn(line []byte, err error) (string, error) {
	var m struct{ Result struct{ Revision string } }
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err == nil && m.Result.Revision == "" {
		err = fmt.Errorf("no revision in %s", line)
	}
	return m.Result.Revision, err
}
