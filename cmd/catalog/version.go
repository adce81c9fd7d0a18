package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"instruction-catalog/toolsets/instructions"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return json.NewEncoder(a.stdout).Encode(map[string]string{
					"version": version, "contract": instructions.ContractVersion, "go": runtime.Version(),
					"os": runtime.GOOS, "arch": runtime.GOARCH,
				})
			}
			_, err := fmt.Fprintf(a.stdout, "catalog %s, contract %s (%s, %s/%s)\n",
				version, instructions.ContractVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
