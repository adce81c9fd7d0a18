package stdio

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzLine: whatever a client sends, each line costs at most one line of
// answer, every answer is a response or a batch of them, and the request that
// comes after is answered.
func FuzzLine(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, section := range archive.Files {
			if section.Name == "client" {
				f.Add(section.Data)
			}
		}
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"test/echo","params":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + "}"))
	y := newToy(f)
	close(y.release)
	f.Fuzz(func(t *testing.T, input []byte) {
		if strings.Contains(string(input), "test/large") {
			t.Skip("asks for as much as it likes")
		}
		const last = `{"jsonrpc":"2.0","id":"the last","method":"test/echo","params":{"text":"x"}}`
		answers := strings.SplitAfter(y.serve(t, string(input)+"\n"+last), "\n")
		answers = answers[:len(answers)-1]
		if most := strings.Count(string(input), "\n") + 2; len(answers) > most {
			t.Fatalf("%d answers to %d lines", len(answers), most)
		}
		answered := false
		for _, line := range answers {
			checkAnswer(t, line)
			answered = answered || line == `{"jsonrpc":"2.0","id":"the last","result":{"text":"x"}}`+"\n"
		}
		if !answered {
			t.Fatal("the last request was not answered")
		}
	})
}

func checkAnswer(t *testing.T, line string) {
	t.Helper()
	var batch []json.RawMessage
	if json.Unmarshal([]byte(line), &batch) != nil {
		batch = []json.RawMessage{json.RawMessage(line)}
	}
	if len(batch) == 0 {
		t.Fatalf("an empty batch as an answer: %q", line)
	}
	for _, text := range batch {
		var r map[string]json.RawMessage
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("answer %q: %v", line, err)
		}
		if string(r["jsonrpc"]) != `"2.0"` || r["id"] == nil || len(r) != 3 || (r["result"] == nil) == (r["error"] == nil) {
			t.Fatalf("%q is no response", line)
		}
	}
}
