package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// shell is what every command shares: the flags that work everywhere.
type shell struct {
	lang  string // interface language, en or zh
	plain bool   // no alternate screen, one line per event
}

// newRoot builds the command tree. `fabula WORLD` opens the workbench.
func newRoot() *cobra.Command {
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
		Args:          atMost(1, "WORLD"),
	}
	root.PersistentFlags().StringVar(&sh.lang, "lang", systemLanguage(), "interface language: en or zh")
	root.PersistentFlags().BoolVar(&sh.plain, "plain", false, "no full screen: one line an event")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if sh.lang != "en" && sh.lang != "zh" {
			return usage("--lang %s: the interface speaks en and zh", sh.lang)
		}
		return nil
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return coded{exitUsage, err} })
	root.CompletionOptions.HiddenDefaultCmd = false
	addCommands(root, sh)
	return root
}

// addCommands hangs every command below root, in the order of a day's work.
func addCommands(root *cobra.Command, sh *shell) {
	workbench(root, sh)
	root.AddCommand(
		newNew(sh), newCheck(sh), newSchema(sh),
		newSay(sh), newPrompt(sh),
		newBranches(sh), newShow(sh), newFind(sh),
		newExport(sh),
		newModels(sh), newEngines(sh),
		newDoctor(sh), newWhere(sh), newLog(sh), newMan(root), newVersion(),
		newWorker(),
	)
	for _, c := range root.Commands() {
		if c.Long == "" {
			c.Long = c.Short + "."
		}
		if !c.Hidden {
			c.Long += exitStatus
		}
	}
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

// atMost and exactly name what is missing or too much, in words.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usage("%s takes at most %d argument (%s), got %d: %q is too much", c.CommandPath(), n, what, len(args), args[n])
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
