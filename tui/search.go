package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/screen"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// search is a list that narrows while a person types: of commands, or of
// everything that can be found. Running an item takes the list away first.
type search struct {
	env   *screen.Env
	title string
	none  string // stands where nothing fits
	input *widget.Composer
	list  widget.List
	w, h  int
	items []item
	named int   // of items, those that are found by name
	hits  []int // indices of the items that fit, best first
	run   func(item) tea.Cmd

	look    func(typed string) (said, error) // finds more, in a command; nil = nothing does
	gen     int
	waits   bool // for what look finds
	picked  bool // meanwhile
	further int  // what look found and did not list
}

// item is one thing that can be found or done.
type item struct {
	kind string // word in front of the name; "" for a command
	name string
	note string // what it does, or where it is
	key  string // that does the same
	why  string // it cannot be done now
	also string // searched with the name: other names
	body string // searched by its words: what was said
	do   func() tea.Cmd

	quiet bool   // its name says where it is: it is found by its body alone
	id    string // of a command
}

func newSearch(env *screen.Env, title, none string, run func(item) tea.Cmd) *search {
	return &search{env: env, title: title, none: none, input: widget.NewComposer(), run: run}
}

// sought is what was found for the words that were typed when it was asked.
type sought struct {
	of    *search
	gen   int
	found said
	err   error
}

// fill sets what can be found by its name and keeps what was typed.
func (s *search) fill(items []item) tea.Cmd {
	s.items, s.named = items, len(items)
	return s.narrow()
}

// more adds what can be found by its name too; the selection stays at its item,
// which may be about to be picked.
func (s *search) more(items []item) tea.Cmd {
	was := -1
	if len(s.hits) > 0 && s.list.At() > 0 {
		was = s.hits[s.list.At()]
	}
	cmd := s.fill(append(s.items[:s.named:s.named], items...))
	if i := slices.Index(s.hits, was); i >= 0 {
		s.list.Select(i)
	}
	return cmd
}

// narrow finds what fits to what was typed: by names at once, by an index in a
// command.
func (s *search) narrow() tea.Cmd {
	s.items, s.further = s.items[:s.named], 0
	s.hits = match(s.items, s.input.Value(), s.hits[:0])
	s.list.SetLen(len(s.hits))
	s.list.Select(0)
	if s.look == nil {
		return nil
	}
	s.gen++
	s.waits, s.picked = true, false
	look, typed, gen := s.look, s.input.Value(), s.gen
	return func() tea.Msg {
		found, err := look(typed)
		return sought{s, gen, found, err}
	}
}

// take adds what an index found, unless other words were typed meanwhile. What was
// picked before it came is run. After an error, which is shown, no more comes.
func (s *search) take(m sought) tea.Cmd {
	if m.gen != s.gen {
		return nil
	}
	if m.err != nil {
		s.waits, s.picked = false, false
		return screen.Fail(m.err)
	}
	s.waits, s.further = false, m.found.more
	for _, it := range m.found.items {
		s.hits = append(s.hits, len(s.items))
		s.items = append(s.items, it)
	}
	s.list.SetLen(len(s.hits))
	if s.picked {
		s.picked = false
		return s.pick()
	}
	return nil
}

// sought takes up what was found, if its list is still there.
func (a *app) sought(m sought) tea.Cmd {
	for _, l := range a.over {
		if l.Screen == m.of {
			return m.of.take(m)
		}
	}
	return nil
}

// SetSize sets columns and rows.
func (s *search) SetSize(w, h int) {
	s.w, s.h = w, h
	s.input.SetWidth(max(w-4, 1))
}

// Box is the size where there is room around it.
func (s *search) Box(w, h int) (int, int) { return min(w*3/4, 110), min(h*2/3, 30) }

// Typing is always so.
func (s *search) Typing() bool { return true }

// Shown reads nothing.
func (s *search) Shown() tea.Cmd { return nil }

// Cursor is the insertion point.
func (s *search) Cursor() (x, y int, show bool) {
	_, x, _ = s.input.View(1, "", s.env.Theme)
	return x + 3, 1, true
}

