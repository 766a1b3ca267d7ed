package xliff

import (
	"fmt"

	"fabula/story/export/table"
)

const prolog = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// version12 writes XLIFF 1.2.
func (d document) version12() ([]byte, error) {
	w := &writer{}
	w.WriteString(prolog)
	w.WriteString(`<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">` + "\n")
	fmt.Fprintf(w, `<file original="%s" source-language="%s"`, attribute(d.original()), attribute(d.pair.source))
	if d.pair.target != "" {
		fmt.Fprintf(w, ` target-language="%s"`, attribute(d.pair.target))
	}
	w.WriteString(` datatype="plaintext">` + "\n<body>\n")
	for _, r := range d.rows {
		if err := d.unit12(w, r); err != nil {
			return nil, err
		}
	}
	w.WriteString("</body>\n</file>\n</xliff>\n")
	return []byte(w.String()), nil
}

func (d document) unit12(w *writer, r table.Row) error {
	w.line = r.ID
	var x inline
	element := func(id int, name string) string {
		return fmt.Sprintf(`<x id="%d" equiv-text="%s"/>`, id, attribute(name))
	}
	fmt.Fprintf(w, `<trans-unit id="%s" resname="%[1]s" xml:space="preserve">`+"\n<source>", attribute(r.ID))
	source := table.Pieces(d.script, r, r.Text[r.Source])
	if err := w.pieces(source, x.number(source), element); err != nil {
		return err
	}
	w.WriteString("</source>\n")
	if text, ok := r.Text[d.pair.target]; ok {
		target := table.Pieces(d.script, r, text)
		fmt.Fprintf(w, `<target state="%s">`, state(r, "translated", "final"))
		if err := w.pieces(target, x.number(target), element); err != nil {
			return err
		}
		w.WriteString("</target>\n")
	}
	for _, n := range notes(r) {
		w.WriteString(`<note from="fabula">`)
		w.plain(n.category + ": " + n.text)
		w.WriteString("</note>\n")
	}
	w.WriteString("</trans-unit>\n")
	return nil
}

// state is final where a person approved the line.
func state(r table.Row, done, approved string) string {
	if r.Status == "approved" {
		return approved
	}
	return done
}

// version20 writes XLIFF 2.0.
func (d document) version20() ([]byte, error) {
	w := &writer{points: true}
	w.WriteString(prolog)
	fmt.Fprintf(w, `<xliff version="2.0" srcLang="%s"`, attribute(d.pair.source))
	if d.pair.target != "" {
		fmt.Fprintf(w, ` trgLang="%s"`, attribute(d.pair.target))
	}
	w.WriteString(` xmlns="urn:oasis:names:tc:xliff:document:2.0">` + "\n")
	fmt.Fprintf(w, `<file id="f1" original="%s" xml:space="preserve">`+"\n", attribute(d.original()))
	for _, r := range d.rows {
		if err := d.unit20(w, r); err != nil {
			return nil, err
		}
	}
	w.WriteString("</file>\n</xliff>\n")
	return []byte(w.String()), nil
}

// unit20 writes notes, original data and the segment, in the order that the
// specification fixes.
func (d document) unit20(w *writer, r table.Row) error {
	w.line = r.ID
	var x inline
	source := table.Pieces(d.script, r, r.Text[r.Source])
	sourceIDs := x.number(source)
	text, translated := r.Text[d.pair.target]
	target := table.Pieces(d.script, r, text)
	targetIDs := x.number(target)
	fmt.Fprintf(w, `<unit id="%s" name="%[1]s">`+"\n<notes>\n", attribute(r.ID))
	for _, n := range notes(r) {
		fmt.Fprintf(w, `<note category="%s">`, attribute(n.category))
		w.plain(n.text)
		w.WriteString("</note>\n")
	}
	w.WriteString("</notes>\n")
	d.data(w, x)
	element := func(id int, name string) string {
		return fmt.Sprintf(`<ph id="%d" dataRef="d%[1]d" equiv="%s" disp="%[2]s"/>`, id, attribute(name))
	}
	progress := "initial"
	if translated {
		progress = state(r, "translated", "final")
	}
	fmt.Fprintf(w, `<segment state="%s">`+"\n<source>", progress)
	if err := w.pieces(source, sourceIDs, element); err != nil {
		return err
	}
	w.WriteString("</source>\n")
	if translated {
		w.WriteString("<target>")
		if err := w.pieces(target, targetIDs, element); err != nil {
			return err
		}
		w.WriteString("</target>\n")
	}
	w.WriteString("</segment>\n</unit>\n")
	return nil
}

// data writes what the placeholders stand for.
func (d document) data(w *writer, x inline) {
	if len(x.names) == 0 {
		return
	}
	w.WriteString("<originalData>\n")
	for i, name := range x.names {
		fmt.Fprintf(w, `<data id="d%d">`, i+1)
		w.plain(name)
		w.WriteString("</data>\n")
	}
	w.WriteString("</originalData>\n")
}
