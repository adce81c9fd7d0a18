package verify

import (
	"context"
	"path"
	"path/filepath"
	"slices"

	"instruction-catalog/catalog/config"
	"instruction-catalog/governance/report"
)

// InFile returns the findings for the single file r.Only, using configuration c of its
// repository. r.Folder must be empty.
func InFile(ctx context.Context, r Run, c *config.Config) ([]report.Finding, error) {
	result, err := r.Find(ctx)
	if err != nil {
		return nil, err
	}
	within, err := r.fromTop(c)
	if err != nil {
		return nil, err
	}
	toConfig, err := filepath.Rel(within, config.Path)
	if err != nil {
		return nil, err
	}
	verdict, err := r.Judge(Policy{Config: c, ConfigPath: filepath.ToSlash(toConfig), LooksFor: r.LooksFor}, result.Findings)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(verdict.Findings, func(f report.Finding) bool { return f.Path != r.Only })
	if c.Baseline == "" {
		return found, nil
	}
	known, err := ReadBaseline(filepath.Join(c.Top, filepath.FromSlash(c.Baseline)))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(f report.Finding) bool {
		return known.Knows(f, path.Join(within, f.Path))
	}), nil
}

// fromTop returns the path of the catalog's folder relative to the top of its repository,
// with slashes.
func (r *Run) fromTop(c *config.Config) (string, error) {
	folder, err := filepath.Abs(r.Source.Folder())
	if err != nil {
		return "", err
	}
	within, err := filepath.Rel(c.Top, folder)
	return filepath.ToSlash(within), err
}
