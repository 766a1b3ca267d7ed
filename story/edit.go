package story

import (
	"context"
	"fmt"
	"time"
)

// EditInput says something else at a turn: a sibling turn on a new branch. The
// old one and all below it stay. The same text again is a Retry.
func (s *Session) EditInput(ctx context.Context, branch, turn ID, text string, o Options) (*Running, error) {
	if s.store == nil {
		return nil, fmt.Errorf("edit: %w", ErrReadOnly)
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return nil, err
	}
	t, err := s.reader.Turn(turn)
	if err != nil {
		return nil, err
	}
	if t.Parent == "" || t.Input.Text == "" {
		return nil, fmt.Errorf("edit turn %s: the player said nothing in it: %w", turn, ErrNothing)
	}
	if t.Input.Text == text && len(t.Children) > 0 {
		return s.Retry(ctx, branch, t.Children[len(t.Children)-1], o)
	}
	in := t.Input
	in.Text = text
	if to, ok := mention(s.Script(), t.Input.Text); ok && to == in.To {
		in.To = "" // the old text named the addressee, the new one may not
	}
	made, err := s.fork(b, t.Parent, "")
	if err != nil {
		return nil, err
	}
	return s.send(ctx, place{branch: made, fork: true, parent: t.Parent}, in, o)
}

// EditReply puts a person's wording beside a reply: an alternative marked
// human, with the plot as that wording has it. On the branch's leaf the branch
// moves to it, further up a new branch is made. Where only authored lines were
// played, the last of them is replaced. The same text again changes nothing.
func (s *Session) EditReply(branch, alternative ID, text string) (Branch, Step, error) {
	return s.amend("edit", branch, alternative, func(b Branch, turn Turn, old Alternative) (Branch, Step, error) {
		a, ok := reworded(old, text)
		if !ok {
			return b, Step{Turn: turn, Alternative: old}, nil
		}
		return s.storeEdit(b, turn, old, a)
	})
}

// amend has a person's change beside an alternative made while nothing else
// happens on its turn or the branch; what names the change in errors.
func (s *Session) amend(what string, branch, alternative ID, change func(Branch, Turn, Alternative) (Branch, Step, error)) (Branch, Step, error) {
	if s.store == nil {
		return Branch{}, Step{}, fmt.Errorf("%s: %w", what, ErrReadOnly)
	}
	old, turn, err := s.leaf(alternative)
	if err != nil {
		return Branch{}, Step{}, err
	}
	claimed := []ID{branch, turn.ID}
	if err := s.claim(nil, claimed...); err != nil {
		return Branch{}, Step{}, err
	}
	defer s.release(claimed...)
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return b, Step{}, err
	}
	return change(b, turn, old)
}

// reworded gives the human alternative, without its state; ok is false when
// nothing changes.
func reworded(old Alternative, text string) (Alternative, bool) {
	a := Alternative{Turn: old.Turn, Speaker: old.Speaker, Text: text, Lines: old.Lines, Human: true, Status: Finished}
	shown := old.Text
	if n := len(old.Lines); old.Text == "" && old.Status != Failed && n > 0 {
		last := old.Lines[n-1]
		shown, a.Speaker, a.Lines = last.Text, last.By, old.Lines[:n-1:n-1]
	}
	return a, text != "" && text != shown
}

func (s *Session) storeEdit(b Branch, turn Turn, old, a Alternative) (Branch, Step, error) {
	through, err := s.reader.Playthrough(turn.Playthrough)
	if err != nil {
		return b, Step{}, err
	}
	leaf, err := s.reader.Alternative(b.Leaf)
	if err != nil {
		return b, Step{}, err
	}
	p := plan{place: place{branch: b, parent: turn.Parent}, script: s.refresh(), lang: through.Language, turn: turn}
	p.sandbox = outside(turn.Input, through, b)
	if p.turn.Before, err = p.adopt(turn.Before); err != nil {
		return b, Step{}, err
	}
	if leaf.Turn != turn.ID {
		if p.branch, err = s.fork(b, old.ID, ""); err != nil {
			return b, Step{}, err
		}
	}
	a.ID, a.Made = s.id(), s.now()
	if turn.Speaker == "" { // authored lines had no say in the plot, neither has their edit
		a.State = p.turn.Before.Clone()
	} else {
		a = s.settle(&p, a).alternative
	}
	r := newRunning(func() {}, p.branch, p.turn)
	step, err := s.store6(r, &p, settled{alternative: a}, Finished, nil)
	if err == nil {
		s.approve(p.turn, step.Alternative)
	}
	return p.branch, step, err
}

// BranchAt names an alternative: a new branch whose leaf it is. An empty name
// is made from the branch that leads there, or else from the node.
func (s *Session) BranchAt(alternative ID, name string) (Branch, error) {
	if s.store == nil {
		return Branch{}, fmt.Errorf("branch: %w", ErrReadOnly)
	}
	a, turn, err := s.leaf(alternative)
	if err != nil {
		return Branch{}, err
	}
	from, err := s.reader.Branch(string(turn.Branch))
	if err != nil { // deleted meanwhile: only its name and tags are lost
		from = Branch{Name: a.State.Node, Playthrough: turn.Playthrough}
	}
	b, err := s.fork(from, a.ID, name)
	if err != nil {
		return b, err
	}
	return b, s.store.PutBranch(b)
}

