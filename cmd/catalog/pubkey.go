package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog/files"
	"instruction-catalog/governance/sum"
)

// publicKey is a flag that takes a public key, or a file with it. It is read when a
// command runs.
type publicKey struct {
	name, value string
	given       bool
}

// register gives a command the flag.
func (k *publicKey) register(cmd *cobra.Command, name, usage string) {
	k.name = name
	cmd.Flags().Var(k, name, usage+": a public `key`, as \"catalog keygen\" printed it, or a file with it")
}

// String implements pflag.Value, as do Set and Type.
func (k *publicKey) String() string { return k.value }

func (k *publicKey) Set(value string) error {
	k.value, k.given = value, true
	return nil
}

func (k *publicKey) Type() string { return "key" }

// read returns the key, nil where none was given.
func (k *publicKey) read() (*sum.PublicKey, error) {
	if !k.given {
		return nil, nil
	}
	key, err := readPublicKey(k.value)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", k.name, err)
	}
	return &key, nil
}

// isPublicKey reports whether a value is a key itself, and no file with one.
func isPublicKey(value string) bool {
	_, err := sum.ParsePublicKey(value)
	return err == nil
}

// readPublicKey reads a key that is given itself, or as a file.
func readPublicKey(value string) (sum.PublicKey, error) {
	if strings.TrimSpace(value) == "" {
		return sum.PublicKey{}, errors.New("it is empty: give a public key, or a file with it")
	}
	key, problem := sum.ParsePublicKey(value)
	if problem == nil {
		return key, nil
	}
	f, err := files.Read(value, sum.MaxKey)
	switch {
	case err == nil:
		key, problem = sum.ParsePublicKey(string(f.Data))
		if problem != nil {
			return key, fmt.Errorf("%s: %w", value, problem)
		}
		return key, nil
	case strings.Contains(value, "+"): // as no usual path; it may be a secret
		return key, problem
	}
	return key, fmt.Errorf("%s is neither a public key, NAME+HASH+KEY, nor a file with one (%w)", value, files.Cause(err))
}
