package instructions

import (
	"fmt"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// maxIndex is how long the table of contents may be, in bytes.
const maxIndex = 200_000

// indexPage is the table of contents, in Markdown. It says first how much of it
// is there.
func indexPage(s *catalog.Snapshot) string {
	const heading = 500 // bytes that the lines above the rows take, or less
	var rows strings.Builder
	shown := 0
	for _, e := range byForce(s.Entries()) {
		row := indexRow(e)
		if rows.Len()+len(row) > maxIndex-heading {
			break
		}
		rows.WriteString(row)
		shown++
	}
	return indexHead(s, shown) + rows.String()
}

func indexHead(s *catalog.Snapshot, shown int) string {
	all := len(s.Entries())
	head := fmt.Sprintf("# Instructions\n\n%s, most binding first. Catalog %s.\n\n", counted(all, "instruction", "instructions"), s.Hash())
	if shown < all {
		head += fmt.Sprintf("This table was cut: it has the first %s. Find the others with a search, or page by page in the list of resources.\n\n", rpc.Grouped(shown))
	}
	return head + "| Instruction | Requirement | Priority | Title | Categories |\n|---|---|---|---|---|\n"
}

func indexRow(e *catalog.Entry) string {
	return fmt.Sprintf("| [%s](%s) | %s | %d | %s | %s |\n", e.ID, instructionURI(e.ID), e.Requirement, e.Priority,
		cell(e.Title, catalog.MaxTitle), cell(strings.Join(e.Categories, ", "), 200))
}

// cell is a text in a table: Markdown reads none of it as markup.
func cell(text string, limit int) string { return plain.Replace(brief(text, limit)) }

var plain = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "~", `\~`, "!", `\!`,
)
