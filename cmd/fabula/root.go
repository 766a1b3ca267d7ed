package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fabula/personas/source"
)

// shell is what every command shares: the flags that work everywhere.
type shell struct {
	lang  string // interface language, en or zh
	plain bool   // no alternate screen, one line per event
}

// newRoot builds the command tree. `fabula WORLD` opens the workbench.
func newRoot() (*cobra.Command, *shell) {
	sh := &shell{}
	root := &cobra.Command{
		Use:   "fabula [WORLD]",
		Short: "A terminal workbench for game narrative",
		Long: `Write personas and key plot nodes in YAML, chat with the NPCs live, keep every
branch, and export what plays. WORLD is a folder, or the name of a demo world.
Without WORLD the last one opens, or the demo.` + exitStatus,
		Example: `  fabula fox_lantern                       play the demo world
  fabula new my_world                      start a world of your own
  fabula check my_world                    find what is wrong with it
  fabula say my_world adu "Who are you?"   one turn without a screen`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          worldOrCommand,
	}
	root.PersistentFlags().StringVar(&sh.lang, "lang", systemLanguage(), "interface language: en or zh")
	root.PersistentFlags().BoolVar(&sh.plain, "plain", false, "no full screen: one line an event")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if sh.lang != "en" && sh.lang != "zh" {
			return usage("--lang %s: the interface speaks en and zh", sh.lang)
		}
		return nil
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	addCommands(root, sh)
	return root, sh
}

// addCommands hangs every command below root, in the order of a day's work.
func addCommands(root *cobra.Command, sh *shell) {
	workbench(root, sh)
	root.AddCommand(
		newNew(sh), newCheck(sh), newSchema(sh),
		newSay(sh), newPrompt(sh), newLore(sh), newPlay(sh),
		newBranches(sh), newShow(sh), newFind(sh), newCompare(sh), newReplay(sh), newLint(sh), newJudge(sh), newGolden(sh), newVote(sh), newBeat(sh), newCensus(sh), newMemory(sh),
		newExport(sh), newPromote(sh), newStore(sh),
		newImport(sh),
		newModels(sh), newEngines(sh), newBench(sh), newCalibrate(sh), newDrift(sh),
		newDoctor(sh), newWhere(sh), newLog(sh), newMan(root, sh), newVersion(),
		newWorker(),
	)
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch {
		case c.Name() == "help":
			c.Args = helpTopic
		case c.HasSubCommands():
			c.Args = subcommand
		}
		if !c.Runnable() { // cobra would print help for any word and call it well done
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
		endHelp(c)
	}
}

// endHelp ends the help of a command and of those below with the exit codes.
func endHelp(c *cobra.Command) {
	if c.Hidden {
		return
	}
	if c.Long == "" {
		c.Long = c.Short + "."
	}
	c.Long = strings.TrimRight(c.Long, "\n") + exitStatus
	for _, below := range c.Commands() {
		endHelp(below)
	}
}

// helpTopic refuses a word that is no command: cobra would show the help of
// fabula in its place.
func helpTopic(c *cobra.Command, args []string) error {
	if found, _, err := c.Root().Find(args); len(args) > 0 && (err != nil || found == c.Root()) {
		if near := nearCommand(c.Root(), args[0]); near != "" {
			return usage("no command %q; did you mean 'fabula %s'?", args[0], near)
		}
		return usage("no command %q; see 'fabula --help'", strings.Join(args, " "))
	}
	return nil
}

// subcommand refuses a word that no command below has.
func subcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, below := range c.Commands() {
		names = append(names, below.Name())
	}
	return usage("%s has no %q; there are: %s", c.CommandPath(), args[0], strings.Join(names, ", "))
}

// flagError words what a flag cannot take, without the parser's jargon.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) {
		kind, ok := map[string]string{"uint64": "a whole number from 0", "int": "a whole number", "bool": "true or false"}[bad.GetFlag().Value.Type()]
		if ok {
			return usage("--%s %s: it takes %s", bad.GetFlag().Name, bad.GetValue(), kind)
		}
	}
	var none *pflag.NotExistError
	if errors.As(err, &none) && none.GetSpecifiedShortnames() == "" {
		return usage("unknown flag: --%s", none.GetSpecifiedName())
	}
	return coded{exitUsage, err}
}

// systemLanguage reads the interface language from the locale, as gettext does.
func systemLanguage() string {
	for _, name := range []string{"FABULA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}

// askedLanguage reads --lang out of a command line that could not be parsed to
// where it stands, so that the refusal is worded in it.
func askedLanguage(args []string, otherwise string) string {
	for i, a := range args {
		value, joined := strings.CutPrefix(a, "--lang=")
		if !joined && a == "--lang" && i+1 < len(args) {
			value = args[i+1]
		}
		if value == "en" || value == "zh" {
			return value
		}
	}
	return otherwise
}

// worldOrCommand refuses more than a world: what stands in front of the rest was
// meant for a command.
func worldOrCommand(c *cobra.Command, args []string) error {
	if len(args) < 2 {
		return nil
	}
	if near := nearCommand(c, args[0]); near != "" {
		return usage("no command %q; did you mean 'fabula %s'?", args[0], near)
	}
	return usage("no command %q; see 'fabula --help'", args[0])
}

// nearCommand gives the command that was probably meant by a word, "" if none.
func nearCommand(root *cobra.Command, word string) string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return source.Nearest(word, names)
}

// atMost and exactly name what is missing or too much, in words.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usage("%s takes %s; %q is too much", c.CommandPath(), what, args[n])
		}
		return nil
	}
}

func exactly(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usage("%s needs %s; %s is missing. See '%s --help'", c.CommandPath(), strings.Join(names, " "), names[len(args)], c.CommandPath())
		case len(args) > len(names):
			return usage("%s takes %s; %q is too much (quote a text of several words)", c.CommandPath(), strings.Join(names, " "), args[len(names)])
		}
		return nil
	}
}
