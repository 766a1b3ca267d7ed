package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fabula/personas/source"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/search"
	"fabula/story/store"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// findFlags are those of `find`.
type findFlags struct {
	search.Query
	state  string
	asJSON bool
}

func newFind(sh *shell) *cobra.Command {
	var f findFlags
	c := &cobra.Command{
		Use:   "find WORLD [TEXT]",
		Short: "Find a text in everything that was ever said",
		Long: `Find a text in everything that was ever said in a world, over all branches,
newest first: words and parts of words, which all have to occur, and between double
quotes what occurs as it is. What is given besides has to hold too; without TEXT it
is enough.`,
		Example: `  fabula find fox_lantern lamp
  fabula find fox_lantern '"the twelfth lamp"' --speaker laozhou
  fabula find fox_lantern --finding taboo --engine smollm2
  fabula find fox_lantern --node hall --state 'trust >= 2'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && f.filtered() {
				return nil
			}
			return exactly("WORLD", "TEXT")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return runFind(c, sh, args, f) },
	}
	c.Flags().StringVar(&f.Speaker, "speaker", "", "said by this persona, or by 'player'")
	c.Flags().StringVar(&f.Node, "node", "", "in a turn that ended in this node")
	c.Flags().StringVar(&f.Engine, "engine", "", "a reply of this engine, by name or kind")
	c.Flags().StringVar(&f.Finding, "finding", "", "a reply with this finding, by its code")
	c.Flags().StringVar(&f.state, "state", "", "a condition that holds after the turn, as in the plot")
	c.Flags().IntVar(&f.Limit, "limit", 0, "so many at most (default: all)")
	c.Flags().BoolVar(&f.asJSON, "json", false, "one JSON object a line")
	return c
}

func (f *findFlags) filtered() bool {
	return f.Speaker != "" || f.Node != "" || f.Engine != "" || f.Finding != "" || f.state != ""
}

func runFind(c *cobra.Command, sh *shell, args []string, f findFlags) error {
	if len(args) > 1 {
		f.Text = args[1]
	}
	if f.Text == "" && !f.filtered() {
		return usage("find needs a text to look for, or what it has to fit")
	}
	if strings.Count(f.Text, `"`)%2 != 0 {
		return usage("find %s: the double quote is not closed; write the phrase as '\"TEXT\"'", printable(f.Text))
	}
	if err := f.compile(args[0], sh); err != nil {
		return err
	}
	at, err := worlds.Find(args[0])
	if err != nil {
		return err
	}
	r, closer, err := readStore(at)
	if err != nil {
		return err
	}
	defer closer.Close()
	source, ok := r.(search.Source)
	if !ok {
		return fmt.Errorf("the store of %s cannot be searched", args[0])
	}
	index := search.Open(filepath.Join(at.StateDir(), store.IndexFile))
	defer index.Close()
	if err := index.Refresh(source, nil); err != nil {
		return err
	}
	_ = index.Save() // the next search is faster then, no more
	if err := f.known(args[0], index.Known()); err != nil {
		return err
	}
	found, err := index.Find(r, f.Query)
	if err != nil {
		return err
	}
	branches, err := r.Branches()
	if err != nil {
		return err
	}
	names := map[story.ID]string{}
	for _, b := range branches {
		names[b.ID] = b.Name
	}
	return f.print(c, sh, found, names)
}

// known refuses a filter that nothing can fit: a name that is neither in what was
// played nor in the world's files.
func (f *findFlags) known(ref string, has search.Known) error {
	speakers, nodes := append(has.Speakers, search.Player), has.Nodes
	if w, err := worlds.Open(ref); err == nil { // one that does not load can be searched too
		speakers = append(speakers, personaIDs(w.Script)...)
		for _, n := range w.Script.Nodes {
			nodes = append(nodes, n.ID)
		}
	}
	for _, x := range []struct {
		flag, value string
		known       []string
	}{{"--speaker", f.Speaker, speakers}, {"--node", f.Node, nodes}, {"--engine", f.Engine, has.Engines}, {"--finding", f.Finding, has.Findings}} {
		known := slices.DeleteFunc(slices.Sorted(slices.Values(x.known)), func(s string) bool { return s == "" })
		if x.value != "" && !slices.Contains(known, x.value) {
			return usage("%s %s: nothing that was played has it; there are: %s", x.flag, x.value, strings.Join(slices.Compact(known), ", "))
		}
	}
	return nil
}

func (f *findFlags) print(c *cobra.Command, sh *shell, found search.Result, names map[story.ID]string) error {
	for _, h := range found.Hits {
		var err error
		if f.asJSON {
			err = writeJSON(c.OutOrStdout(), struct {
				Event string `json:"event"`
				search.Hit
				Name string `json:"branch_name"`
			}{"hit", h, names[h.Branch]})
		} else {
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s@%d  %s\n", printable(names[h.Branch]), h.Depth, printable(h.Text))
		}
		if err != nil {
			return err
		}
	}
	if len(found.Hits) == 0 {
		printSaid(c.ErrOrStderr(), sh.lang, "nothing holds %q", f.Text)
	}
	return nil
}

// compile takes the condition up: it is typed against the world's variables.
func (f *findFlags) compile(world string, sh *shell) error {
	if f.state == "" {
		return nil
	}
	w, err := worlds.Open(world)
	if err != nil {
		return err
	}
	cond := source.Cond{Src: f.state, Pos: source.Pos{File: "--state", Line: 1, Col: 1}}
	expr, faults := w.Script.CompileCond(cond)
	if len(faults) > 0 {
		what, todo := lang.Fault(faults[0].Code, faults[0].Args, sh.lang)
		return usage("--state %s: %s; %s", f.state, what, todo)
	}
	f.State = func(st plot.State) bool { return w.Script.Holds(cond, st) }
	f.OnlyVars = true
	expr.Walk(func(e *plot.Expr) { f.OnlyVars = f.OnlyVars && e.Op != plot.OpCall })
	return nil
}
