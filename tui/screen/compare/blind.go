package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/compare"
	"fabula/story/lab/vote"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// blind is a vote that is being held: what is compared gives way to it.
type blind struct {
	begun
	it      vote.Showing
	more    bool          // it is to be voted on; false = all are
	answers []vote.Choice // to the first questions; First means left
	tags    []string
	shown   int  // characters of either side that are seen
	busy    bool // a vote is on its way to the disk
	list    widget.List
	verdict []string // in words, once everything is voted on
}

// begun is a vote as it was opened, in a command.
type begun struct {
	gen    int
	folder vote.Folder
	batch  *vote.Batch
	s      *vote.Session
	err    error
}

// Both sides come at one pace, however fast they were made: characters a beat.
const (
	beat = 100 * time.Millisecond
	pace = 5
)

type (
	paced struct{ gen int }
	cast  struct { // a vote is on disk, or was taken back
		gen  int
		undo bool
		err  error
	}
	counted struct {
		gen     int
		verdict vote.Verdict
		err     error
	}
)

// mostTurns of either side are put to the vote.
const mostTurns = 10

// begin opens the vote on what is compared, or the newest batch, in a command.
func (v *Compare) begin() tea.Cmd {
	v.gen++
	b := begun{gen: v.gen, folder: vote.Folder(v.env.Votes)}
	plan, voter, now := v.plan(), v.env.Voter, v.env.Now
	return func() tea.Msg {
		if b.batch, b.err = batch(b.folder, plan); b.err == nil {
			b.s, b.err = b.folder.Begin(b.batch, voter, now)
		}
		return b
	}
}

// plan is what a batch of the two paths is made of; nil if none are compared.
func (v *Compare) plan() *vote.Plan {
	if v.c == nil || len(v.c.Rows) == 0 {
		return nil
	}
	w := wording.Wording{Script: v.env.Session.Script(), Text: lang.For(v.sides[0].speaks), Speaks: v.sides[0].speaks}
	name := func(by string) string {
		if by == compare.Player {
			return w.Text.Vote.You
		}
		return w.Name(by)
	}
	scene, _ := vote.Endings(string(v.sides[0].leaf)+","+string(v.sides[1].leaf), [][]story.Step{v.c.A, v.c.B}, mostTurns, name)
	return &vote.Plan{World: v.env.Session.Script().ID, Language: v.sides[0].speaks, Candidates: []string{v.sides[0].name, v.sides[1].name},
		Scenes: []vote.Scene{scene}, Seed: rand.Uint64(), Made: v.env.Now()}
}

// batch finds the batch that was made of the same two paths, or makes it; the
// newest without a plan.
func batch(f vote.Folder, plan *vote.Plan) (*vote.Batch, error) {
	if plan == nil {
		return f.Find("")
	}
	all, err := f.List()
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if k, err := f.Key(b); err == nil && k.Of(plan.Scenes) {
			return b, nil
		}
	}
	b, k, err := vote.Make(*plan)
	if err != nil {
		return nil, err
	}
	return b, f.Save(b, k)
}

func (v *Compare) began(m begun) tea.Cmd {
	if m.gen != v.gen {
		return nil
	}
	if m.err != nil {
		return v.refuse(m.err)
	}
	v.blind = &blind{begun: m}
	return v.next()
}

// refuse says why there is no vote.
func (v *Compare) refuse(err error) tea.Cmd {
	var fault *vote.Fault
	switch {
	case errors.Is(err, vote.ErrNoBatch):
		return screen.Say(v.env.Text.Vote.NoBatch)
	case errors.Is(err, vote.ErrNothing):
		return screen.Say(v.env.Text.Compare.Same)
	case errors.As(err, &fault):
		err = errors.New(wording.VoteFault(fault, v.env.Text))
	}
	return screen.Fail(err)
}

// next shows the item that is next, or opens the key.
func (v *Compare) next() tea.Cmd {
	b := v.blind
	b.it, b.more = b.s.Now()
	b.answers, b.tags, b.shown, b.busy = nil, nil, 0, false
	b.list.Select(0)
	if b.more {
		return v.pace()
	}
	gen, folder, of := b.gen, b.folder, b.batch
	return func() tea.Msg {
		m := counted{gen: gen}
		m.verdict, m.err = folder.Verdict(of)
		return m
	}
}

func (v *Compare) pace() tea.Cmd {
	gen := v.blind.gen
	return tea.Tick(beat, func(time.Time) tea.Msg { return paced{gen} })
}

// voting takes a message of the vote.
func (v *Compare) voting(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case begun:
		return v.began(m)
	case paced:
		if v.blind == nil || m.gen != v.blind.gen || !v.blind.more || v.blind.whole() {
			return nil
		}
		v.blind.shown += pace
		return v.pace()
	case cast:
		if v.blind == nil || m.gen != v.blind.gen {
			return nil
		}
		if v.blind.busy = false; m.err != nil {
			return v.refuse(m.err)
		}
		said := v.env.Text.Vote.Done
		if m.undo {
			said = v.env.Text.Vote.Undone
		}
		return tea.Batch(v.next(), screen.Say(said))
	case counted:
		if v.blind != nil && m.gen == v.blind.gen {
			v.blind.verdict = v.opened(m)
		}
	}
	return nil
}

