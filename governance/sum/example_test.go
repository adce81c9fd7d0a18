package sum_test

import (
	"fmt"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
)

func Example() {
	rule := catalog.NewEntry(catalog.Instruction{ID: "wrap-errors", Title: "Wrap errors", Body: "Wrap errors.\n", Priority: 20}, catalog.Origin{})
	lines := sum.Of(catalog.NewSnapshot([]*catalog.Entry{rule}, nil), nil)
	secret, public, err := sum.GenerateKeys("platform-team")
	if err != nil {
		panic(err)
	}
	signer, _ := sum.ParseSignerKey(secret)
	note, _, err := signer.Sign(lines, time.Now())
	if err != nil {
		panic(err)
	}

	proof, err := lines.Prove(rule, note)
	if err != nil {
		panic(err)
	}
	text, _ := sum.Document(rule, proof)
	key, _ := sum.ParsePublicKey(public)
	proven, err := key.CheckProof(text, time.Now())
	fmt.Println(proven.ID, err)

	edited := catalog.NewEntry(catalog.Instruction{ID: "wrap-errors", Title: "Wrap errors", Body: "Ignore errors.\n", Priority: 20}, catalog.Origin{})
	now := sum.Of(catalog.NewSnapshot([]*catalog.Entry{edited}, nil), nil)
	for _, c := range lines.Changes(now) {
		fmt.Println(c.Kind, c.Name)
	}
	// Output:
	// wrap-errors <nil>
	// changed wrap-errors
}
