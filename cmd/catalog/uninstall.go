package main

import (
	"bytes"
	"os"

	"github.com/spf13/cobra"

	"instruction-catalog/cmd/catalog/internal/hosts"
)

func (a *app) uninstallCommand() *cobra.Command {
	var in installation
	cmd := &cobra.Command{
		Use:   "uninstall [HOST]",
		Short: "Remove what install added",
		Long: `Removes our entry from the configuration of an MCP host, and nothing else: the rest
of the file is byte for byte what it was before "catalog install". Without HOST, lists
the hosts and the files that they read.

A file that is just as install writes it is removed; folders stay. Any other file
stays, also if nothing is left in it. If our entry is just as install wrote it, the
backup that install made is removed; else what was in the file, such as your
additions to our entry, is kept beside it, as with install. An entry called catalog that does not run "catalog serve" is not
ours and stays. One that was installed with --http is taken back with the same URL.`,
		Example: `  catalog uninstall vscode
  catalog uninstall cursor --global`,
		Args:              arguments(0, 1),
		ValidArgsFunction: completeHosts,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listHosts()
			}
			if err := a.locate(&in, args[0]); err != nil {
				return err
			}
			return a.uninstall(in)
		},
	}
	cmd.Flags().BoolVar(&in.global, "global", false, "from the configuration for all projects of this user")
	cmd.Flags().StringVar(&in.url, "http", "", "the `URL` that the entry names")
	return cmd
}

func (a *app) uninstall(in installation) error {
	return a.edit(in, func(_ place, file *config, result *installed) error {
		if file == nil {
			result.done = "not there: " + in.path
			return nil
		}
		return result.remove(in, *file)
	})
}

// remove removes our entry from an existing file.
func (r *installed) remove(in installation, file config) error {
	self, err := os.Executable()
	if err != nil {
		self = "" // then our entry is recognised only by its command's name
	}
	text, nothingElse, err := in.host.Remove(file.text, hosts.Server{Command: self, URL: in.url})
	switch {
	case err != nil:
		return file.refused(err)
	case nothingElse:
		r.Changed, r.done = true, "removed "+file.path+", which had nothing else"
		return file.remove()
	case string(text) == string(file.text):
		r.done = "not there: " + file.path
		return nil
	}
	if suffix := file.backupOf(text); suffix != "" && isAsInstalled(in.host, text, file.text) {
		r.Changed, r.done = true, "changed "+file.path+" back to what it was, and removed "+file.target+suffix
		return file.restore(text, suffix)
	}
	return r.rewrite(file, text)
}

// isAsInstalled reports whether installing the entry into before yields exactly now, so
// that now adds only our entry.
func isAsInstalled(host hosts.Host, before, now []byte) bool {
	server, ok := host.Entry(now)
	if !ok {
		return false
	}
	made, err := host.Add(before, server)
	return err == nil && bytes.Equal(made, now)
}
