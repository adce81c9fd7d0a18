package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// client is a program that keeps a folder in step.
type client struct {
	command, folder string
	args            []string
	running         *exec.Cmd
	in              io.Closer
	said            bytes.Buffer // to be read when it has ended
}

func newClient(command, folder, program, catalog string) *client {
	words := strings.Fields(command)
	return &client{command: command, folder: folder, args: append(words, folder, program, "serve", "--dir", catalog)}
}

func (c *client) start() error {
	c.running = exec.Command(c.args[0], c.args[1:]...)
	c.running.Stderr = &c.said
	in, err := c.running.StdinPipe()
	if err != nil {
		return err
	}
	c.in = in
	return c.running.Start()
}

// stop ends the client, and with it its server.
func (c *client) stop() error {
	_ = c.in.Close() // it may have ended, which Wait tells
	if err := c.running.Wait(); err != nil {
		return fmt.Errorf("%s: %w\n%s", c.command, err, &c.said)
	}
	return nil
}

// compare waits until the folder has these entries, and stops the client.
func (c *client) compare(entries map[string]string, until time.Time) error {
	for same(c.folder, entries) != nil && time.Now().Before(until) {
		time.Sleep(20 * time.Millisecond)
	}
	if err := c.stop(); err != nil {
		return err
	}
	if err := same(c.folder, entries); err != nil {
		fmt.Fprint(os.Stderr, &c.said)
		return fmt.Errorf("%s is not in step: %w", c.command, err)
	}
	return nil
}

// listed is how often the client had to list everything.
func (c *client) listed() int { return strings.Count(c.said.String(), "everything is listed") }
