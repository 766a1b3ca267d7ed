package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"fabula/story/lab/vote"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
	"fabula/worlds"
)

func newVote(sh *shell) *cobra.Command {
	c := &cobra.Command{
		Use:   "vote",
		Short: "Have people vote blind on what engines, personas or branches made",
		Long: `Have people vote blind: whole scenes side by side, nobody sees whose they are.
'new' makes a batch, which can be mailed, and its key, which stays with you; 'cast'
votes on it, offline too; 'merge' takes the files that come back; 'verdict' opens
the key and counts.`,
		Example: `  fabula vote new fox_lantern hall-1,hall-2
  fabula vote cast fox_lantern --voter mei
  fabula vote verdict fox_lantern`,
	}
	c.AddCommand(newVoteNew(sh), newVoteList(sh), newVoteCast(sh), newVoteMerge(sh), newVoteVerdict(sh))
	return c
}

// voteFolder is where the batches of a world lie, whether its files load or not.
func voteFolder(ref string) (vote.Folder, error) {
	at, err := worlds.Find(ref)
	if err != nil {
		return "", err
	}
	return vote.Folder(filepath.Join(at.StateDir(), vote.Dir)), nil
}

// findBatch finds a batch of a world by the beginning of its id; "" is the newest.
func findBatch(ref, id string) (vote.Folder, *vote.Batch, error) {
	f, err := voteFolder(ref)
	if err != nil {
		return "", nil, err
	}
	b, err := f.Find(id)
	switch {
	case errors.Is(err, vote.ErrNoBatch) && id == "":
		err = usage("%s has no batch to vote on yet; 'fabula vote new' makes one", ref)
	case errors.Is(err, vote.ErrNoBatch):
		err = usage("%s has no batch %s; 'fabula vote list' shows those there are", ref, id)
	}
	return f, b, err
}

// votedLine is an object of `vote list --json`, and of `vote new --json`.
type votedLine struct {
	Event   string    `json:"event"` // batch
	Batch   string    `json:"batch"`
	Made    time.Time `json:"made"`
	Items   int       `json:"items"`
	Planned int       `json:"planned"`
	Margin  float64   `json:"margin"`
	Ballots int       `json:"ballots"`
	File    string    `json:"file"`
}