// opened words the verdict, or says that the key lies elsewhere.
func (v *Compare) opened(m counted) []string {
	t := v.env.Text
	send := fmt.Sprintf(t.Vote.Send, v.blind.folder.Ballot(v.blind.batch.ID, v.blind.s.Voter))
	switch {
	case errors.Is(m.err, fs.ErrNotExist):
		return []string{t.Vote.KeyElsewhere, send}
	case m.err != nil:
		return []string{m.err.Error(), send}
	}
	return append(wording.Verdict(m.verdict, t), "", send)
}

// whole reports whether both sides are seen to their ends.
func (b *blind) whole() bool { return b.shown >= max(length(b.it.Left), length(b.it.Right)) }

func length(lines []vote.Line) int {
	n := 0
	for _, l := range lines {
		n += len([]rune(l.Text))
	}
	return n
}

// reasons are the tags, by the digit that gives them: 5 is the first.
func reasons() []string { return []string{"flat", "voice", "modern", "forgets", "repeats"} }

// votingKeys lists what can be done in a vote.
func (v *Compare) votingKeys() []widget.Binding {
	k, t := v.env.Text.Keys, v.env.Text.Vote
	row := func(id string, r lang.Row, keys ...string) widget.Binding {
		return widget.Binding{ID: "compare.vote." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: true, Fixed: id == "reason", Disabled: v.votable}
	}
	plain := func(b widget.Binding, footer bool, disabled func() string) widget.Binding {
		b.Footer, b.Disabled = footer, disabled
		return b
	}
	reason := plain(row("reason", t.Answer, "5", "6", "7", "8", "9"), false, v.votable) // its row on the screen says the keys
	reason.Label = "5-9"
	return []widget.Binding{
		row("left", t.ChooseLeft, "1", "h", "left"), row("right", t.ChooseRight, "2", "l", "right"), row("tie", t.Tie, "0"),
		row("whole", t.Skip, " "), plain(row("undo", t.Undo, "u"), true, nil), reason,
		plain(row("leave", t.Leave, "esc"), true, nil),
		plain(row("down", k.Down, "j", "down"), false, nil), plain(row("up", k.Up, "k", "up"), false, nil),
		plain(row("pagedown", k.PageDown, "pgdown"), false, nil), plain(row("pageup", k.PageUp, "pgup"), false, nil),
		plain(row("top", k.Top, "g", "home"), false, nil), plain(row("end", k.End, "G", "end"), false, nil),
	}
}

func (v *Compare) votable() string {
	if v.blind != nil && !v.blind.more {
		return v.env.Text.Vote.Finished
	}
	return ""
}

// voteKey does what a key means in a vote.
func (v *Compare) voteKey(m tea.KeyMsg) tea.Cmd {
	row, instead, ok := screen.Press(v.votingKeys(), m)
	if !ok {
		return instead
	}
	b := v.blind
	switch row.ID {
	case "compare.vote.left":
		return v.answer(vote.First)
	case "compare.vote.right":
		return v.answer(vote.Second)
	case "compare.vote.tie":
		return v.answer(vote.Tie)
	case "compare.vote.whole":
		b.shown = max(length(b.it.Left), length(b.it.Right))
	case "compare.vote.undo":
		return v.takeBack()
	case "compare.vote.reason":
		b.reason(m.String())
	case "compare.vote.leave":
		return v.leave()
	default:
		b.list.Key(row.Keys[0], v.h-1)
	}
	return nil
}

// leave ends the voting for now. Votes are on disk; answers that are none yet are not.
func (v *Compare) leave() tea.Cmd {
	half := len(v.blind.answers) > 0 && !v.blind.busy
	v.blind = nil
	if half {
		return tea.Batch(v.Shown(), screen.Say(v.env.Text.Vote.Half))
	}
	return v.Shown()
}

// reason gives a reason, or takes it back.
func (b *blind) reason(key string) {
	for i, r := range reasons() {
		if widget.Spelt(key) != fmt.Sprint(i+5) {
			continue
		}
		if at := slices.Index(b.tags, r); at >= 0 {
			b.tags = slices.Delete(b.tags, at, at+1)
		} else {
			b.tags = append(b.tags, r)
		}
	}
}

// answer takes the answer to the question that is marked; the last one casts the
// vote, in a command.
func (v *Compare) answer(c vote.Choice) tea.Cmd {
	b := v.blind
	if b.busy {
		return nil
	}
	if b.answers = append(b.answers, c); len(b.answers) < len(vote.Questions()) {
		return nil
	}
	b.busy = true
	all := vote.Answers{}
	for i, q := range vote.Questions() {
		all[q] = b.answers[i]
	}
	gen, s, tags := b.gen, b.s, b.tags
	return func() tea.Msg { return cast{gen: gen, err: s.Cast(all, tags...)} }
}

// takeBack takes the last answer back, or the last vote.
func (v *Compare) takeBack() tea.Cmd {
	b := v.blind
	if b.busy {
		return nil
	}
	if n := len(b.answers); n > 0 {
		b.answers = b.answers[:n-1]
		return nil
	}
	if done, _ := b.s.Progress(); done == 0 {
		return screen.Say(v.env.Text.Vote.NoUndo)
	}
	b.busy = true
	gen, s := b.gen, b.s
	return func() tea.Msg {
		_, err := s.Undo()
		return cast{gen: gen, undo: true, err: err}
	}
}
