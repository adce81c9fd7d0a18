package main

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// name is where a curve is named: at the right, level with its end, or as near
// to it as the other names leave room.
type name struct {
	*curve
	from, at vg.Point
}

// lineHeight is the least distance of two names.
const lineHeight = vg.Length(11)

// nameCurves writes the names beside the plot, each with a thread to the end of
// its curve.
func (c *chart) nameCurves(p *plot.Plot, data, whole draw.Canvas) {
	x, y := p.Transforms(&data)
	var names []name
	for i := range c.curves {
		one := &c.curves[i]
		end := one.points[len(one.points)-1]
		from := vg.Point{X: x(float64(end.entries)), Y: y(end.value)}
		names = append(names, name{one, from, vg.Point{X: data.Max.X + vg.Points(8), Y: from.Y}})
	}
	slices.SortStableFunc(names, func(a, b name) int { return compareLengths(a.at.Y, b.at.Y) })
	spread(names, data.Min.Y, data.Max.Y)
	for _, n := range names {
		n.draw(whole)
	}
}

// spread moves names, which are sorted from the lowest to the highest, apart and
// back between the limits.
func spread(names []name, lowest, highest vg.Length) {
	for i := range names {
		least := lowest
		if i > 0 {
			least = names[i-1].at.Y + lineHeight
		}
		names[i].at.Y = max(names[i].at.Y, least)
	}
	for i := len(names) - 1; i >= 0; i-- {
		most := highest
		if i < len(names)-1 {
			most = names[i+1].at.Y - lineHeight
		}
		names[i].at.Y = min(names[i].at.Y, most)
	}
}

func (n *name) draw(c draw.Canvas) {
	colour := palette[n.colour]
	thread := draw.LineStyle{Color: colour, Width: vg.Points(0.4)}
	c.StrokeLines(thread, []vg.Point{
		{X: n.from.X + vg.Points(4), Y: n.from.Y},
		{X: max(n.from.X+vg.Points(4), n.at.X-vg.Points(6)), Y: n.from.Y},
		{X: n.at.X - vg.Points(2), Y: n.at.Y},
	})
	written := style(8)
	written.Color, written.YAlign = colour, draw.YCenter
	c.FillText(written, n.at, n.label)
}

func compareLengths(a, b vg.Length) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
