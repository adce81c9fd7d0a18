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
		Long: `Prints {"item", "proof"}: an entry, and what shows together with the public key that
it is one of those that were signed, without the rest of the catalog. The item has
all fields that the signature covers, and no others. "catalog check-proof" checks it;
over the protocols it is "instructions/get" with {"proof": true}.

Exits 1 if there is no such entry, or the catalog is not in step with catalog.sum.`,
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
	if g.beside.Note == nil {
		return fmt.Errorf("%s has no %s: the catalog is not signed; run `catalog sign`", a.folder(), catalog.NoteFile)
	}
	proof, err := stands.Prove(e, g.beside.Note)
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
		Long: `Checks what "catalog prove" printed, or the answer of "instructions/get" with
{"proof": true}, from a file or standard input, with nothing but the public key: whether the item is, to the letter, an entry of a catalog that was signed with
that key. How the JSON is laid out does not matter.

Exits 0 if it holds and 1 if it does not. Fields that no signature covers, such as
updatedAt, which a server's answer has, are named: do not rely on them. A proof holds
for as long as the key does, whatever the catalog says by now.`,
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
	pubkey.register(cmd, "pubkey", "whose signature it has to be")
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
