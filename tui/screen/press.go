package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/widget"
)

// Press gives the row that a key is for, while reading. Where there is none, or
// it cannot be used now, ok is false and instead is what to do: nothing, or say
// why not.
func Press(rows []widget.Binding, m tea.KeyMsg) (b widget.Binding, instead tea.Cmd, ok bool) {
	b, ok = widget.Find(rows, m, false)
	if !ok {
		return b, nil, false
	}
	if why := b.Why(); why != "" {
		return b, Say(why), false
	}
	return b, nil, true
}

// ToChat brings the chat to the front with a branch, and one of its turns.
func ToChat(g GoTo) tea.Cmd { return func() tea.Msg { return Open{Name: Chat, With: g} } }

// Begin shows a branch that was just made in the chat, and says so.
func Begin(branch story.ID, words string) tea.Cmd {
	return tea.Batch(
		ToChat(GoTo{Branch: branch}),
		func() tea.Msg { return Changed{Branch: branch} },
		Say(words))
}
