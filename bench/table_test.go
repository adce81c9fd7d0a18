package bench

import "testing"

func TestQuantities(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Milliseconds(0).String():       "",
		Milliseconds(0.00025).String(): "0.25 µs",
		Milliseconds(0.0123).String():  "12.3 µs",
		Milliseconds(9.996).String():   "10.0 ms",
		Milliseconds(123.4).String():   "123 ms",
		Milliseconds(4800).String():    "4.80 s",
		Bytes(999).String():            "999 B",
		Bytes(1_790_000).String():      "1.79 MB",
		Bytes(3e9).String():            "3.00 GB",
		Ratio(1.456).String():          "1.46×",
		Ratio(0).String():              "",
		Ratio(123).String():            "123×",
		UnitRatio.Format(2):            "2.00×",
		UnitMilliseconds.Format(2):     "2.00 ms",
		UnitBytes.Format(2000):         "2.00 kB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
