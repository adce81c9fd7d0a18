package instructions

import (
	"fmt"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// maxIndex is the maximum size of the table of contents, in bytes.
const maxIndex = 200_000

// indexPage returns the table of contents in Markdown, most binding entries first. If
// the table would exceed maxIndex, indexPage cuts it and says so above the table.
func indexPage(s *catalog.Snapshot) string {
	const heading = 500 // upper bound for the text above the rows, in bytes
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
		head += fmt.Sprintf("This table was cut after the first %s. Find the others with a search, or page by page in the list of resources.\n\n", rpc.Grouped(shown))
	}
	return head + "| Instruction | Requirement | Priority | Title | Categories |\n|---|---|---|---|---|\n"
}

func indexRow(e *catalog.Entry) string {
	return fmt.Sprintf("| [%s](%s) | %s | %d | %s | %s |\n", e.ID, instructionURI(e.ID), e.Requirement, e.Priority,
		cell(e.Title, catalog.MaxTitle), cell(strings.Join(e.Categories, ", "), 200))
}

// cell returns text for a table cell: on one line, cut to limit characters, with
// Markdown markup escaped.
func cell(text string, limit int) string { return plain.Replace(brief(text, limit)) }

var plain = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "~", `\~`, "!", `\!`,
)
