package verify

import (
	"errors"
	"fmt"

	"instruction-catalog/catalog/files"
	"instruction-catalog/governance/report"
)

// maxBaseline is the maximum size of a baseline, in bytes.
const maxBaseline = 64 << 20

// ReadBaseline reads the baseline in the file called name. Its errors include the name.
func ReadBaseline(name string) (*report.Baseline, error) {
	f, err := files.Read(name, maxBaseline)
	switch {
	case errors.Is(err, files.ErrTooLarge):
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxBaseline)
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", name, files.Cause(err))
	}
	b, err := report.ParseBaseline(f.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}
