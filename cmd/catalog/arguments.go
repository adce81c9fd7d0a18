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

// arguments accepts from least to most arguments; anything else is an error
// that shows how the command is used.
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

// seeHelp adds to an error where there is help.
func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see \"%s --help\"", err, cmd.CommandPath())
}

// badFlag is the error of a flag. What its value should have been is told in our
// words, and not in those of the function that tried to read it.
func badFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return seeHelp(cmd, didYouMean(err, unknown.GetSpecifiedName(), flagNames(cmd)))
	}
	value, ok := errors.AsType[*strconv.NumError](err)
	if !ok {
		return seeHelp(cmd, err)
	}
	why := "is no whole number"
	switch {
	case errors.Is(value, strconv.ErrRange):
		why = "is out of range"
	case value.Func == "ParseBool":
		why = "is neither true nor false"
	}
	return seeHelp(cmd, errors.New(strings.Replace(err.Error(), value.Error(), fmt.Sprintf("%q %s", value.Num, why), 1)))
}

// didYouMean adds to an error about a name the one that is most like it, if any is.
func didYouMean(err error, name string, names []string) error {
	if near := nearest.Of(name, names); len(near) > 0 {
		return fmt.Errorf("%w, did you mean %s?", err, near[0])
	}
	return err
}

// flagNames are the long flags that a command takes.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// oneOf completes a flag that takes one of these values.
func oneOf[T ~string](cmd *cobra.Command, flag string, values ...T) {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	complete(cmd, flag, cobra.FixedCompletions(texts, cobra.ShellCompDirectiveNoFileComp))
}

// complete has a function complete a flag.
func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic("catalog: " + err.Error())
	}
}

// unknownCommand refuses what cobra would take for an argument of a command that
// only has others.
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

// synonymOf returns the command that other tools call by that name, "" if there is none.
func synonymOf(cmd *cobra.Command, name string) string {
	for _, c := range cmd.Commands() {
		if slices.Contains(c.SuggestFor, name) {
			return c.Name()
		}
	}
	return ""
}

// helpCommand is cobra's, but that a command which does not exist is an error.
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

// addCompletion adds cobra's completion command, but that a shell which it does
// not know is an error.
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
