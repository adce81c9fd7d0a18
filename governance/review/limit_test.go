package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile returns criteria with n rules, as a hostile repository could contain them.
func hostile(t *testing.T, n int, rule func(i int) map[string]any) *Criteria {
	t.Helper()
	rules := make([]map[string]any, n)
	for i := range rules {
		rules[i] = rule(i)
		rules[i]["id"], rules[i]["severity"], rules[i]["description"] = fmt.Sprintf("r%d", i), "low", "D"
	}
	text, err := json.Marshal(map[string]any{"version": "1", "categories": []any{map[string]any{"id": "a", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestHostileCriteria checks that rules as costly as the limits of a file allow
// neither block a review nor use unlimited memory. The review ends with an error that
// names one of them.
func TestHostileCriteria(t *testing.T) {
	var text strings.Builder
	for i := 0; text.Len() < MaxPrompt-1; i = i*1103515245 + 12345 {
		text.WriteByte("abcdefghijklmnopqrstuvwxyz "[i>>16&0x7fff%27])
	}
	for name, c := range map[string]*Criteria{
		"places": hostile(t, MaxRules, func(i int) map[string]any {
			return map[string]any{"pattern": fmt.Sprintf(".|Q%d", i)}
		}),
		"states": hostile(t, 200, func(i int) map[string]any {
			return map[string]any{"pattern": fmt.Sprintf("[a-m][a-z ]{290}[n-z][a-z ]{200}Q%d", i)}
		}),
		"allow": hostile(t, 30, func(int) map[string]any {
			allow := make([]string, 99)
			for i := range allow {
				allow[i] = fmt.Sprintf("[a-m].{28}Q%d", i)
			}
			return map[string]any{"pattern": "(?s).{50}", "allow": allow}
		}),
		"far ahead": hostile(t, 40, func(i int) map[string]any {
			return map[string]any{"pattern": fmt.Sprintf("[a-z ]{1,800}[a-z ]{1,800}[a-z ]{1,800}Q%d|[a-z ]", i)}
		}),
	} {
		// Use up the total time, so that only part of a second is left.
		c.usage.nanoseconds.Store(int64(timeInAll))
		began := time.Now()
		_, err := c.Review(t.Context(), text.String(), true)
		cost, ok := errors.AsType[*CostError](err)
		if !ok || !strings.HasPrefix(cost.Rule, "a/r") {
			t.Errorf("%s: %v", name, err)
		}
		var memory runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&memory)
		if memory.HeapAlloc > 150<<20 {
			t.Errorf("%s: %d MiB are in use", name, memory.HeapAlloc>>20)
		}
		t.Logf("%s: %s, %d MiB", name, time.Since(began), memory.HeapAlloc>>20)
		runtime.KeepAlive(c)
	}
}

// TestLimitedRulesFindTheSame checks that rules find the same with and without limits.
// The texts are short, so that even a slow machine reaches no limit.
func TestLimitedRulesFindTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes under the race detector")
	}
	t.Parallel()
	data, err := os.ReadFile("../../docs/PROMPT-CRITERIA.json")
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := ParseTested(data)
	if err != nil {
		t.Fatal(err)
	}
	limited, err := parse(data, true)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, r := range trusted.rules {
		text := strings.Join(append(r.examples, r.negativeExamples...), " é")
		want, _, err := trusted.ReviewText(t.Context(), text)
		got, _, err2 := limited.ReviewText(t.Context(), text)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if !reflect.DeepEqual(got.Issues, want.Issues) {
			t.Errorf("got %v, want %v", got.Issues, want.Issues)
		}
		found += len(want.Issues)
	}
	if found < 200 {
		t.Errorf("the rules found %d places only", found)
	}
}
