package agentfile_test

import (
	"fmt"

	"instruction-catalog/catalog/glob"
	"instruction-catalog/catalog/source/agentfile"
)

func Example() {
	place, _ := agentfile.At("web/.cursor/rules/forms.mdc")
	r := place.Read(agentfile.FrontMatter{Fields: map[string]agentfile.Value{
		"globs": {Text: "*.ts, !gen/**"},
	}}, "Label every field.")
	fmt.Println(place.Kind, r.Load, r.Globs)

	globs := place.Anchor(r.Globs)
	fmt.Println(glob.Match(globs, "web/shop/cart.ts"), glob.Match(globs, "web/gen/cart.ts"))
	// Output:
	// cursor glob [*.ts !gen/**]
	// true false
}
