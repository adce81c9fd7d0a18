package main

import (
	"bytes"
	"fmt"
	"html"
)

// A chart stands on a ground of its own, so that it can be read wherever it is
// shown, and turns dark with the reader's screen where a viewer knows about
// that. What is drawn in ink and rule is recognised by its colour.
const (
	ground = `
<title>%[1]s</title>
<style>
text { font-family: "Liberation Sans", Arial, Helvetica, sans-serif !important }
.ground { fill: #ffffff; stroke: #d8dee4 }
@media (prefers-color-scheme: dark) {
  .ground { fill: #161b22; stroke: #30363d }
  text[style*="%[2]s"] { fill: #d1d7e0 !important }
  path[style*="%[3]s"] { stroke: #30363d !important }
}
</style>
<rect class="ground" x="0.5" y="0.5" width="99.8%%" height="99.7%%" rx="6"/>
`
	inkCSS, ruleCSS = "#1F2328", "#D8DEE4"
)

// addGround puts the ground behind what was drawn.
func addGround(svg []byte, title string) []byte {
	open := bytes.Index(svg, []byte("<svg"))
	end := open + bytes.IndexByte(svg[open:], '>') + 1
	behind := fmt.Appendf(nil, ground, html.EscapeString(title), inkCSS, ruleCSS)
	return bytes.Join([][]byte{svg[:end], behind, bytes.TrimLeft(svg[end:], "\n")}, nil)
}