// Keys lists what can be done.
func (s *search) Keys() []widget.Binding {
	k := s.env.Text.Keys
	return []widget.Binding{
		{ID: "search.run", Keys: []string{"enter"}, Name: k.Pick.Name, Hint: k.Pick.Hint, When: widget.Typing, Footer: true, Disabled: s.nothing},
		{ID: "search.down", Keys: []string{"down", "tab"}, Label: s.arrows(), Name: k.Down.Name, Hint: k.Down.Hint, When: widget.Typing, Footer: true},
		{ID: "search.up", Keys: []string{"up", "shift+tab"}, Name: k.Up.Name, Hint: k.Up.Hint, When: widget.Typing},
		{ID: "search.pagedown", Keys: []string{"pgdown"}, Name: k.PageDown.Name, Hint: k.PageDown.Hint, When: widget.Typing},
		{ID: "search.pageup", Keys: []string{"pgup"}, Name: k.PageUp.Name, Hint: k.PageUp.Hint, When: widget.Typing},
	}
}

func (s *search) arrows() string { return s.env.Theme.Signs.Up + " " + s.env.Theme.Signs.Down }

func (s *search) nothing() string {
	if len(s.hits) == 0 {
		return s.none
	}
	return ""
}

// Update takes one message.
func (s *search) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return s.key(m)
	case tea.MouseMsg:
		return s.mouse(m)
	}
	return nil
}

func (s *search) key(m tea.KeyMsg) tea.Cmd {
	b, ok := widget.Find(s.Keys(), m, true)
	switch {
	case ok && b.ID == "search.run":
		return s.pick()
	case ok:
		s.list.Key(b.Keys[0], s.rows())
	case m.Paste:
		s.input.Insert(text.Line(string(m.Runes)))
		return s.narrow()
	case m.String() != "alt+enter" && m.String() != "ctrl+j":
		typed := s.input.Value()
		if s.input.Key(m, s.env.Now()); s.input.Value() != typed {
			return s.narrow()
		}
	}
	return nil
}

func (s *search) pick() tea.Cmd {
	if len(s.hits) == 0 && s.waits {
		s.picked = true
		return nil
	}
	if len(s.hits) == 0 {
		return screen.Say(s.none)
	}
	return s.run(s.items[s.hits[s.list.At()]])
}

// mouse scrolls, and a click runs an item.
func (s *search) mouse(m tea.MouseMsg) tea.Cmd {
	if p := widget.Point(m, s.View, &s.list); p.Item >= 0 {
		return s.pick()
	}
	return nil
}

// searchHead is how many rows stand above the list: title and input.
const searchHead = 2

func (s *search) rows() int { return max(s.h-searchHead, 1) }

// View draws title, input and what fits.
func (s *search) View() widget.Rows {
	th := s.env.Theme
	note := fmt.Sprintf("%d/%d", len(s.hits), len(s.items)+s.further)
	typed, _, _ := s.input.View(1, "", th)
	rows := widget.Rows{widget.Rule(s.title, note, s.w, th), text.Fit(" "+th.Accent.Render(th.Signs.Select)+" "+typed[0], s.w, "")}
	if len(s.hits) == 0 && !s.waits {
		rows = append(rows, text.Fit("   "+th.Dim.Render(s.none), s.w, th.Signs.Ellipsis))
	}
	from, to := s.list.Window(s.rows())
	for i := from; i < to; i++ {
		rows = append(rows, s.list.Item(i, s.row(s.hits[i], i == s.list.At())))
	}
	return rows.Fit(s.w, s.h)
}

// row draws one item: kind, name, what it is for, key.
func (s *search) row(h int, selected bool) string {
	th, it := s.env.Theme, s.items[h]
	kind, name, note := "", text.Line(it.name), text.Line(it.note)
	if it.kind != "" {
		kind = text.Fit(it.kind, kindColumn, "") + " "
	}
	if it.why != "" {
		note = fmt.Sprintf(s.env.Text.Help.NotNow, it.why)
	}
	width := max(min(s.w/3, 24), 14)
	key := it.key
	room := max(s.w-3-text.Width(kind)-width-2-text.Width(key)-1, 0)
	name, note = text.Fit(name, width, th.Signs.Ellipsis), text.Fit(note, room, th.Signs.Ellipsis)
	if selected {
		return th.Selected.Render(text.Fit(" "+th.Signs.Select+" "+kind+name+" "+note+" "+key, s.w, ""))
	}
	st := th.Title
	if it.why != "" {
		st = th.Dim
	}
	return text.Fit("   "+th.Accent.Render(kind)+st.Render(name)+" "+th.Dim.Render(note)+" "+th.Key.Render(key), s.w, "")
}

// kindColumn is the room for what an item is.
const kindColumn = 8
