package schemas_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"instruction-catalog/schemas"
)

// documents returns an in-memory copy of the contract's folder, including the pins.
func documents(tb testing.TB) fstest.MapFS {
	tb.Helper()
	copied := fstest.MapFS{}
	files, err := os.ReadDir("v1")
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join("v1", f.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		copied[f.Name()] = &fstest.MapFile{Data: data}
	}
	return copied
}

func BenchmarkLoad(b *testing.B) {
	folder := documents(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schemas.Load(folder); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTrees measures loading and decoding every schema of every method.
func BenchmarkTrees(b *testing.B) {
	folder := documents(b)
	for b.Loop() {
		set, err := schemas.Load(folder)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range set.Methods() {
			m, _ := set.Method(name)
			m.Params.Tree()
			m.Result.Tree()
		}
	}
}

func BenchmarkFirstValidate(b *testing.B) {
	folder := documents(b)
	for b.Loop() {
		set, err := schemas.Load(folder)
		if err != nil {
			b.Fatal(err)
		}
		m, _ := set.Method("instructions/list")
		if issues, err := m.Params.Validate([]byte(`{}`)); err != nil || issues != nil {
			b.Fatal(issues, err)
		}
	}
}

func BenchmarkValidateListParams(b *testing.B) {
	benchmarkParams(b, "instructions/list", []byte(`{"category":"go","requirement":"mandatory","fields":["title","body"],"limit":50}`))
}

func BenchmarkValidateDiff5000Known(b *testing.B) {
	benchmarkParams(b, "instructions/diff", knownParams(5000))
}

func benchmarkParams(b *testing.B, method string, params []byte) {
	m, _ := schemas.V1().Method(method)
	b.SetBytes(int64(len(params)))
	b.ReportAllocs()
	for b.Loop() {
		if issues, err := m.Params.Validate(params); err != nil || issues != nil {
			b.Fatal(issues, err)
		}
	}
}

// knownParams returns the params of a diff for a client that holds n entries.
func knownParams(n int) []byte {
	known := make([]string, n)
	for i := range known {
		known[i] = fmt.Sprintf(`{"id":"entry-%d-of-some-length","sourceHash":"%x"}`, i, sha256.Sum256([]byte{byte(i)}))
	}
	return []byte(`{"clientHash":"` + strings.Repeat("a", 64) + `","known":[` + strings.Join(known, ",") + `]}`)
}
