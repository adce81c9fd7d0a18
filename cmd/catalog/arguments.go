package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"instruction-catalog/catalog/search/nearest"
)

// arguments accepts from least to most arguments. Any other number is an error that
// shows the usage of the command.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return seeHelp(cmd, fmt.Errorf("an argument is missing: %s", cmd.UseLine()))
		case len(args) > most:
			return seeHelp(cmd, fmt.Errorf("too many arguments, from %q on: %s", args[most], cmd.UseLine()))
		}
		return nil
	}
}

// seeHelp adds to err the command that shows help.
func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see \"%s --help\"", err, cmd.CommandPath())
}

// badFlag returns the error for an invalid flag. It describes the expected value itself
// instead of quoting the parser.
func badFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return seeHelp(cmd, didYouMean(err, unknown.GetSpecifiedName(), flagNames(cmd)))
	}
	value, ok := errors.AsType[*strconv.NumError](err)
	if !ok {
		return seeHelp(cmd, err)
	}
	why := "is not a whole number"
	switch {
	case errors.Is(value, strconv.ErrRange):
		why = "is out of range"
	case value.Func == "ParseBool":
		why = "is neither true nor false"
	}
	return seeHelp(cmd, errors.New(strings.Replace(err.Error(), value.Error(), fmt.Sprintf("%q %s", value.Num, why), 1)))
}

// didYouMean adds the most similar of names to an error about name, if one is similar.
func didYouMean(err error, name string, names []string) error {
	if near := nearest.Of(name, names); len(near) > 0 {
		return fmt.Errorf("%w, did you mean %s?", err, near[0])
	}
	return err
}

// flagNames returns the long flags of a command, with their dashes.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// oneOf completes a flag with the given values.
func oneOf[T ~string](cmd *cobra.Command, flag string, values ...T) {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	complete(cmd, flag, cobra.FixedCompletions(texts, cobra.ShellCompDirectiveNoFileComp))
}

// complete registers the completion function of a flag.
func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic("catalog: " + err.Error())
	}
}

// unknownCommand returns an error if there is an argument. It is for commands that only
// have subcommands, because cobra would accept arguments for them.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q", args[0])
	similar := cmd.SuggestionsFor(args[0])
	if named := synonymOf(cmd, args[0]); named != "" {
		similar = []string{named}
	} else if near := nearest.Of(args[0], similar); len(near) > 0 {
		similar = near
	}
	if len(similar) > 0 {
		err = fmt.Errorf("%w, did you mean %q?", err, similar[0])
	}
	return seeHelp(cmd, err)
}

// synonymOf returns the subcommand for which other tools use name, or "" if there is no
// such subcommand.
func synonymOf(cmd *cobra.Command, name string) string {
	for _, c := range cmd.Commands() {
		if slices.Contains(c.SuggestFor, name) {
			return c.Name()
		}
	}
	return ""
}

// helpCommand returns a help command like cobra's, except that an unknown command is an
// error.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), args)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// addCompletion adds cobra's completion command, except that an unknown shell is an
// error.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd("completion")
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic("catalog: cobra has no completion command: " + err.Error())
	}
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return seeHelp(cmd, fmt.Errorf("unknown shell %q", args[0]))
	}
}
