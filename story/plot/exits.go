package plot

import "strings"

// Offers lists the exits of the present node that a player can choose, in file
// order, open or closed; a closed one names the condition that closes it. Not
// listed are `auto` exits, exits with `said` but no `choice` (they are only
// taken by saying it), and `otherwise` while another exit is open.
func (s *Script) Offers(st State, lang string) []Offer {
	n := s.Node(st.Node)
	if n == nil {
		return nil
	}
	var out []Offer
	for _, e := range n.Exits {
		open, why := s.open(n, e, &st)
		if e.Auto || e.Said != nil && e.Choice.Empty() || e.Otherwise && !open {
			continue
		}
		out = append(out, Offer{
			Exit: e, ID: e.ID, To: e.To, Label: s.label(e, &st, lang), Open: open, Why: why, Said: e.Said != nil,
		})
	}
	return out
}

// Label is what a choice is called: its own text, the target's title, its id.
func (s *Script) Label(e *Exit, st State, lang string) string { return s.label(e, &st, lang) }

func (s *Script) label(e *Exit, st *State, lang string) string {
	text := e.Choice
	if target := s.Node(e.To); text.Empty() && target != nil {
		text = target.Title
	}
	if text.Empty() {
		return e.ID
	}
	return s.Expand(text.In(lang, s.Languages...), *st, lang)
}

// Open reports whether an exit of the present node is open: its `when` holds
// now and the target's `when` holds after its effects; `otherwise` only while
// no other exit is. why is the source of the condition that closes it.
func (s *Script) Open(e *Exit, st State) (open bool, why string) {
	n := s.Node(st.Node)
	if n == nil {
		return false, ""
	}
	return s.open(n, e, &st)
}

func (s *Script) open(n *Node, e *Exit, st *State) (bool, string) {
	if e.Otherwise {
		for _, other := range n.Exits {
			if other == e || other.Otherwise {
				continue
			}
			if open, _ := s.passable(n, other, st); open {
				return false, "otherwise"
			}
		}
	}
	return s.passable(n, e, st)
}

// passable is open without the rule for `otherwise`.
func (s *Script) passable(n *Node, e *Exit, st *State) (bool, string) {
	if !s.holds(e.When, st, n.ID) {
		return false, e.When.Src
	}
	if e.Stay {
		return true, ""
	}
	target := s.Node(e.To)
	if target == nil {
		return false, e.To
	}
	if target.When.Empty() {
		return true, ""
	}
	after := st.Clone()
	s.leave(&after, n, e)
	if !s.holds(target.When, &after, target.ID) {
		return false, target.When.Src
	}
	return true, ""
}

// leave counts the exit and does its effects; the move is not part of it.
func (s *Script) leave(st *State, n *Node, e *Exit) []Change {
	bump(&st.Exits, n.ID+"."+e.ID)
	changes := s.apply(st, e.Effects, n.ID)
	s.learn(st, e.Tell)
	s.remember(st, n.ID+"."+e.ID)
	return changes
}

// Take takes an exit of the present node: its effects, the lines at exit, then
// enter(target) unless the exit stays. by is choice, said or auto. It does not
// ask whether the exit is open.
func (s *Script) Take(st *State, e *Exit, by, lang string) Taken {
	n := s.Node(st.Node)
	if n == nil {
		return Taken{}
	}
	st.Confirm = ""
	taken := Taken{Exit: n.ID + "." + e.ID, By: by}
	taken.Changes = s.leave(st, n, e)
	taken.Lines = s.play(st, n, "exit:"+e.ID, lang)
	if e.Stay {
		return taken
	}
	lines, changes := s.Enter(st, e.To, lang)
	taken.Lines = append(taken.Lines, lines...)
	taken.Changes = append(taken.Changes, changes...)
	return taken
}

// Spoken finds the first open exit of the present node that input says.
func (s *Script) Spoken(st State, input string) (*Exit, Evidence, bool) {
	n := s.Node(st.Node)
	if n == nil {
		return nil, Evidence{}, false
	}
	for _, e := range n.Exits {
		if e.Said == nil {
			continue
		}
		if ev, ok := e.Said.Match(input); ok {
			if open, _ := s.open(n, e, &st); open {
				return e, ev, true
			}
		}
	}
	return nil, Evidence{}, false
}

// Auto finds the first open `auto` exit of the present node; nil if none is.
func (s *Script) Auto(st State) *Exit {
	n := s.Node(st.Node)
	if n == nil {
		return nil
	}
	for _, e := range n.Exits {
		if !e.Auto {
			continue
		}
		if open, _ := s.open(n, e, &st); open {
			return e
		}
	}
	return nil
}

// Question is what is asked before a spoken exit with `confirm` is taken. The
// caller keeps the exit's id in State.Confirm until the next input.
func (s *Script) Question(st State, e *Exit, lang string) (Played, bool) {
	if e.Confirm == nil {
		return Played{}, false
	}
	by := e.Confirm.By
	return Played{
		ID: speakerOf(by) + "." + st.Node + "." + e.ID + ".confirm", By: by, Kind: "confirm",
		Text: s.said(by, e.Confirm.Text, &st, lang),
	}, true
}

// Yes reports whether input agrees to a question: 是, 对, 好, yes or y, whatever
// its case, width and the punctuation around it. Anything else declines.
func (s *Script) Yes(input string) bool {
	word := strings.Trim(folds(input).String(), " .,!?;:。，！？；：、~…\"'“”‘’「」")
	switch word {
	case "是", "对", "好", "yes", "y":
		return true
	}
	return false
}
