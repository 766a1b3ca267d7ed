package main

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"fabula/engine"
	"fabula/story/export/junit"
	"fabula/story/lab/drift"
	"fabula/story/lab/drift/picture"
	"fabula/tui/text/lang"
)

// driftPage is a report on its way into one self-contained page: no script, and
// nothing is fetched.
var driftPage = template.Must(template.New("drift").Parse(`<!doctype html>
<html lang="{{.Language}}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{{.Title}}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child{text-align:left}.miss{color:#b00020;font-weight:600}.floor{color:#777}
img{max-width:100%}li{margin:.2rem 0}.verdict{font-size:1.2rem;font-weight:600}
</style></head><body>
<h1>{{.Title}}</h1>
<p class="verdict{{if not .Passed}} miss{{end}}">{{.Verdict}}</p>
<p>{{.Headline}}</p>
<table>{{range .About}}<tr><td>{{index . 0}}</td><td style="text-align:left">{{index . 1}}</td></tr>{{end}}</table>
<h2>{{.GatesHead}}</h2>
<ul>{{range .Gates}}<li{{if not .Passed}} class="miss"{{end}}>{{.Text}}</li>{{end}}</ul>
<table><tr>{{range .Head}}<th>{{.}}</th>{{end}}</tr>
{{range .Floor}}<tr class="floor">{{range .}}<td>{{.}}</td>{{end}}</tr>{{end}}
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>{{end}}</table>
<h2>{{.PlacesHead}}</h2><img alt="{{.PlacesHead}}" src="{{.Picture}}">
<h2>{{.SpotsHead}}</h2><ul>{{range .Spots}}<li>{{.}}</li>{{end}}</ul>
<h2>{{.MeaningHead}}</h2><ul>{{range .Meaning}}<li>{{.}}</li>{{end}}</ul>
<h2>{{.UnmeasuredHead}}</h2><ul>{{range .Unmeasured}}<li>{{.}}</li>{{end}}</ul>
</body></html>
`))

// page writes the report as a page.
func (p driftPrinter) page(w io.Writer, language string) error {
	png, err := picture.PNG(p.r)
	if err != nil {
		return err
	}
	t, r := p.t, p.r
	lines := func(write func(*strings.Builder)) []string {
		var b strings.Builder
		write(&b)
		var out []string
		for l := range strings.Lines(b.String()) {
			if l = strings.TrimSpace(l); l != "" {
				out = append(out, l)
			}
		}
		return out
	}
	worst := r.Rows[0]
	data := map[string]any{
		"Language": language, "Title": fmt.Sprintf(t.Page.Title, r.B.Name, r.A.Name), "Passed": r.Passed, "Verdict": p.verdict(),
		"Headline": fmt.Sprintf(t.Headline, worst.Persona, worst.Language, nats(worst.Mean), percent(worst.SameTop)),
		"About":    p.about(), "GatesHead": t.Gates, "Head": p.columns(), "PlacesHead": t.Page.Places,
		"Picture":   template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png)), // of our own making
		"SpotsHead": t.Furthest, "Spots": lines(p.spots)[1:], "MeaningHead": t.Page.Meaning, "Meaning": t.Legend,
		"UnmeasuredHead": t.Page.Unmeasured, "Unmeasured": append(lines(p.notes), t.Page.NotHere...),
	}
	type gate struct {
		Passed bool
		Text   string
	}
	var gates []gate
	for i, l := range lines(p.gates)[1:] {
		gates = append(gates, gate{r.Gates[i].Passed, l})
	}
	data["Gates"] = gates
	var floor, rows [][]string
	for _, row := range r.Floor {
		floor = append(floor, p.row(fmt.Sprintf(t.Floor, label(row)), row))
	}
	for _, row := range r.Rows {
		rows = append(rows, p.row(label(row), row))
	}
	data["Floor"], data["Rows"] = floor, rows
	return driftPage.Execute(w, data)
}

// about names what was compared, on what.
func (p driftPrinter) about() [][2]string {
	t, r := p.t.Page, p.r
	var versions []string
	for _, v := range r.Versions {
		versions = append(versions, v.Persona+" "+v.Hash[:min(len(v.Hash), 12)])
	}
	engines := func(i engine.Info) string {
		return joined([]string{i.Name, string(i.Kind), i.Build.Precision, i.Build.BaseHash, i.Build.Runtime}, " · ")
	}
	return [][2]string{
		{t.Made, r.Made.Format("2006-01-02 15:04 MST")}, {t.World, r.World + " " + r.Hash}, {t.Set, fmt.Sprintf("%s, %d / %d", r.Set, r.Read, r.Samples)},
		{t.Engines + " A", engines(r.A)}, {t.Engines + " B", engines(r.B)}, {t.Versions, strings.Join(versions, ", ")},
	}
}

func (p driftPrinter) verdict() string {
	switch p.r.Verdict {
	case drift.Passed:
		return p.t.Passed
	case drift.NotEnough:
		return fmt.Sprintf(p.t.NotEnough, fewNPCs(p.r.Few), p.r.Least)
	}
	return fmt.Sprintf(p.t.Missed, missed(p.r.Gates), len(p.r.Gates))
}

// fewNPCs names NPCs with how many of their places were compared.
func fewNPCs(few []drift.Few) string {
	var out []string
	for _, f := range few {
		out = append(out, fmt.Sprintf("%s %s %d", printable(f.Persona), f.Language, f.Places))
	}
	return strings.Join(out, ", ")
}

// suite is a case for each gate, as JUnit has it; in English, as programs read it.
func driftSuite(r *drift.Report) junit.Suite {
	t := lang.For("en").Drift
	s := junit.Suite{Package: "fabula." + r.World, Name: "fabula drift " + r.World + " " + r.A.Name + " " + r.B.Name, Made: r.Made}
	for _, g := range r.Gates {
		one := junit.Case{Class: r.World + "." + r.B.Name, Name: g.Name}
		if !g.Passed {
			one.Failure = &junit.Failure{Type: g.Name, Message: fmt.Sprintf("%s of %s (%s): %s, limit %s", t.GateNames[g.Name], g.Persona, g.Language,
				figure(g.Name, g.Value), figure(g.Name, g.Limit))}
		}
		s.Cases = append(s.Cases, one)
	}
	if r.Verdict == drift.NotEnough {
		s.Cases = append(s.Cases, junit.Case{Class: r.World + "." + r.B.Name, Name: "least_places",
			Failure: &junit.Failure{Type: string(r.Verdict), Message: fmt.Sprintf(t.NotEnough, fewNPCs(r.Few), r.Least)}})
	}
	for _, x := range t.Page.NotHere {
		s.Notes = append(s.Notes, t.Page.Unmeasured+": "+x)
	}
	return s
}
