// Package screen is what every screen and the frame around them agree on.
//
// Screens never know each other: they ask the frame, by the messages here.
package screen

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/playtest"
	"fabula/tui/style"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

// Name is a screen's name.
type Name string

// The screens, in the order of their function keys from F2.
const (
	World    Name = "world"
	Personas Name = "personas"
	Plot     Name = "plot"
	Chat     Name = "chat"
	Tree     Name = "tree"
	Runs     Name = "runs"
	Engine   Name = "engine"
)

// What lies over another screen.
const (
	Comparison Name = "compare"
	Export     Name = "export"
	Promotion  Name = "promotion"
)

// Screen fills the rectangle between header and footer. Update never blocks and
// never reads a file; View is exactly as many rows and columns as SetSize said.
type Screen interface {
	Update(tea.Msg) tea.Cmd
	SetSize(w, h int)
	View() widget.Rows
	// Keys lists what can be done, most useful first.
	Keys() []widget.Binding
	// Typing reports whether the keyboard writes text.
	Typing() bool
	// Cursor is where the next character appears, in the screen's rectangle.
	Cursor() (x, y int, show bool)
	// Shown is called when the screen comes to the front.
	Shown() tea.Cmd
}

// Actor is a screen whose rows can be run by their ID whatever has the keyboard:
// Do does what the key of the row would, or says why it cannot. Of a screen that
// is no Actor, a row runs by its first key, in the state that the row names.
type Actor interface {
	Do(id string) tea.Cmd
}

// Env is what screens share. Its fields change only in the frame's Update.
type Env struct {
	Theme   *style.Theme
	Text    *lang.Strings
	Session *story.Session // nil when the world does not load
	Status  func(speak string) Status
	Now     func() time.Time
	Dir     string // folder of the world's files; empty for an embedded world
	// File reads an authored file by its path within the world; only in commands.
	File func(name string) ([]byte, error)
	// Playtests reads those of the world; only in commands. May be nil.
	Playtests func() ([]*playtest.Playtest, error)
	// Engine refuses the name of an engine that cannot be had; only in commands.
	// nil = every name is taken.
	Engine func(name string) error
	// Export makes files for other programs.
	Export Exporter
	Votes  string // folder of blind votes
	Voter  string // who votes here
}

// Toast tells a person something. Errors stay until a key is pressed.
type Toast struct {
	Text  string
	Error bool
}

// Say makes a command that shows a notice.
func Say(s string) tea.Cmd { return func() tea.Msg { return Toast{Text: s} } }

// Fail makes a command that shows an error.
func Fail(err error) tea.Cmd { return func() tea.Msg { return Toast{Text: err.Error(), Error: true} } }

// Copy asks for a text to be put on the person's clipboard.
type Copy struct{ Text string }

// Open asks for another screen. With, if there is one, is what it is to show:
// the first message that it gets once it was shown.
type Open struct {
	Name Name
	With tea.Msg
}

// Help asks for what the keys do.
type Help struct{}

// Tour asks for the tour through the demo world to begin.
type Tour struct{}

// Close takes the uppermost screen away that lies over another.
type Close struct{}

// GoTo asks the chat to show a branch, and one of its turns where Turn is set.
type GoTo struct{ Branch, Turn story.ID }

// Kind is a kind of thing that a screen can be asked to show.
type Kind string

// What can be shown: by its id, a turn by that of its alternative.
const (
	KindPersona Kind = "persona"
	KindNode    Kind = "node"
	KindLore    Kind = "lore"
	KindTurn    Kind = "turn"
)

// Show asks a screen to select one thing: it comes with Open, once something was
// found by its name.
type Show struct {
	Kind Kind
	ID   string
}

// Compare asks for two alternatives, and the paths to them, beside each other.
type Compare struct{ A, B story.ID }

// Promote asks for the reply of an alternative as an authored line, together with
// those of the turns before it from Since on, where that is set.
type Promote struct{ Branch, Alternative, Since story.ID }

// Changed tells every screen that the tree changed: a turn was stored, a branch
// made or hidden.
type Changed struct{ Branch story.ID }

// Went tells every screen which branch the chat shows.
type Went struct{ Branch story.Branch }

// Answered tells the frame which engine gave a reply, and why not a better one.
type Answered struct {
	Engine, Why string
	Args        []string
}

// Returned tells the frame that another program had the terminal: the mouse has
// to be asked for again.
type Returned struct{}

// Reload asks for the world's files to be read again.
type Reload struct{}
