package style

import (
	"os"
	"strings"

	"github.com/muesli/termenv"
)

// Theme is every style and sign on screen. It is a value: a change of theme is
// a new one. Each colour also has a sign or a word where it is used.
type Theme struct {
	Title    Style // names of things, headings
	Dim      Style // figures, hints, what may be overlooked
	Rule     Style // lines between panes
	Key      Style // a key in the footer or help
	Accent   Style // what is active
	Player   Style // the person's name
	NPC      Style // an NPC's name
	Told     Style // narration
	Cue      Style // stage directions
	Beat     Style // beats and changes of state
	Exit     Style // choices and where they lead
	Good     Style
	Warn     Style
	Error    Style
	Selected Style // reverse; drawn with a > as well

	Signs Signs
}

// Signs are the drawn characters, each one column wide.
type Signs struct {
	H, V, TL, TR, BL, BR, TeeL, TeeR, TeeT, TeeB string
	Ellipsis, Arrow, Beat, Authored, Bullet      string
	Info                                         string // of a remark; a letter would read as a key
	Select, Up, Down, Left, Right                string
	Spark                                        []string // low to high
	Bar                                          string
}

var lines = Signs{
	H: "─", V: "│", TL: "┌", TR: "┐", BL: "└", BR: "┘", TeeL: "├", TeeR: "┤", TeeT: "┬", TeeB: "┴",
	Ellipsis: "…", Arrow: "→", Beat: "◆", Authored: "¶", Bullet: "·", Info: "»", Select: ">", Up: "↑", Down: "↓", Left: "←", Right: "→",
	Spark: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"}, Bar: "█",
}

var ascii = Signs{
	H: "-", V: "|", TL: "+", TR: "+", BL: "+", BR: "+", TeeL: "+", TeeR: "+", TeeT: "+", TeeB: "+",
	Ellipsis: "~", Arrow: ">", Beat: "*", Authored: "=", Bullet: ".", Info: "-", Select: ">", Up: "^", Down: "v", Left: "<", Right: ">",
	Spark: []string{".", ":", "-", "=", "+", "*", "#"}, Bar: "#",
}

// Names lists the themes that can be asked for.
func Names() []string { return []string{"dark", "light", "none"} }

// Choice says how a theme is chosen.
type Choice struct {
	Name  string // "dark", "light", "none" or empty: by COLORFGBG, else dark
	ASCII bool   // for terminals that draw lines two columns wide
}

// New makes the theme for the environment: NO_COLOR, COLORTERM, TERM and
// COLORFGBG are read, the terminal is asked nothing.
func New(c Choice) Theme {
	p := termenv.NewOutput(os.Stdout).EnvColorProfile()
	if c.Name == "none" {
		p = termenv.Ascii
	}
	return For(c, p, os.Getenv("COLORFGBG"))
}

// For makes the theme for a given colour profile and COLORFGBG value.
func For(c Choice, p termenv.Profile, fgbg string) Theme {
	light := c.Name == "light" || c.Name == "" && lightBackground(fgbg)
	pick := func(dark, bright string, ansi int) ink {
		switch {
		case light:
			return ink{bright, ansi}
		case ansi >= 0:
			ansi += 8 // the bright half: plain blue on black cannot be read
		}
		return ink{dark, ansi}
	}
	dim := pick("#9aa1b0", "#5c6370", -1)
	t := Theme{
		Title:    build(p, ink{}, bold),
		Dim:      build(p, dim),
		Rule:     build(p, pick("#959ba9", "#6b717d", -1)),
		Key:      build(p, ink{}, bold),
		Accent:   build(p, pick("#82aaff", "#2450b2", 4), bold),
		Player:   build(p, pick("#9ece6a", "#3a6a10", 2), bold),
		NPC:      build(p, pick("#e5b567", "#855600", 3), bold),
		Told:     build(p, pick("#a9b4cc", "#444b5a", -1)),
		Cue:      build(p, pick("#d0a8ff", "#6d3fc0", 5)),
		Beat:     build(p, pick("#c099ff", "#6d3fc0", 5)),
		Exit:     build(p, pick("#7dcfff", "#00607f", 6)),
		Good:     build(p, pick("#9ece6a", "#3a6a10", 2)),
		Warn:     build(p, pick("#ff9e64", "#944600", 3)),
		Error:    build(p, pick("#ff7b8f", "#b3002d", 1), bold),
		Selected: build(p, ink{}, reverse),
		Signs:    lines,
	}
	if c.ASCII {
		t.Signs = ascii
	}
	return t
}

// lightBackground reads COLORFGBG, "foreground;background" by index.
func lightBackground(fgbg string) bool {
	i := strings.LastIndexByte(fgbg, ';')
	if i < 0 {
		return false
	}
	switch fgbg[i+1:] {
	case "7", "9", "10", "11", "12", "13", "14", "15":
		return true
	}
	return false
}