// Goto shows another alternative and lands on the leaf last visited below it.
// Among alternatives of the branch's last turn the branch itself moves.
// Further up, a branch that already stands there is given back; where none
// does, one is made, so that the present one stays where it is.
func (s *Session) Goto(branch, alternative ID) (Branch, error) {
	if s.store == nil {
		return Branch{}, fmt.Errorf("go to: %w", ErrReadOnly)
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return b, err
	}
	target, err := s.reader.Alternative(alternative)
	if err != nil {
		return b, err
	}
	leaf, err := s.reader.Alternative(b.Leaf)
	if err != nil {
		return b, err
	}
	land, err := s.reader.Latest(alternative)
	if err != nil {
		return b, err
	}
	to, found, err := s.standing(b, land)
	if err != nil {
		return b, err
	}
	if !found {
		to = b
		if leaf.Turn != target.Turn {
			if to, err = s.fork(b, land, ""); err != nil {
				return b, err
			}
		}
	}
	if err := s.claim(nil, to.ID); err != nil {
		return b, err
	}
	defer s.release(to.ID)
	to.Touched = s.touch()
	to.move(land, "", to.Touched)
	return to, s.store.PutBranch(to)
}

// standing finds a branch whose leaf an alternative is, the present one first.
func (s *Session) standing(present Branch, leaf ID) (Branch, bool, error) {
	if present.Leaf == leaf {
		return present, true, nil
	}
	all, err := s.reader.Branches()
	if err != nil {
		return present, false, err
	}
	for _, b := range all {
		if b.Leaf == leaf {
			return b, true, nil
		}
	}
	return present, false, nil
}

// Rename gives a branch another name; ErrExists when one has it.
func (s *Session) Rename(branch ID, name string) (Branch, error) {
	was := ""
	b, err := s.changeBranch(branch, func(b *Branch) (err error) {
		if name == "" {
			return fmt.Errorf("rename branch: no name: %w", ErrNothing)
		}
		if was = b.Name; b.Name != name {
			b.Name, err = s.freeName(name, "")
		}
		return err
	})
	if err != nil || was == b.Name {
		return b, err
	}
	return b, s.note(noted{Kind: Renaming, Playthrough: b.Playthrough, Branch: &Branch{ID: b.ID}, Was: stamp{Title: was}, Is: stamp{Title: b.Name}})
}

// Tag replaces a branch's tags.
func (s *Session) Tag(branch ID, tags ...string) (Branch, error) {
	return s.changeBranch(branch, func(b *Branch) error {
		b.Tags = tags
		return nil
	})
}

// DeleteBranch hides a branch. Its turns stay in the tree, and Restore brings it
// back, until the store is purged. ErrBusy while a reply is in flight
// on it.
func (s *Session) DeleteBranch(branch ID) error {
	if s.store == nil {
		return fmt.Errorf("hide branch: %w", ErrReadOnly)
	}
	if err := s.claim(nil, branch); err != nil {
		return err
	}
	defer s.release(branch)
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return err
	}
	if err := s.store.DeleteBranch(branch); err != nil {
		return err
	}
	return s.note(noted{Kind: Deletion, Playthrough: b.Playthrough, Branch: &b})
}

// Restore brings a branch back that DeleteBranch took away, as it was. Where
// another has its name by now, it gets the next free one like it.
func (s *Session) Restore(b Branch) (Branch, error) {
	if s.store == nil {
		return b, fmt.Errorf("restore branch: %w", ErrReadOnly)
	}
	if _, err := s.reader.Alternative(b.Leaf); err != nil {
		return b, err
	}
	if old, err := s.reader.Branch(string(b.ID)); err == nil {
		return old, nil
	}
	name, err := s.regained(b.Name)
	if err != nil {
		return b, err
	}
	b.Name, b.Hidden = name, time.Time{}
	return b, s.store.PutBranch(b)
}

func (s *Session) changeBranch(branch ID, change func(*Branch) error) (Branch, error) {
	if s.store == nil {
		return Branch{}, fmt.Errorf("change branch: %w", ErrReadOnly)
	}
	if err := s.claim(nil, branch); err != nil {
		return Branch{}, err
	}
	defer s.release(branch)
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return b, err
	}
	if err := change(&b); err != nil {
		return b, err
	}
	return b, s.store.PutBranch(b)
}

// Mark sets an alternative's mark and title.
func (s *Session) Mark(alternative ID, mark bool, title string) (Alternative, error) {
	if s.store == nil {
		return Alternative{}, fmt.Errorf("mark: %w", ErrReadOnly)
	}
	a, err := s.reader.Alternative(alternative)
	if err != nil {
		return a, err
	}
	was := stamp{a.Mark, a.Title}
	t, err := s.stamp(&a, stamp{mark, title})
	if err != nil || was == (stamp{mark, title}) {
		return a, err
	}
	return a, s.note(noted{Kind: Stamping, Playthrough: t.Playthrough, Alternative: a.ID, Was: was, Is: stamp{mark, title}})
}

// stamp is the mark and title of an alternative.
type stamp struct {
	Mark  bool   `json:"mark,omitempty"`
	Title string `json:"title,omitempty"`
}

// stamp stores mark and title, and gives the turn.
func (s *Session) stamp(a *Alternative, is stamp) (Turn, error) {
	a.Mark, a.Title = is.Mark, is.Title
	if err := s.store.PutAlternative(*a); err != nil {
		return Turn{}, err
	}
	t, err := s.reader.Turn(a.Turn)
	if err == nil {
		s.approve(t, *a)
	}
	return t, err
}
