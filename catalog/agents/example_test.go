package agents_test

import (
	"fmt"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/glob"
)

func Example() {
	place, _ := agents.At("web/.cursor/rules/forms.mdc")
	r := place.Read(agents.FrontMatter{Fields: map[string]agents.Value{
		"globs": {Text: "*.ts, !gen/**"},
	}}, "Label every field.")
	fmt.Println(place.Kind, r.Load, r.Globs)

	globs := place.Anchor(r.Globs)
	fmt.Println(glob.Match(globs, "web/shop/cart.ts"), glob.Match(globs, "web/gen/cart.ts"))
	// Output:
	// cursor glob [*.ts !gen/**]
	// true false
}
