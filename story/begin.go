package story

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fabula/story/plot"
)

// Tags that a session gives branches.
const (
	SandboxTag = "sandbox" // outside the plot
	// SimulatedTag marks what no person played.
	SimulatedTag = "simulated"
	ForcedTag    = "forced" // jumped into the middle
)

// Begin starts a playthrough: defaults, then Set, then enter. Another node
// than the script's start is entered whatever its `when` says, and marked
// forced. Errors: ErrNotFound for an unknown node, a *plot.SetError for a
// value; nothing is then stored.
func (s *Session) Begin(start Start) (Branch, Step, error) {
	if s.store == nil {
		return Branch{}, Step{}, fmt.Errorf("begin: %w", ErrReadOnly)
	}
	p, lines, err := s.opening(s.refresh(), start)
	if err != nil {
		return Branch{}, Step{}, err
	}
	name, err := s.freeName(start.Name, p.turn.Before.Node)
	if err != nil {
		return Branch{}, Step{}, err
	}
	through := &Playthrough{ID: p.turn.Playthrough, Root: p.turn.ID, Language: p.lang, Node: start.Node,
		Forced: start.Node != "" && start.Node != p.script.Start, Sandbox: start.Sandbox, Made: p.turn.Made}
	tags := slices.Clone(start.Tags)
	if start.Sandbox {
		tags = append(tags, SandboxTag)
	}
	if through.Forced {
		tags = append(tags, ForcedTag)
	}
	b := Branch{ID: s.id(), Name: name, Playthrough: through.ID, Tags: tags, Made: p.turn.Made}
	p.turn.Branch = b.ID
	return s.storeSilent(p, through, b, lines)
}

// opening works out the first turn of a playthrough.
func (s *Session) opening(script *plot.Script, start Start) (plan, []plot.Played, error) {
	p := plan{script: script, lang: start.Language, sandbox: start.Sandbox}
	if p.lang == "" {
		p.lang = s.lang
	}
	first := script.Initial()
	first.Given = start.Memory
	st, lines, err := enter(script, first, start, p.lang)
	p.turn = Turn{ID: s.id(), Playthrough: s.id(), Before: st, Status: Pending, Made: s.now()}
	return p, lines, err
}

// enter sets variables and enters a node.
func enter(script *plot.Script, st plot.State, start Start, lang string) (plot.State, []plot.Played, error) {
	node := start.Node
	if node == "" {
		node = script.Start
	}
	if script.Node(node) == nil {
		return st, nil, &NodeError{Node: node, Nodes: nodeIDs(script)}
	}
	for _, name := range slices.Sorted(maps.Keys(start.Set)) {
		if err := script.Set(&st, name, start.Set[name]); err != nil {
			return st, nil, err
		}
	}
	lines, _ := script.Enter(&st, node, lang)
	return st, lines, nil
}

// NodeError refuses a node that the world does not have, and names those that
// it has.
type NodeError struct {
	Node  string
	Nodes []string
}

// Error names the nodes there are.
func (e *NodeError) Error() string {
	return fmt.Sprintf("no node %q in this world; there are: %s", e.Node, strings.Join(e.Nodes, ", "))
}

// Unwrap gives ErrNotFound.
func (e *NodeError) Unwrap() error { return ErrNotFound }

func nodeIDs(script *plot.Script) []string {
	all := make([]string, len(script.Nodes))
	for i, n := range script.Nodes {
		all[i] = n.ID
	}
	return all
}

// Jump goes to a node in the middle of a playthrough, below the branch's leaf.
// It always makes a new branch, ignores the node's `when`, and is marked
// forced. Start.Node and Set count; a Name names the new branch.
func (s *Session) Jump(branch ID, start Start) (Branch, Step, error) {
	if s.store == nil {
		return Branch{}, Step{}, fmt.Errorf("jump: %w", ErrReadOnly)
	}
	p, lines, err := s.jump(branch, start)
	if err != nil {
		return Branch{}, Step{}, err
	}
	b, err := s.fork(p.branch, p.parent, start.Name, ForcedTag)
	if err != nil {
		return Branch{}, Step{}, err
	}
	b.Tags = append(b.Tags, start.Tags...)
	p.turn.Branch = b.ID
	return s.storeSilent(p, nil, b, lines)
}

