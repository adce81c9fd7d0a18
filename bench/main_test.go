package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/server"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/toolsets/instructions"
)

// children are the child processes that the test binary can run as, by name.
var children = map[string]func(dir string) error{
	"serve": func(dir string) error { return serve(dir, os.Stdin, os.Stdout) },
	"floor": func(string) error { return ServeFloor(os.Stdin, os.Stdout) },
	"die":   func(string) error { return fmt.Errorf("the disk is on fire") },
	"lie":   func(string) error { return lie(os.Stdin, os.Stdout) },
}

func TestMain(m *testing.M) {
	run, ok := children[os.Args[0]]
	if !ok {
		os.Exit(m.Run())
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// testConfig returns a configuration in which the named child is the server.
func testConfig(t *testing.T, server string) Config {
	t.Helper()
	t.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each child built with -race takes a second to exit
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Sizes: []int{20}, Iterations: 3, Runs: 1,
		Server: func(dir string) Command { return Command{Path: self, Args: []string{server, dir}} },
		Floor:  Command{Path: self, Args: []string{"floor", ""}},
		Open:   open,
	}
}

func open(path, journal string) (*Local, error) {
	log := slog.New(slog.DiscardHandler)
	config := instructions.Config{Dir: path, Now: time.Now, Watch: true, Log: log}
	if journal != "" {
		config.Uses = usage.Open(journal, usage.SyncAlways, log)
	}
	toolset := instructions.New(config)
	registry, err := server.NewRegistry(server.Config{Version: "test", Contract: instructions.Contract(), Log: log, Now: time.Now}, toolset.Toolset())
	return &Local{registry, toolset.BuildIndex}, err
}

func newRegistry(path string) (*rpc.Registry, error) {
	opened, err := open(path, "")
	if err != nil {
		return nil, err
	}
	return opened.Registry, nil
}

func serve(dir string, in io.Reader, out io.Writer) error {
	registry, err := newRegistry(dir)
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	protocol, err := mcp.New(mcp.Config{Registry: registry, Name: "test", Version: "test", Log: log})
	if err != nil {
		return err
	}
	if err := registry.Start(context.Background()); err != nil {
		return err
	}
	server := &stdio.Server{Registry: registry, Protocol: protocol, Log: log, MaxLine: stdio.DefaultMaxLine, Grace: time.Second}
	return errors.Join(server.Serve(context.Background(), in, out), registry.Close())
}

// lie answers every question in the right form but with empty results.
func lie(in io.Reader, out io.Writer) error {
	one := make([]byte, 1)
	for {
		if _, err := in.Read(one); err != nil {
			return nil
		}
		if one[0] != '\n' {
			continue
		}
		if _, err := io.WriteString(out, `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n"); err != nil {
			return err
		}
	}
}
