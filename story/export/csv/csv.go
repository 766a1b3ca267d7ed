// Package csv writes string tables and recording scripts as RFC 4180 has it:
// UTF-8 without a byte order mark, CRLF between records, a field in quotes
// where it needs them.
//
//	strings.LANG.csv  every text, for translators
//	voice.LANG.csv    what actors say, for a studio
//
// Files changes no character. Excel gives the same tables for spreadsheets: with
// a byte order mark, and every cell that a spreadsheet would take for a formula
// made inert by a leading apostrophe (which Inert explains).
//
// Non-goals: reading tables back.
package csv

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"fabula/story/export"
	"fabula/story/export/table"
)

// cellLimit is the most characters that spreadsheets keep of a cell; longer
// texts are flagged in the notes.
const cellLimit = 32767

// The columns of the two tables.
var (
	stringColumns = []string{"id", "speaker", "text", "context", "branch", "node", "notes", "max_length", "status", "source_hash", "order", "kind", "source_language", "source"}
	voiceColumns  = []string{"id", "speaker", "name", "text", "context", "branch", "node", "direction", "notes", "status", "source_hash", "order", "file"}
)

// Files gives the tables, character for character.
func Files(in export.Input) ([]export.File, error) {
	return files(in, "", func(records [][]string) []byte { return Encode(records) })
}

// Excel gives the tables for spreadsheets.
func Excel(in export.Input) ([]export.File, error) {
	return files(in, "excel/", func(records [][]string) []byte {
		for i, record := range records {
			for j, cell := range record {
				records[i][j] = Inert(cell)
			}
		}
		return append([]byte("\xEF\xBB\xBF"), Encode(records)...)
	})
}

func files(in export.Input, dir string, encode func([][]string) []byte) ([]export.File, error) {
	rows := table.Rows(in)
	for _, r := range rows {
		for _, text := range r.Text {
			if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
				return nil, fmt.Errorf("csv: line %s holds a NUL or bytes that are no UTF-8: %w", r.ID, export.ErrCannotCarry)
			}
		}
	}
	var out []export.File
	for _, lang := range in.Script.Languages {
		out = append(out,
			export.File{Name: dir + "strings." + lang + ".csv", Data: encode(stringTable(rows, lang))},
			export.File{Name: dir + "voice." + lang + ".csv", Data: encode(voiceTable(in, rows, lang))})
	}
	return out, nil
}

func stringTable(rows []table.Row, lang string) [][]string {
	out := [][]string{stringColumns}
	for i, r := range rows {
		out = append(out, []string{r.ID, r.Speaker, r.Text[lang], r.Context, r.Branch, r.Node, notes(r, lang), "", r.Status,
			r.Hash(), strconv.Itoa(i + 1), r.Kind, r.Source, r.Text[r.Source]})
	}
	return out
}

func voiceTable(in export.Input, rows []table.Row, lang string) [][]string {
	out := [][]string{voiceColumns}
	for i, r := range rows {
		text, written := r.Text[lang]
		if !r.Spoken() || !written {
			continue
		}
		name := r.Speaker
		if p := in.Script.Persona(r.Speaker); p != nil {
			name = p.Name.In(lang, in.Script.Languages...)
		}
		out = append(out, []string{r.ID, r.Speaker, name, text, r.Context, r.Branch, r.Node, strings.Join(r.Cues, ", "), notes(r, lang),
			r.Status, r.Hash(), strconv.Itoa(i + 1), strings.ReplaceAll(r.ID, ":", "_") + ".wav"})
	}
	return out
}

// notes say what a cell cannot show by itself.
func notes(r table.Row, lang string) string {
	var out []string
	if r.Words > 0 && r.Spoken() {
		out = append(out, fmt.Sprintf("at most %d words or CJK characters", r.Words))
	}
	if r.Human {
		out = append(out, "written by hand")
	}
	if n := utf8.RuneCountInString(r.Text[lang]); n > cellLimit {
		out = append(out, fmt.Sprintf("%d characters: a spreadsheet keeps %d of a cell", n, cellLimit))
	}
	return strings.Join(out, "; ")
}
