package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
)

func (a *app) proveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "prove ID",
		Short: "Print an entry with the proof that it is in the signed catalog",
		Long: `Prints {"item", "proof"}: an entry, and the proof that it is part of the signed
catalog, which can be checked with the public key and without the rest of the catalog.
The item has all fields that the signature covers, and no others. "catalog check-proof"
checks it. Clients get the same from "instructions/get" with {"proof": true}.

Exits 1 if the entry does not exist, or the catalog differs from catalog.sum.`,
		Example:           `  catalog prove go-error-values | catalog check-proof --pubkey platform-team.pub`,
		Args:              arguments(1, 1),
		ValidArgsFunction: a.completeIDs,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.prove(cmd.Context(), args[0]) },
	}
}

func (a *app) prove(ctx context.Context, id string) error {
	g, err := a.governed(ctx)
	if err != nil {
		return err
	}
	e, err := a.entryOf(g.snapshot, id)
	if err != nil {
		return err
	}
	stands, err := a.inStep(g)
	if err != nil {
		return err
	}
	if g.metadata.Note == nil {
		return fmt.Errorf("%s has no %s: the catalog is not signed; run `catalog sign`", a.folder(), catalog.NoteFile)
	}
	proof, err := stands.Prove(e, g.metadata.Note)
	if err != nil {
		return err
	}
	text, err := sum.Document(e, proof)
	if err != nil {
		return err
	}
	a.printJSON(text)
	return nil
}

func (a *app) checkProofCommand() *cobra.Command {
	var pubkey publicKey
	cmd := &cobra.Command{
		Use:   "check-proof --pubkey KEY [FILE|-]",
		Short: "Check the proof that an entry is in a signed catalog",
		Long: `Checks the output of "catalog prove", or the answer of "instructions/get" with
{"proof": true}, from a file or standard input. It needs only the public key, and checks
that the item is exactly an entry of a catalog that was signed with that key. The layout
of the JSON does not matter.

Exits 0 if the proof is valid and 1 if it is not. Fields that the signature does not
cover, such as updatedAt in a server's answer, are listed: do not rely on them. A proof
stays valid as long as the key does, even if the catalog has changed since.`,
		Example: `  catalog check-proof --pubkey platform-team.pub proof.json`,
		Args:    arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := pubkey.read()
			if err != nil {
				return err
			}
			data, err := a.readInput(append(args, "-")[0])
			if err != nil {
				return err
			}
			return a.checkProof(*key, data)
		},
	}
	pubkey.register(cmd, "pubkey", "the key that must have signed it")
	_ = cmd.MarkFlagRequired("pubkey") // the flag exists
	return cmd
}

// checked is the result of checking a proof.
type checked struct {
	Holds bool   `json:"holds"`
	Error string `json:"error,omitempty"` // why the proof does not hold
	*sum.Proven
}

func (a *app) checkProof(key sum.PublicKey, data []byte) error {
	proven, err := key.CheckProof(data, time.Now())
	c := checked{Holds: err == nil}
	if err != nil {
		c.Error = err.Error()
	} else {
		c.Proven = &proven
	}
	switch {
	case a.json:
		if err := a.printValue(c); err != nil {
			return err
		}
	case !c.Holds:
		fmt.Fprintln(a.stdout, oneLine("it does not hold: "+c.Error))
	default:
		fmt.Fprintf(a.stdout, "it holds: %s was signed by %s at %s\n", proven.ID, oneLine(proven.SignedBy), proven.SignedAt)
		if len(proven.Unsigned) > 0 {
			fmt.Fprintf(a.stdout, "not signed: %s\n", strings.Join(proven.Unsigned, ", "))
		}
	}
	if !c.Holds {
		return errFindings
	}
	return nil
}
