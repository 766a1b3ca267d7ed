package engines

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine"
	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// The ids of tasks that bring an engine begin so: two of one model would work on
// the same file.
const (
	pullID  = "pull "
	buildID = "build "
)

// fetches reports whether a task of an id brings an engine.
func fetches(id string) bool { return strings.HasPrefix(id, pullID) || strings.HasPrefix(id, buildID) }

// noPull is why no model can be fetched.
func (e *Engines) noPull() string {
	if e.keeper == nil {
		return e.env.Text.Engines.None
	}
	return ""
}

// noBuild is why no engine can be built of the selected one.
func (e *Engines) noBuild() string {
	if why := e.nothing(); why != "" {
		return why
	}
	t := e.env.Text.Engines
	switch x := e.selected(); {
	case e.stock.NoBuild != "":
		return fmt.Sprintf(t.NoBuild, text.Line(e.stock.NoBuild))
	case x.Kind != engine.GGUF || !x.there():
		return t.NoWeights
	}
	return ""
}

// pullKey takes a key while it is written where a model comes from.
func (e *Engines) pullKey(m tea.KeyMsg) tea.Cmd {
	over, kept := e.pull.Key(m, e.env.Now())
	if !over {
		return nil
	}
	from := e.pull.Text()
	e.pull = nil
	if !kept {
		return nil
	}
	if from == "" {
		return screen.Say(e.env.Text.Chat.Nothing)
	}
	keeper := e.keeper
	return task(pullID+from, fmt.Sprintf(e.env.Text.Engines.Pulling, text.Line(from)), func(ctx context.Context, report func(int, int, string)) error {
		return keeper.Pull(ctx, from, report)
	})
}

// build builds an engine of the selected model.
func (e *Engines) build() tea.Cmd {
	keeper, name := e.keeper, e.selected().Use
	return task(buildID+name, fmt.Sprintf(e.env.Text.Engines.Building, text.Line(name)), func(ctx context.Context, report func(int, int, string)) error {
		return keeper.Build(ctx, name, report)
	})
}

func task(id, title string, run func(context.Context, func(int, int, string)) error) tea.Cmd {
	return func() tea.Msg { return screen.Task{ID: id, Title: title, Run: run} }
}

// newPull begins to write where a model comes from.
func (e *Engines) newPull() { e.pull = widget.NewPrompt("", e.env.Text.Engines.PullHint, e.w) }
