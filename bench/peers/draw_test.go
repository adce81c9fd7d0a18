package main

import (
	"image/color"
	"math"
	"testing"

	"instruction-catalog/rpc"

	"gonum.org/v1/plot/vg"
)

// Every colour stands out from both grounds, by the contrast that WCAG 2.2
// (1.4.11) asks of graphics.
func TestPaletteOnBothGrounds(t *testing.T) {
	t.Parallel()
	for name, ground := range map[string]color.RGBA{"light": rgb(0xff, 0xff, 0xff), "dark": rgb(0x16, 0x1b, 0x22)} {
		for i, colour := range palette {
			if c := contrast(colour, ground); c < 3 {
				t.Errorf("colour %d has a contrast of %.2f to the %s ground, less than 3", i, c, name)
			}
		}
	}
}

// contrast is the ratio that WCAG 2.2 defines.
func contrast(a, b color.RGBA) float64 {
	brighter, darker := max(luminance(a), luminance(b)), min(luminance(a), luminance(b))
	return (brighter + 0.05) / (darker + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(channel uint8) float64 {
		if s := float64(channel) / 255; s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		} else {
			return s / 12.92
		}
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Names keep their distance and stay beside the plot.
func TestSpread(t *testing.T) {
	t.Parallel()
	for _, ends := range [][]vg.Length{{50}, {50, 50, 50}, {0, 1, 2, 3}, {97, 98, 99, 100}, {10, 60, 61, 90}} {
		names := make([]name, len(ends))
		for i, y := range ends {
			names[i].at.Y = y
		}
		spread(names, 0, 100)
		for i, n := range names {
			if n.at.Y < 0 || n.at.Y > 100 || i > 0 && n.at.Y-names[i-1].at.Y < lineHeight {
				t.Errorf("%v: name %d is at %v", ends, i, n.at.Y)
			}
		}
	}
}

func TestQuantities(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		milliseconds(0).String():       "–",
		milliseconds(0.00025).String(): "0.25 µs",
		milliseconds(0.0123).String():  "12.3 µs",
		milliseconds(9.996).String():   "10.0 ms",
		milliseconds(123.4).String():   "123 ms",
		milliseconds(4800).String():    "4.80 s",
		byteCount(999).String():        "999 B",
		byteCount(1_790_000).String():  "1.79 MB",
		byteCount(3e9).String():        "3.00 GB",
		times(1.456).String():          "1.46×",
		times(0).String():              "–",
		rpc.Grouped(1_000_000):         "1,000,000",
		rpc.Grouped(999):               "999",
		round("1.00 ms"):               "1 ms",
		round("100 µs"):                "100 µs",
		round("1,000"):                 "1,000",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
