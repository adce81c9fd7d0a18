// Check changes a catalog at random while clients keep folders in step with it,
// and then compares byte for byte. Half-way the clients and their servers end, files
// go on changing, and they start again.
//
//	check --seed 1 --edits 1000 --catalog ./catalog "go run ./docs/examples/sync" "node docs/examples/sync/sync.mts"
//
// Each argument is the command of a client, which gets a folder of its own, and how to
// start a server of its own.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// patience is how long clients may take to be in step at the end.
const patience = time.Minute

func main() {
	log.SetFlags(0)
	log.SetPrefix("check: ")
	seed := flag.Uint64("seed", 1, "the `number` that decides what is changed")
	edits := flag.Int("edits", 1000, "how many `changes` there are")
	catalog := flag.String("catalog", "catalog", "the `program`")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("there is no client to check: name the command of one")
	}
	dir, err := os.MkdirTemp("", "catalog-check")
	if err != nil {
		log.Fatal(err)
	}
	err = run(dir, *catalog, flag.Args(), *edits, rand.New(rand.NewPCG(*seed, 0)))
	if err != nil {
		log.Fatalf("seed %d: %v (see %s)", *seed, err, dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		log.Fatal(err)
	}
}

func run(dir, catalog string, commands []string, edits int, random *rand.Rand) error {
	program, err := filepath.Abs(catalog)
	if err != nil {
		return err
	}
	if err := os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state")); err != nil {
		return err
	}
	w := &writer{dir: filepath.Join(dir, "catalog"), random: random, entries: map[string]string{}}
	var clients []*client
	for n, command := range commands {
		clients = append(clients, newClient(command, filepath.Join(dir, fmt.Sprint("folder", n)), program, w.dir))
	}
	start := time.Now()
	for n := range edits {
		if n == 0 || n == edits/2+edits/20 { // in between nobody serves
			for _, c := range clients {
				if err := c.start(); err != nil {
					return err
				}
			}
		}
		if n == edits/2 {
			for _, c := range clients {
				if err := c.stop(); err != nil {
					return err
				}
			}
		}
		if err := w.edit(); err != nil {
			return err
		}
		time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
	}
	if err := w.finish(); err != nil {
		return err
	}
	for _, c := range clients {
		if err := c.compare(w.entries, time.Now().Add(patience)); err != nil {
			return err
		}
		log.Printf("%s: in step after %d edits, %d entries, everything listed %d times", c.command, edits, len(w.entries), c.listed())
	}
	log.Printf("%d edits took %v", edits, time.Since(start).Round(time.Millisecond))
	return w.untouched()
}
