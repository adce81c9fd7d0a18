package source_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/source"
)

func ExampleSource_Load() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"secrets.md":  "---\nrequirement: Critical\n---\n# No secrets\n",
		"broken.json": `{"id": "broken"`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}

	snapshot, err := source.New(dir).Load(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range snapshot.Entries() {
		fmt.Println(e.ID, e.Requirement, e.Title)
	}
	for _, d := range snapshot.Diagnostics() {
		fmt.Println(d.Path, d.Severity)
	}
	// Output:
	// secrets critical No secrets
	// broken.json error
	// secrets.md warning
}
