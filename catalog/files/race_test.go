package files

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var races = flag.Bool("races", false, "test long beside an editor that writes at the same time")

// slowDisk is this system with a slow disk.
var slowDisk = system{renameExchange, renameNew, func(f *os.File) error {
	time.Sleep(5 * time.Millisecond)
	return f.Sync()
}}

// beside repeatedly renames a note that log.md links to, while a goroutine adds lines
// to log.md with write. It returns the number of lines lost.
func beside(t *testing.T, on *system, lines int, write func(name, line string) error) (lost int) {
	t.Helper()
	if !exchangesFiles(t) {
		t.Skip("two files cannot change places here")
	}
	f := newFolder(t, on, map[string]string{"n0.md": "x", "log.md": "to n0 and\n"})
	var done atomic.Bool
	var failed error
	go func() {
		defer done.Store(true)
		for i := range lines {
			if failed = write(filepath.Join(f.Path, "log.md"), fmt.Sprintf("line %d\n", i)); failed != nil {
				return
			}
			time.Sleep(50 * time.Microsecond)
		}
	}()
	renames, kept := 0, []string{}
	for !done.Load() || renames < min(lines/10, 200) {
		do := json.RawMessage(fmt.Sprintf(`{"n%d":"n%d"}`, renames, renames+1))
		s := f.begin(t)
		next := fmt.Sprintf("n%d.md", renames+1)
		err := s.Apply(t.Context(), Change{Edits: []Edit{{Name: fmt.Sprintf("n%d.md", renames), To: next, Do: do}, {Name: "log.md", Do: do}}})
		kept = append(kept, s.Kept()...)
		must(t, s.Close())
		if errors.Is(err, ErrBusy) { // no line may be lost in this case either
			if err = nil; !(place{openRoot(t, f.Path), next}).exists() {
				continue
			}
		}
		must(t, err)
		renames++
	}
	must(t, failed)
	all := contents(t, f.Path)
	found := map[string]bool{}
	for line := range strings.Lines(strings.Join(values(all), "")) {
		found[line] = true
	}
	for i := range lines {
		if !found[fmt.Sprintf("line %d\n", i)] {
			lost++
		}
	}
	if _, ok := all[fmt.Sprintf("n%d.md", renames)]; !ok || f.Interrupted() {
		t.Errorf("after %d renames there are %d files", renames, len(all))
	}
	t.Logf("%d renames beside %d writes: %d are lost, %d copies were kept", renames, lines, lost, len(kept))
	return lost
}

func values(all map[string]string) (texts []string) {
	for _, text := range all {
		texts = append(texts, text)
	}
	return texts
}

// exchangesFiles reports whether the system can swap two files atomically.
func exchangesFiles(t *testing.T) bool {
	f := newFolder(t, nil, map[string]string{"a": "", "b": ""})
	root := openRoot(t, f.Path)
	return renameExchange(place{root, "a"}, place{root, "b"}) == nil
}

// saveAtomically replaces a file by one with another line, as editors do.
func saveAtomically(name, line string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+"~saved", append(text, line...), 0o644); err != nil {
		return err
	}
	return os.Rename(name+"~saved", name)
}

func appendInPlace(name, line string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(line); err != nil {
		return err
	}
	return f.Close()
}

// A text that an editor saves while a note is renamed is never lost, even on a slow
// disk.
func TestAtomicSavesAreNeverLost(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]*system{"a disk": nil, "a slow disk": &slowDisk} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			saves := 300
			if *races {
				saves = 2000
			}
			if lost := beside(t, on, saves, saveAtomically); lost > 0 {
				t.Errorf("%d saves are lost", lost)
			}
		})
	}
}

// A program that opened a file before a change may write to it during the change.
func TestWhatIsOpenIsAwaited(t *testing.T) {
	if !leases(t) {
		t.Skip("the system does not tell what is open")
	}
	dir := newFolder(t, nil, map[string]string{"log.md": "to n0 and\n"})
	synctest.Test(t, func(t *testing.T) {
		log, err := os.OpenFile(filepath.Join(dir.Path, "log.md"), os.O_WRONLY|os.O_APPEND, 0)
		must(t, err)
		go func() {
			time.Sleep(20 * time.Millisecond)
			_, err := log.WriteString("late\n")
			if err := errors.Join(err, log.Close()); err != nil {
				t.Error(err)
			}
		}()
		s := dir.begin(t)
		must(t, s.Apply(t.Context(), Change{Edits: []Edit{{Name: "log.md", Do: json.RawMessage(`{"n0":"n1"}`)}}}))
		must(t, s.Close())
		time.Sleep(time.Second) // anything written after this would be lost
	})
	if text := contents(t, dir.Path)["log.md"]; text != "to n1 and\nlate\n" {
		t.Errorf("the file reads %q", text)
	}
}

// leases reports whether this system can tell that a file is open for writing.
func leases(t *testing.T) bool {
	f, err := os.Create(filepath.Join(t.TempDir(), "open"))
	must(t, err)
	defer f.Close()
	return isOpenForWriting(f)
}

// At most two of the lines that a program appends in place are lost.
func TestAppendsAreHardlyEverLost(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]*system{"a disk": nil, "a slow disk": &slowDisk} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := 1000
			if *races {
				lines = 20_000
			}
			if lost := beside(t, on, lines, appendInPlace); lost > 2 {
				t.Errorf("%d lines are lost", lost)
			}
		})
	}
}
