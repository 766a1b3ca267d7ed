package tui

import (
	"fmt"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// tour leads through the demo world: a step says what to do, waits until it was
// done, and gives way to the next.
type tour struct {
	step  int // index in tourSteps; offered when below 0
	words string
	of    int // the step that words are of
}

// offered is the step at which the tour only says that there is one.
const offered = -1

// tourSteps name the row that a step waits for by its id, and with a dot behind it
// also those whose ids go on; any row ends the last. The words of a step are in
// lang.Tour.
var tourSteps = []string{"chat.send", "chat.choose.", "chat.read", "chat.retry.", "chat.alt.", "chat.branch", "chat.inspect", "tree", "plot", "palette.", "world", "world.analyse", ""}

// offerTour says once, at the first start in the demo world, that there is a tour.
func (a *app) offerTour(toured bool) {
	if a.o.Tour && !toured && a.tour == nil {
		a.tour = &tour{step: offered, of: offered - 1}
	}
}

// beginTour starts the tour, or skips a step of it. Who skipped the last once too
// often is asked before it begins anew.
func (a *app) beginTour() tea.Cmd {
	if a.tour == nil && a.guided {
		a.guided = false
		return a.show(screen.Toast{Text: a.withKeys(a.env.Text.Tour.Again)})
	}
	if a.tour == nil || a.tour.step == offered {
		a.tour = &tour{of: offered}
		return a.endOffer()
	}
	return a.nextStep()
}

func (a *app) nextStep() tea.Cmd {
	if a.tour.step++; a.tour.step >= len(tourSteps) {
		a.guided = true
		return a.endTour()
	}
	return nil
}

// endTour takes the tour away, or its offer, which is not made again.
func (a *app) endTour() tea.Cmd {
	a.tour = nil
	return a.endOffer()
}

// endOffer keeps that the tour need not be offered again.
func (a *app) endOffer() tea.Cmd {
	a.toured, a.dirty = true, true
	return nil
}

// advance goes on when the row that a step waits for was used.
func (a *app) advance(id string) {
	if a.tour == nil || a.tour.step == offered || strings.HasPrefix(id, "tour") || moves(id) && !strings.HasPrefix(id, "palette") {
		return
	}
	want, rest := strings.CutSuffix(tourSteps[a.tour.step], ".")
	if want == "" || id == want || rest && strings.HasPrefix(id, want+".") {
		a.nextStep()
	}
}

// noTour is why there is no tour to end.
func (a *app) noTour() string {
	if a.tour == nil {
		return a.env.Text.Tour.None
	}
	return ""
}

// elsewhere is why the tour cannot begin here.
func (a *app) elsewhere() string {
	if !a.o.Tour {
		return a.env.Text.Tour.Elsewhere
	}
	return a.noSession()
}

// mostTour is how many rows a step takes at most.
const mostTour = 3

// tourRows draws the step that is waited for.
func (a *app) tourRows() widget.Rows {
	th, t := a.env.Theme, a.env.Text.Tour
	words, head := t.Offer, t.Title
	if a.tour.step != offered {
		words, head = t.Steps[a.tour.step], fmt.Sprintf("%s %d/%d", t.Title, a.tour.step+1, len(tourSteps))
	}
	if a.tour.of != a.tour.step {
		a.tour.words, a.tour.of = a.withKeys(words), a.tour.step
	}
	lines := text.Wrap(a.tour.words, max(a.w-text.Width(head)-4, 1))
	var rows widget.Rows
	for _, line := range lines[:min(len(lines), mostTour)] {
		rows = append(rows, text.Fit(" "+th.Accent.Render(head)+"  "+line, a.w, th.Signs.Ellipsis))
		head = text.Spaces(text.Width(head))
	}
	return rows
}

// keyOfAction is an action's id in braces, in the words of a step.
var keyOfAction = regexp.MustCompile(`\{[a-z.]+\}`)

// withKeys puts the keys of actions in the place of their ids.
func (a *app) withKeys(words string) string {
	return keyOfAction.ReplaceAllStringFunc(words, func(id string) string { return a.shownKey(strings.Trim(id, "{}")) })
}

// shownKey gives the key of any row as it is shown.
func (a *app) shownKey(id string) string {
	for _, page := range a.manual() {
		for _, b := range a.own.Rows(page.Rows) {
			if b.ID == id {
				return b.Shown()
			}
		}
	}
	return id
}
