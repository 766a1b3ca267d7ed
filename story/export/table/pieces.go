package table

import (
	"regexp"

	"fabula/story/plot"
)

// Piece is a stretch of an authored text, or a placeholder such as {player}.
type Piece struct {
	Text        string
	Placeholder bool
}

var braced = regexp.MustCompile(`\{[a-z][a-z0-9_]*\}`)

// Pieces cuts the text of a row at the placeholders that a script knows. The
// texts of all pieces concatenate to the text.
func Pieces(s *plot.Script, r Row, text string) []Piece {
	if r.Literal {
		return []Piece{{Text: text}}
	}
	var out []Piece
	rest := 0
	for _, at := range braced.FindAllStringIndex(text, -1) {
		name := text[at[0]+1 : at[1]-1]
		doubled := at[0] > 0 && text[at[0]-1] == '{'
		if doubled || name != "player" && s.Var(name) == nil {
			continue
		}
		if at[0] > rest {
			out = append(out, Piece{Text: text[rest:at[0]]})
		}
		out = append(out, Piece{text[at[0]:at[1]], true})
		rest = at[1]
	}
	if rest < len(text) || len(out) == 0 {
		out = append(out, Piece{Text: text[rest:]})
	}
	return out
}
