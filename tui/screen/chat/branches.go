package chat

import (
	"fmt"

	"fabula/story"
	"fabula/tui/text"
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
		name := text.Fit(text.Line(s.branch.Name), max(p.w-text.Width(note)-5, 1), p.th.Signs.Ellipsis)
		p.rows = append(p.rows, text.Fit(" "+sign+name+" "+p.th.Dim.Render(note), p.w, p.th.Signs.Ellipsis))
	}
}