func newVoteList(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list WORLD", Short: "List the batches of a world, newest first", Example: "  fabula vote list fox_lantern", Args: exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := voteFolder(args[0])
			if err != nil {
				return err
			}
			all, err := f.List()
			for _, b := range all {
				var of []*vote.Ballot
				if of, err = f.Ballots(b); err != nil {
					break
				}
				line := votedLine{"batch", b.ID, b.Made, len(b.Items), b.Planned, b.Margin, cast(of), f.File(b.ID)}
				if asJSON {
					err = writeJSON(c.OutOrStdout(), line)
				} else {
					_, err = fmt.Fprintf(c.OutOrStdout(), lang.For(sh.lang).Vote.Batch+"\n", b.ID, b.Made.Local().Format("2006-01-02 15:04"), line.Items, line.Ballots)
				}
				if err != nil {
					break
				}
			}
			if len(all) == 0 && err == nil {
				fmt.Fprintln(c.ErrOrStderr(), lang.For(sh.lang).Vote.NoBatch)
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// cast counts the ballots that hold a vote: one that was only opened says nothing.
func cast(ballots []*vote.Ballot) int {
	n := 0
	for _, l := range ballots {
		if len(l.Votes) > 0 {
			n++
		}
	}
	return n
}

// mergedLine is an object of `vote merge --json`.
type mergedLine struct {
	Event string `json:"event"` // merged, refused
	File  string `json:"file"`
	Voter string `json:"voter,omitempty"`
	Votes int    `json:"votes"`
	New   int    `json:"new"`
	Code  string `json:"code,omitempty"`
	Why   string `json:"why,omitempty"`
}

func newVoteMerge(sh *shell) *cobra.Command {
	var asJSON bool
	var batch string
	c := &cobra.Command{
		Use:   "merge WORLD FILE…",
		Short: "Take in the files with votes that came back",
		Long: "Take in the files with votes that came back. A file of another batch, one that was edited, and a second one of a\n" +
			"voter who has voted otherwise already are refused, and nothing of them counts; a voter who went on is taken\n" +
			"further. Exit status 2 if any was refused; the others are taken in all the same.",
		Example: "  fabula vote merge fox_lantern ~/mail/*.jsonl",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exactly("WORLD", "FILE")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f, b, err := findBatch(args[0], batch)
			if err != nil {
				return err
			}
			return mergeBallots(c, f, b, args[1:], lang.For(sh.lang), asJSON)
		},
	}
	c.Flags().StringVar(&batch, "batch", "", "which batch, by the beginning of its id (default: the newest)")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func mergeBallots(c *cobra.Command, f vote.Folder, b *vote.Batch, files []string, t *lang.Strings, asJSON bool) error {
	refused := false
	for _, name := range files {
		m, err := f.Merge(b, name)
		line := mergedLine{Event: "merged", File: name, Voter: m.Voter, Votes: m.Votes, New: m.New}
		var fault *vote.Fault
		if errors.As(err, &fault) {
			refused = true
			line.Event, line.Code, line.Why = "refused", fault.Code, printable(wording.VoteFault(fault, t))
		} else if err != nil {
			return err
		}
		switch {
		case asJSON:
			err = writeJSON(c.OutOrStdout(), line)
		case line.Event == "refused":
			_, err = fmt.Fprintf(c.ErrOrStderr(), "fabula: %s\n", line.Why)
		default:
			_, err = fmt.Fprintf(c.OutOrStdout(), t.Vote.Merged+"\n", m.Voter, m.Votes, m.New)
		}
		if err != nil {
			return err
		}
	}
	if refused {
		return coded{exitUsage, errReported}
	}
	return nil
}

func newVoteVerdict(sh *shell) *cobra.Command {
	var asJSON, gate bool
	var batch string
	c := &cobra.Command{
		Use:   "verdict WORLD",
		Short: "Open the key of a batch and count",
		Long: "Open the key of a batch and count: exact sign test, Wilson intervals and those over scenes, whether the second\n" +
			"candidate is worse than the margin allows, how far voters agree, how many votes are still needed, strengths of\n" +
			"three or more (Bradley–Terry with ties). Voters who saw differences where there were none do not count.",
		Example: "  fabula vote verdict fox_lantern --json\n  fabula vote verdict fox_lantern --gate",
		Args:    exactly("WORLD"),
		RunE: func(c *cobra.Command, args []string) error {
			f, b, err := findBatch(args[0], batch)
			if err != nil {
				return err
			}
			v, err := f.Verdict(b)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeVerdict(c.OutOrStdout(), v)
			} else {
				printVerdict(c.OutOrStdout(), v, lang.For(sh.lang))
			}
			if err == nil && gate && !v.NotWorse() {
				err = errReported
			}
			return err
		},
	}
	c.Flags().StringVar(&batch, "batch", "", "which batch, by the beginning of its id (default: the newest)")
	c.Flags().BoolVar(&gate, "gate", false, "exit status 3 unless every candidate is shown not worse than the first, in every question, whatever the votes still planned say")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// The objects of `vote verdict --json`.
type (
	verdictLine struct {
		Event string `json:"event"` // verdict
		vote.Verdict
	}
	voterLine struct {
		Event string `json:"event"` // voter
		vote.Voter
	}
	resultLine struct {
		Event string `json:"event"` // result
		vote.Result
	}
	agreedLine struct {
		Event string `json:"event"` // agreement
		vote.Agreed
	}
	rankedLine struct {
		Event      string   `json:"event"` // ranking
		Candidates []string `json:"candidates"`
		vote.Ranked
	}
)

func writeVerdict(w io.Writer, v vote.Verdict) error {
	head := v
	head.Voters, head.Results, head.Agreed, head.Ranked = nil, nil, nil, nil
	lines := []any{verdictLine{Event: "verdict", Verdict: head}}
	for _, x := range v.Voters {
		lines = append(lines, voterLine{"voter", x})
	}
	for _, x := range v.Results {
		lines = append(lines, resultLine{"result", x})
	}
	for _, x := range v.Agreed {
		lines = append(lines, agreedLine{"agreement", x})
	}
	for _, x := range v.Ranked {
		lines = append(lines, rankedLine{"ranking", v.Candidates, x})
	}
	for _, l := range lines {
		if err := writeJSON(w, l); err != nil {
			return err
		}
	}
	return nil
}

func printVerdict(w io.Writer, v vote.Verdict, t *lang.Strings) {
	for _, line := range wording.Verdict(v, t) {
		fmt.Fprintln(w, printable(line))
	}
}
