package chat

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// mostBranches bounds the branches beside the talk, the newest first.
const mostBranches = 24

// standing is a branch of the playthrough and how far it came.
type standing struct {
	branch story.Branch
	turns  int
}

// standings lists the branches of a playthrough.
func standings(r story.Reader, playthrough story.ID) ([]standing, error) {
	all, err := r.Branches()
	if err != nil {
		return nil, err
	}
	var out []standing
	for _, b := range all {
		if b.Playthrough != playthrough || len(out) == mostBranches {
			continue
		}
		a, err := r.Alternative(b.Leaf)
		if err != nil {
			return nil, err
		}
		t, err := r.Turn(a.Turn)
		if err != nil {
			return nil, err
		}
		out = append(out, standing{b, t.Depth})
	}
	return out, nil
}

// branches lists the branches of this playthrough, the one that is shown marked.
func (p *pane) branches(head string, most int) {
	all := p.c.path.branches
	if len(all) == 0 {
		return
	}
	p.head(head)
	for i, s := range all {
		if i == most {
			p.rows = append(p.rows, text.Fit(" "+p.th.Dim.Render(fmt.Sprintf("  +%d", len(all)-most)), p.w, p.th.Signs.Ellipsis))
			break
		}
		sign, turns := "  ", s.turns
		if s.branch.ID == p.c.path.branch.ID {
			sign = p.th.Accent.Render("*") + " "
			_, turns = p.c.place()
		}
		note := fmt.Sprintf(p.c.env.Text.Chat.Turn, turns)
		if p.c.edits.Of(s.branch.Leaf) != nil {
			note = screen.EditSign + " " + note
		}
		name := text.Fit(text.Line(s.branch.Name), max(p.w-text.Width(note)-5, 1), p.th.Signs.Ellipsis)
		p.rows = append(p.rows, p.c.hits.branches.Item(i, text.Fit(" "+sign+name+" "+p.th.Dim.Render(note), p.w, p.th.Signs.Ellipsis)))
	}
	if p.c.edits.Any() {
		p.rows = append(p.rows, widget.Paragraph(p.c.env.EditWords(p.c.edits.Of(p.c.path.branch.Leaf)), 1, p.w, p.th.Warn)...)
	}
}

// lookAtEdits asks which branches an edit of the world changed the prompts of.
func (c *Chat) lookAtEdits() tea.Cmd {
	var leaves []story.ID
	for _, s := range c.path.branches {
		leaves = append(leaves, s.branch.Leaf)
	}
	return c.edits.Look(c.env.Session, leaves)
}

// export shows the export dialog for the branch that is shown.
func (c *Chat) export() tea.Cmd {
	return screen.ExportOf(c.path.branch.ID)
}
