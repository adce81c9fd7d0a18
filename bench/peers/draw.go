package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"instruction-catalog/rpc"
)

// Dimensions of a chart and of the space around its plot.
const (
	width       = 17 * vg.Centimeter
	height      = 10 * vg.Centimeter
	margin      = 0.4 * vg.Centimeter
	titleHeight = 0.8 * vg.Centimeter
	legendWidth = 4.6 * vg.Centimeter
)

// palette has colours that colour-blind readers can tell apart. Each has a contrast of
// 3 to both backgrounds in [ground].
var palette = []color.RGBA{
	rgb(0x1f, 0x7a, 0xd6), rgb(0xd9, 0x67, 0x0c), rgb(0x1d, 0x96, 0x6c), rgb(0xc2, 0x4c, 0x93),
	rgb(0x7d, 0x6c, 0xd9), rgb(0x9a, 0x7d, 0x0a),
}

func rgb(r, g, b uint8) color.RGBA { return color.RGBA{r, g, b, 0xff} }

var (
	ink  = rgb(0x1f, 0x23, 0x28) // of texts and axes; ground changes both colours in dark mode
	rule = rgb(0xd8, 0xde, 0xe4) // colour of the grid
)

// svg draws the chart. The same chart always gives the same bytes.
func (c *chart) svg() ([]byte, error) {
	p, legend := c.newPlot(), plot.NewLegend()
	legend.Top, legend.Left, legend.TextStyle, legend.Padding = true, true, style(8), vg.Points(3)
	for _, one := range c.curves {
		if err := one.addTo(p, &legend); err != nil {
			return nil, err
		}
	}
	picture := vgsvg.New(width, height)
	whole := draw.Crop(draw.New(picture), margin, -margin, margin, -margin)
	title := style(12)
	title.YAlign = draw.YTop
	whole.FillText(title, vg.Point{X: whole.Min.X, Y: whole.Max.Y}, c.Title)
	p.Draw(draw.Crop(whole, 0, -legendWidth, 0, -titleHeight))
	legend.Draw(draw.Crop(whole, width-margin-legendWidth, 0, 0, -titleHeight))
	var b bytes.Buffer
	if _, err := picture.WriteTo(&b); err != nil {
		return nil, err
	}
	return addGround(b.Bytes(), c.Title), nil
}

// newPlot returns a plot with axes and a grid, without curves.
func (c *chart) newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // addGround adds the background
	p.X.Label.Text, p.X.Label.TextStyle = "entries", style(9)
	p.X.Label.TextStyle.XAlign = draw.XCenter
	entries := func(n float64) string { return rpc.Grouped(int(n)) }
	p.X.Min, p.X.Max = c.extent(func(at point) float64 { return float64(at.entries) }, 1.25)
	p.Y.Min, p.Y.Max = c.extent(func(at point) float64 { return at.value }, 1.6)
	p.X.Tick.Marker, p.Y.Tick.Marker = decades(entries), decades(c.unit.Format)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Scale = plot.LogScale{}
		axis.Color, axis.LineStyle.Color, axis.Tick.LineStyle.Color = ink, rule, rule
		axis.Tick.Label.Font, axis.Tick.Label.Color = style(8).Font, ink
		axis.Padding = 0
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = rule, rule
	p.Add(grid)
	return p
}

// extent returns the least and the greatest figure of all curves. To leave space around
// them it divides the least by room and multiplies the greatest by it.
func (c *chart) extent(figure func(point) float64, room float64) (least, greatest float64) {
	least = math.Inf(1)
	for _, one := range c.curves {
		for _, at := range one.points {
			least, greatest = min(least, figure(at)), max(greatest, figure(at))
		}
	}
	return least / room, greatest * room
}

func style(points vg.Length) text.Style {
	return text.Style{Color: ink, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(float64(points))}, Handler: plot.DefaultTextHandler}
}

// decades returns a ticker that marks the powers of ten.
func decades(label func(float64) string) plot.TickerFunc {
	return func(least, greatest float64) (ticks []plot.Tick) {
		for e := math.Ceil(math.Log10(least)); e <= math.Floor(math.Log10(greatest)); e++ {
			value := math.Pow(10, e)
			ticks = append(ticks, plot.Tick{Value: value, Label: strings.TrimSuffix(round(label(value)), ".")})
		}
		return ticks
	}
}

// round removes trailing zeros after the decimal point, as in "1.00 ms".
func round(label string) string {
	number, unit, spaced := strings.Cut(label, " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	if spaced {
		number += " " + unit
	}
	return number
}

// addTo adds the curve to the plot and to the legend. Floors are dashed and have no
// dots.
func (c *curve) addTo(p *plot.Plot, legend *plot.Legend) error {
	var points plotter.XYs
	for _, at := range c.points {
		points = append(points, plotter.XY{X: float64(at.entries), Y: at.value})
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = palette[c.colour], vg.Points(1.6)
	p.Add(line)
	if c.floor {
		line.Width, line.Dashes = vg.Points(1.2), []vg.Length{vg.Points(4), vg.Points(3)}
		legend.Add(c.label, line)
		return nil
	}
	dots.Shape, dots.Color, dots.Radius = draw.CircleGlyph{}, palette[c.colour], vg.Points(2.4)
	p.Add(dots)
	legend.Add(c.label, line, dots)
	return nil
}

// A chart has its own background, so that it is readable on any page. It follows the
// reader's dark mode if the viewer supports it. The style sheet selects texts and lines
// by the colours ink and rule.
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

// addGround inserts the title, the style sheet and the background before the drawing.
func addGround(svg []byte, title string) []byte {
	open := bytes.Index(svg, []byte("<svg"))
	end := open + bytes.IndexByte(svg[open:], '>') + 1
	behind := fmt.Appendf(nil, ground, html.EscapeString(title), inkCSS, ruleCSS)
	return bytes.Join([][]byte{svg[:end], behind, bytes.TrimLeft(svg[end:], "\n")}, nil)
}
