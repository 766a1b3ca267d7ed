package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"fabula/story/lab/vote"
	"fabula/tui/text/lang"
)

// castFlags are those of `vote cast`.
type castFlags struct {
	voter, batch string
	json         bool
}

func newVoteCast(sh *shell) *cobra.Command {
	var f castFlags
	c := &cobra.Command{
		Use:   "cast WORLD|FILE",
		Short: "Vote on a batch, item by item; it goes on where it was left",
		Long: "Vote on the newest batch of a world, or on a batch FILE that came by mail: neither world nor engine is needed\n" +
			"then, and the votes are written beside it, to be sent back. Answers are read a line an item: three of l, r and t\n" +
			"for left, right, no difference; #words after them are reasons. Every vote is on disk before the next item shows.",
		Example: "  fabula vote cast fox_lantern --voter mei\n  fabula vote cast batch.jsonl --voter mei\n  printf 'lrt\\nttt\\n' | fabula vote cast fox_lantern --voter mei --json",
		Args:    exactly("WORLD|FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			s, file, err := beginVote(args[0], f)
			if err != nil {
				return err
			}
			p := polling{s, file, bufio.NewReader(c.InOrStdin()), c.OutOrStdout(), c.ErrOrStderr(), lang.For(sh.lang), f.json}
			return p.run()
		},
	}
	c.Flags().StringVar(&f.voter, "voter", "", "who votes (default: your user name)")
	c.Flags().StringVar(&f.batch, "batch", "", "which batch, by the beginning of its id (default: the newest)")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

// beginVote opens the ballot of a voter, in a world or beside a mailed batch.
func beginVote(ref string, f castFlags) (*vote.Session, string, error) {
	voter := f.voter
	if voter == "" {
		voter = vote.UserName()
	}
	if filepath.Ext(ref) == ".jsonl" {
		data, err := os.ReadFile(ref)
		if err != nil {
			return nil, "", coded{exitUsage, err}
		}
		b, err := vote.ReadBatch(ref, data)
		if err != nil {
			return nil, "", err
		}
		file := filepath.Join(filepath.Dir(ref), b.ID+"-"+filepath.Base(voter)+".jsonl")
		s, err := vote.Begin(b, voter, file, time.Now)
		return s, file, err
	}
	folder, b, err := findBatch(ref, f.batch)
	if err != nil {
		return nil, "", err
	}
	s, err := folder.Begin(b, voter, time.Now)
	return s, folder.Ballot(b.ID, voter), err
}

// itemLine is an object of `vote cast --json`: what is to be voted on.
type itemLine struct {
	Event  string      `json:"event"` // item
	Item   string      `json:"item"`
	N      int         `json:"n"`
	Of     int         `json:"of"`
	Before []vote.Line `json:"before"`
	Left   []vote.Line `json:"left"`
	Right  []vote.Line `json:"right"`
}

// castLine is another: what became of a line that was read.
type castLine struct {
	Event string `json:"event"` // vote, undo, refused, end
	Done  int    `json:"done"`
	Of    int    `json:"of"`
	File  string `json:"file,omitempty"`
	Why   string `json:"why,omitempty"`
}

// polling is a vote without a screen: lines in, lines out.
type polling struct {
	s    *vote.Session
	file string
	in   *bufio.Reader
	out  io.Writer
	note io.Writer
	t    *lang.Strings
	json bool
}

func (p *polling) run() error {
	for {
		it, more := p.s.Now()
		if !more {
			break
		}
		if err := p.show(it); err != nil {
			return err
		}
		line, err := p.in.ReadString('\n')
		if line == "" && errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		leave, err := p.answer(strings.TrimSpace(line))
		if err != nil || leave {
			return errors.Join(err, p.end())
		}
	}
	return p.end()
}

func (p *polling) show(it vote.Showing) error {
	if p.json {
		return writeJSON(p.out, itemLine{"item", it.Item, it.Number, it.Of, it.Before, it.Left, it.Right})
	}
	t := p.t.Vote
	fmt.Fprintf(p.out, "\n"+t.Item+"\n", it.Number, it.Of)
	for _, part := range []struct {
		name  string
		lines []vote.Line
	}{{t.Before, it.Before}, {t.Left, it.Left}, {t.Right, it.Right}} {
		if len(part.lines) == 0 {
			continue
		}
		fmt.Fprintf(p.out, "-- %s\n", part.name)
		for _, l := range part.lines {
			if l.By != "" {
				l.By += ": "
			}
			fmt.Fprintf(p.out, "  %s%s\n", printable(l.By), printable(l.Text))
		}
	}
	fmt.Fprintln(p.out, "--")
	for i, q := range vote.Questions() {
		fmt.Fprintf(p.out, "%d %s\n", i+1, t.Questions[string(q)])
	}
	_, err := fmt.Fprint(p.out, t.Ask)
	return err
}

// answer does what one line says.
func (p *polling) answer(line string) (leave bool, err error) {
	switch line {
	case "q", "quit":
		return true, nil
	case "u", "undo":
		undone, err := p.s.Undo()
		if err != nil || !undone {
			return false, errors.Join(err, p.tell("refused", p.t.Vote.NoUndo))
		}
		return false, p.tell("undo", p.t.Vote.Undone)
	}
	a, tags, ok := readAnswers(line)
	if !ok {
		return false, p.tell("refused", fmt.Sprintf(p.t.Vote.NotUnderstood, line))
	}
	if err := p.s.Cast(a, tags...); err != nil {
		return false, err
	}
	return false, p.tell("vote", p.t.Vote.Done)
}

// choices are the signs of the choices: the left one is First.
var choices = map[rune]vote.Choice{
	'l': vote.First, '1': vote.First, '左': vote.First, 'r': vote.Second, '2': vote.Second, '右': vote.Second,
	't': vote.Tie, '0': vote.Tie, '平': vote.Tie,
}

// readAnswers reads "lrt #flat": a sign for each question, then reasons.
func readAnswers(line string) (vote.Answers, []string, bool) {
	signs, reasons, _ := strings.Cut(line, "#")
	a := vote.Answers{}
	for _, r := range signs {
		c, known := choices[unicode.ToLower(r)]
		switch {
		case unicode.IsSpace(r):
		case !known || len(a) == len(vote.Questions()):
			return nil, nil, false
		default:
			a[vote.Questions()[len(a)]] = c
		}
	}
	return a, strings.Fields(strings.ReplaceAll(reasons, "#", " ")), len(a) == len(vote.Questions())
}

func (p *polling) tell(event, words string) error {
	done, of := p.s.Progress()
	if p.json {
		line := castLine{Event: event, Done: done, Of: of}
		if event == "refused" {
			line.Why = words
		}
		return writeJSON(p.out, line)
	}
	_, err := fmt.Fprintf(p.out, "%s  (%d/%d)\n", printable(words), done, of)
	return err
}

func (p *polling) end() error {
	done, of := p.s.Progress()
	if p.json {
		return writeJSON(p.out, castLine{Event: "end", Done: done, Of: of, File: p.file})
	}
	if done == of {
		fmt.Fprintln(p.note, p.t.Vote.Finished)
	}
	_, err := fmt.Fprintf(p.note, p.t.Vote.Send+"\n", p.file)
	return err
}