// jump works out a forced turn below a branch's leaf.
func (s *Session) jump(branch ID, start Start) (plan, []plot.Played, error) {
	from, err := s.reader.Branch(string(branch))
	if err != nil {
		return plan{}, nil, err
	}
	parent, turn, err := s.leaf(from.Leaf)
	if err != nil {
		return plan{}, nil, err
	}
	through, err := s.reader.Playthrough(turn.Playthrough)
	if err != nil {
		return plan{}, nil, err
	}
	p := plan{place: place{branch: from, parent: parent.ID}, script: s.refresh(), lang: through.Language,
		sandbox: outside(Input{}, through, from)}
	st, _ := p.script.Adopt(parent.State)
	st, lines, err := enter(p.script, st.Clone(), start, p.lang)
	p.turn = Turn{ID: s.id(), Playthrough: through.ID, Parent: parent.ID, Depth: turn.Depth + 1,
		Input: Input{Jump: st.Node}, Before: st, Status: Pending, Made: s.now()}
	return p, lines, err
}

// storeSilent stores a turn of authored lines alone, in the two steps of every
// turn.
func (s *Session) storeSilent(p plan, through *Playthrough, b Branch, lines []plot.Played) (Branch, Step, error) {
	p.turn.Lines = lines
	if err := s.store.Begin(through, &b, p.turn); err != nil {
		return Branch{}, Step{}, err
	}
	p.turn.Status, p.turn.Lines = Finished, nil
	a := Alternative{ID: s.id(), Turn: p.turn.ID, Lines: lines, State: p.turn.Before, Status: Finished, Made: s.now()}
	b.Leaf, b.Touched = a.ID, s.touch()
	if err := s.store.Finish(a, Finished, b, nil); err != nil {
		return Branch{}, Step{}, err
	}
	p.turn.Children = []ID{a.ID}
	return b, Step{Turn: p.turn, Alternative: a}, nil
}

func (s *Session) leaf(alternative ID) (Alternative, Turn, error) {
	a, err := s.reader.Alternative(alternative)
	if err != nil {
		return a, Turn{}, err
	}
	t, err := s.reader.Turn(a.Turn)
	return a, t, err
}

// fork makes a branch beside another, not stored yet. The sandbox and what a
// caller tagged stay with it.
func (s *Session) fork(from Branch, at ID, name string, tags ...string) (Branch, error) {
	name, err := s.freeName(name, from.Name)
	if err != nil {
		return Branch{}, err
	}
	b := Branch{ID: s.id(), Name: name, Playthrough: from.Playthrough, Leaf: at, Made: s.now(), Touched: s.touch(),
		Tags: slices.Clone(from.Tags)}
	for _, tag := range tags {
		if !slices.Contains(b.Tags, tag) {
			b.Tags = append(b.Tags, tag)
		}
	}
	return b, nil
}

// freeName gives the asked name if no branch has it, else ErrExists; without
// one, the stem with the next free number.
func (s *Session) freeName(asked, stem string) (string, error) {
	all, err := s.reader.Branches()
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, b := range all {
		taken[b.Name] = true
	}
	if asked != "" {
		if taken[asked] {
			return "", fmt.Errorf("branch %q: %w", asked, ErrExists)
		}
		return asked, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := 1; ; n++ {
		name := stem + "-" + strconv.Itoa(n)
		if !taken[name] && !s.named[name] {
			s.named[name] = true // until it is stored, nobody else gets it
			return name, nil
		}
	}
}
