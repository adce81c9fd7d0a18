package bench

import "fmt"

// Statistic is a figure that something is promised of or that is compared, by
// the name of its member in the result file. Times are in milliseconds.
type Statistic string

// The statistics. As everything in a report, each is the median of the runs.
const (
	StatRatioP50    Statistic = "ratioP50"               // p50 divided by the floor's
	StatRatioP95    Statistic = "ratio"                  // p95 divided by the floor's
	StatP50         Statistic = "p50Ms"                  // of an operation
	StatP95         Statistic = "p95Ms"                  // of an operation
	StatFirstAnswer Statistic = "firstAnswerRatio"       // process start to first answer, divided by reading and hashing the files
	StatInitialize  Statistic = "initializeMs"           // process start to the answer to initialize
	StatFirstSearch Statistic = "firstSearchMs"          // the search after the first answer
	StatFirstRanked Statistic = "firstRankedMs"          // the same of a ranked search
	StatIndex       Statistic = "indexMs"                // building the index
	StatLoad        Statistic = "loadMs"                 // loading the catalog
	StatPipePeak    Statistic = "peakMemoryBytes"        // of the server
	StatProcessPeak Statistic = "processPeakMemoryBytes" // of this process
	StatSwaps       Statistic = "swaps"                  // of the snapshot while many files are written
	StatIdle        Statistic = "idlePercent"            // of one processor, that a server takes at rest
)

// String says what the figure is, for a person.
func (s Statistic) String() string {
	switch s {
	case StatRatioP50:
		return "p50 / floor"
	case StatRatioP95:
		return "p95 / floor"
	case StatP50, StatInitialize, StatFirstSearch, StatFirstRanked:
		return "p50"
	case StatP95:
		return "p95"
	case StatFirstAnswer:
		return "time / floor"
	case StatIndex, StatLoad:
		return "time"
	case StatPipePeak, StatProcessPeak:
		return "bytes"
	case StatSwaps:
		return "swaps"
	case StatIdle:
		return "processor"
	}
	return string(s)
}

// Format writes a value of the figure with its unit.
func (s Statistic) Format(value float64) string {
	switch s {
	case StatP50, StatP95, StatInitialize, StatFirstSearch, StatFirstRanked, StatIndex, StatLoad:
		return fmt.Sprintf("%.4g ms", value)
	case StatPipePeak, StatProcessPeak:
		return fmt.Sprintf("%.1f MB", value/1e6)
	case StatSwaps:
		return fmt.Sprintf("%.0f", value)
	case StatIdle:
		return fmt.Sprintf("%.2f %%", value)
	}
	return fmt.Sprintf("%.2f", value)
}
