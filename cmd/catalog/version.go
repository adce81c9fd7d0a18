package main

import (
	_ "embed" // for NOTICES.txt
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"instruction-catalog/toolsets/instructions"
)

// notices are the licence texts of everything that is linked into the program.
// cmd/gendocs generates them.
//
//go:embed NOTICES.txt
var notices string

func (a *app) versionCommand() *cobra.Command {
	var licenses bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if licenses {
				_, err := io.WriteString(a.stdout, notices)
				return err
			}
			if a.json {
				return a.printValue(map[string]string{
					"version": version, "contract": instructions.ContractVersion, "go": runtime.Version(),
					"os": runtime.GOOS, "arch": runtime.GOARCH,
				})
			}
			_, err := fmt.Fprint(a.stdout, versionLine())
			return err
		},
	}
	cmd.Flags().BoolVar(&licenses, "licenses", false, "print the licence texts and notices of the program and its libraries")
	return cmd
}

func versionLine() string {
	return fmt.Sprintf("catalog %s, contract %s (%s, %s/%s)\n",
		version, instructions.ContractVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
