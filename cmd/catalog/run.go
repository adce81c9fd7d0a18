package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// version is the version of the program. A release sets it at link time.
var version = "0.1.0"

// Exit codes.
const (
	exitClean    = 0
	exitFindings = 1 // the command ran, and the answer is no
	exitFailed   = 2 // the command could not run
)

// errFindings is returned by a command that ran but whose answer is no. The command has
// printed the details.
var errFindings = errors.New("findings")

// run runs the program with the given environment, streams and arguments, and returns
// the exit code.
func run(ctx context.Context, env func(string) string, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	out := &checkedWriter{to: stdout}
	a := &app{env: env, stdin: stdin, stdout: out, stderr: stderr, screen: screenOf(stdout, env), errScreen: screenOf(stderr, env), toolsets: toolsetTable}
	return a.run(ctx, out, args)
}

// run runs one command and returns the exit code.
func (a *app) run(ctx context.Context, out *checkedWriter, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(out)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	defer a.endLog()
	if out.err != nil && (err == nil || errors.Is(err, errFindings)) {
		err = fmt.Errorf("write to standard output: %w", out.err)
	}
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errFindings):
		return exitFindings
	}
	a.complain(err)
	return exitFailed
}

// complain prints an error for people.
func (a *app) complain(err error) { fmt.Fprintln(a.stderr, "catalog: "+printable(explain(err))) }

// checkedWriter records the first failed write, so that commands need not check each
// write but fail if output was lost.
type checkedWriter struct {
	to  io.Writer
	err error // the first error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:               "catalog",
		Version:           version,
		Short:             "Keep a governed catalog of instructions for coding agents, and serve it",
		Long:              about,
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              unknownCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd) },
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.dir, "dir", defaultDir, "the catalog's `folder`, or a bundle (default the nearest one here or above)")
	flags.StringArrayVar(&a.include, "include", nil, "also read files that match this `glob`, relative to the top of the repository, and are skipped by default, such as samples")
	flags.StringVar(&a.criteria, "criteria", "", "criteria `file` whose rules replace others of the same id when texts are reviewed; of prompt/review, all criteria")
	flags.BoolVar(&a.json, "json", false, "print the method's result as JSON")
	root.SetVersionTemplate(versionLine())
	root.InitDefaultVersionFlag()
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(badFlag)
	root.SetHelpCommand(helpCommand())
	group(root, "Start and serve:", a.initCommand(), a.serveCommand(), a.installCommand(), a.uninstallCommand())
	group(root, "Find entries:", a.listCommand(), a.searchCommand(), a.getCommand(), a.diffCommand(), a.usageCommand())
	group(root, "Agents' files:", a.importCommand(), a.renderCommand(), a.adoptCommand())
	group(root, "Govern:", a.verifyCommand(), a.rulesCommand(), a.reviewCommand(), a.gatesCommand(), a.approveCommand(), a.hashCommand(), a.bundleCommand())
	group(root, "Sign and prove:", a.lockCommand(), a.keygenCommand(), a.signCommand(), a.proveCommand(), a.checkProofCommand())
	group(root, "Other toolsets:", a.tasksCommand(), a.notesCommand())
	group(root, "Methods and measurements:", a.callCommand(), a.schemaCommand(), a.benchCommand(), a.measureCommand(), a.floorCommand())
	root.AddCommand(a.versionCommand())
	addCompletion(root)
	return root
}

const about = `Catalog keeps the instructions for coding agents in a folder, as Markdown or
JSON files, checks them, and serves them to editors, agents, people and CI.

  catalog init                 start a catalog in ./instructions
  catalog verify               check it: files, hashes, policy gates
  catalog search "error"       find entries
  catalog serve                answer JSON-RPC 2.0 on standard input and output
  catalog install              have an MCP host (an editor, an agent) start it

Without --dir the catalog is the nearest folder instructions, here or above. If a
repository has none, the catalog is the repository itself, with the files of all
agents. The search ends at .git, at the home folder, and at the root of the file
system. A folder above that belongs to another user is not read.

Exit codes of every command:
  0  success
  1  a negative answer: verify, review or gates have findings, diff has changes,
     the entry does not exist, or a search finds nothing
  2  the command could not run; standard error has the reason`

// prepare checks that global flags are not empty, and finds the catalog.
func (a *app) prepare(cmd *cobra.Command) error {
	for _, name := range []string{"dir", "criteria", "usage", "usage-sync"} {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed && flag.Value.String() == "" {
			return seeHelp(cmd, emptyFlag(name))
		}
	}
	return a.lookUpward(cmd)
}

// group adds commands, which the help lists under title.
func group(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
	}
	root.AddCommand(commands...)
}
