package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/text"
)

// fallen is what a person knows about engines that stand in for others. Keys
// name the engine and the reason; "" = the wanted one answers.
type fallen struct {
	told   string // what was said last
	status string // as the catalogue had it last
}

// answered tells of a reply that another engine gave than the one before.
func (a *app) answered(m screen.Answered) tea.Cmd {
	return a.alert(m.Engine, m.Why, m.Args)
}

// fell tells of a change of engines that no reply showed.
func (a *app) fell() tea.Cmd {
	if a.env.Session == nil {
		return nil
	}
	s := a.env.Status(a.speak())
	if s.Loading || s.Name == "" {
		return nil
	}
	why := ""
	if s.Fell(a.env.Text) {
		why = s.Why
	}
	now := key(s.Name, why)
	if now == a.fallen.status {
		return nil
	}
	a.fallen.status = now
	return a.alert(s.Name, why, s.Args)
}

func key(engine, why string) string {
	if why == "" {
		return ""
	}
	return engine + "\x00" + why
}

// alert says in words who stands in or answers again, and rings once. What only
// an installation would mend is no alarm: the screen says it all the time.
func (a *app) alert(engine, why string, args []string) tea.Cmd {
	t := a.env.Text
	if t.Standing(why) {
		why = ""
	}
	now := key(engine, why)
	if now == a.fallen.told {
		return nil
	}
	a.fallen.told = now
	words := fmt.Sprintf(t.Engine.Again, text.Line(engine))
	if why != "" {
		words = fmt.Sprintf(t.Engine.Degraded, text.Line(engine), text.Line(t.Why(why, args...)))
	}
	return tea.Batch(a.yield(screen.Toast{Text: words}), a.ring)
}

// ring rings the terminal's bell.
func (a *app) ring() tea.Msg {
	if a.o.Bell != nil {
		a.o.Bell()
	} else if a.out != nil {
		_, _ = a.out.WriteString("\a") // a terminal that is gone hears nothing
	}
	return nil
}
