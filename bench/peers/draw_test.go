package main

import (
	"image/color"
	"math"
	"testing"
)

// Every colour has the contrast to both backgrounds that WCAG 2.2 (1.4.11) requires for
// graphics.
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

// contrast returns the contrast ratio as WCAG 2.2 defines it.
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

func TestRound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"1.00 ms": "1 ms", "100 µs": "100 µs", "1,000": "1,000"} {
		if got := round(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
