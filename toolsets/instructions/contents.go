package instructions

import (
	"fmt"
	"strings"

	"instruction-catalog/catalog"
)

// mostContents is how long the table of contents may be, in bytes.
const mostContents = 200_000

// contents is the table of contents, in Markdown. It says first how much of it
// is there.
func contents(s *catalog.Snapshot) string {
	const heading = 500 // bytes that the lines above the rows take, or less
	var rows strings.Builder
	shown := 0
	for _, e := range byForce(s.Entries()) {
		row := contentsRow(e)
		if rows.Len()+len(row) > mostContents-heading {
			break
		}
		rows.WriteString(row)
		shown++
	}
	return contentsHead(s, shown) + rows.String()
}

func contentsHead(s *catalog.Snapshot, shown int) string {
	all := len(s.Entries())
	head := fmt.Sprintf("# Instructions\n\n%s, most binding first. Catalog %s.\n\n", counted(all, "instruction", "instructions"), s.Hash())
	if shown < all {
		head += fmt.Sprintf("This table was cut: it has the first %s. Find the others with a search, or page by page in the list of resources.\n\n", grouped(shown))
	}
	return head + "| Instruction | Requirement | Priority | Title | Categories |\n|---|---|---|---|---|\n"
}

func contentsRow(e *catalog.Entry) string {
	return fmt.Sprintf("| [%s](%s) | %s | %d | %s | %s |\n", e.ID, instructionURI(e.ID), e.Requirement, e.Priority,
		cell(e.Title, catalog.MaxTitle), cell(strings.Join(e.Categories, ", "), 200))
}

// cell is a text in a table: Markdown reads none of it as markup.
func cell(text string, most int) string { return plain.Replace(brief(text, most)) }

var plain = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "~", `\~`, "!", `\!`,
)
