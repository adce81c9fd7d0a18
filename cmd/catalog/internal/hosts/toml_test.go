package hosts

import (
	"strings"
	"testing"
)

const table = "[mcp_servers.catalog]\ncommand = \"catalog\"\nargs = [\"serve\"]\n"

// tomlCases show where our entry is inserted in various texts.
var tomlCases = []struct{ name, before, added string }{
	{"an empty file", "", "\n" + table},
	{"an empty line", "\n", "\n\n" + table},
	{"a comment", "# mine\n", "# mine\n\n" + table},
	{"no end of line", "a = 1", "a = 1\n\n" + strings.TrimSuffix(table, "\n")},
	{"nothing but space", "  ", "  \n\n" + strings.TrimSuffix(table, "\n")},
	{"lines as on Windows", "\ufeffa = 1\r\n", "\ufeffa = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n")},
	{"what looks like our table", "a = '''\n[mcp_servers.catalog]\n'''\n", "a = '''\n[mcp_servers.catalog]\n'''\n\n" + table},
	{"dotted names", "mcp_servers.a.command = 'a'\n", "mcp_servers.a.command = 'a'\n\n" + table},
	{"a profile of the same name", "[profiles.catalog]\n[[mcp_servers.a.list]]\n", "[profiles.catalog]\n[[mcp_servers.a.list]]\n\n" + table},
	{"quoted names", "[ \"mcp_servers\" . 'catalog' ] # ours\nargs=[ 'serve', '-x' ]#a\ncommand = \"/opt/catalog\"\n",
		"[ \"mcp_servers\" . 'catalog' ] # ours\nargs=[\"serve\"]#a\ncommand = \"catalog\"\n"},
	{"our server in the table of servers", "[mcp_servers]\ncatalog.command = 'catalog'\ncatalog.args = ['serve', '-x']\n",
		"[mcp_servers]\ncatalog.command = 'catalog'\ncatalog.args = [\"serve\"]\n"},
	{"our server as a value, up to date", "[mcp_servers]\ncatalog = {command = 'catalog', args = ['serve']}\n",
		"[mcp_servers]\ncatalog = {command = 'catalog', args = ['serve']}\n"},
}

func TestAddTOML(t *testing.T) {
	t.Parallel()
	for _, tt := range tomlCases {
		if got := mustAdd(t, codex, []byte(tt.before)); string(got) != tt.added {
			t.Errorf("%s: got\n%q\nwant\n%q", tt.name, got, tt.added)
		}
		checkEdits(t, codex, tt.before, tomlValues)
	}
}

// Removing works after others have edited the file.
func TestRemoveTOML(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, after string }{
		{"in the middle", "a = 1\n\n" + table + "\n# next\n[b]\n", "a = 1\n\n# next\n[b]\n"},
		{"without an empty line", "a = 1\n" + table + "[b]\n", "a = 1\n[b]\n"},
		{"at the top", table + "\n[b]\n", "[b]\n"},
		{"in two places", table + "[b]\n\n[mcp_servers.catalog.env]\nA = '1'\n[c]\n", "[b]\n[c]\n"},
		{"as a value", "[mcp_servers]\ncatalog = {command = 'catalog', args = ['serve']} # ours\na.url = 'u'\n", "[mcp_servers]\na.url = 'u'\n"},
		{"what the user gave it", table + "enabled = false\n", ""},
		{"a note in it", strings.Replace(table, "\n", " # mine\n", 1), ""},
		{"not there", "[mcp_servers.a]\n", "[mcp_servers.a]\n"},
	}
	for _, tt := range tests {
		if got, nothing := mustRemove(t, codex, []byte(tt.before)); string(got) != tt.after || nothing {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, nothing, tt.after)
		}
	}
}

// Both edits reject these texts and report the position.
func TestRefusedTOML(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"a = 1\na = 2\n", "2:1: " + notTOML},
		{"a = [\n", "1:6: " + notTOML},
		{"mcp_servers = {}\n", "1:1: mcp_servers is a value here: write each server as a table, [mcp_servers.NAME]"},
		{"a = 1\n[[mcp_servers]]\n", "2:1: mcp_servers should be a table"},
		{"[mcp_servers]\ncatalog = 1\n", "2:1: " + notOurs},
		{"[mcp_servers.catalog]\n", "1:1: " + notOurs},
		{"[[mcp_servers.catalog]]\n", "1:1: " + notOurs},
		{"[mcp_servers.catalog]\ncommand = 'catalog'\nargs = ['serve', 1]\n", "1:1: " + notOurs},
		{"a = 1\n[mcp_servers.catalog]\nurl = 'https://catalog.example'\n", "2:1: " + isAtURL},
		{"[[mcp_servers.catalog]]\ncommand = 'catalog'\nargs = ['serve']\n", "1:1: " + notOurs},
	}
	for _, tt := range tests {
		_, toAdd := codex.Add([]byte(tt.text), server)
		_, _, toRemove := codex.Remove([]byte(tt.text), server)
		for _, err := range []error{toAdd, toRemove} {
			if err == nil || err.Error() != tt.want {
				t.Errorf("%.80q: %v, want %s", tt.text, err, tt.want)
			}
		}
	}
}

// An outdated entry that is written as a value is rejected.
func TestValueOutOfDate(t *testing.T) {
	t.Parallel()
	_, err := codex.Add([]byte("[mcp_servers]\ncatalog = {command = 'catalog', args = ['serve', '-x'], enabled = false}\n"), server)
	if want := "2:11: the server catalog is a value here and out of date: remove it and try again"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
