package export_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fabula/personas"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// Ensure that no text of a secret is left in what was played, that everything
// else is, and that a file which holds one in disguise is refused.
func TestRedact(t *testing.T) {
	text := func(en, zh string) personas.Text { return personas.Text{By: map[string]string{"en": en, "zh": zh}} }
	r := export.NewRedactor(&plot.Script{Personas: []*personas.Persona{{ID: "adu", Secrets: []personas.Secret{
		{ID: "salt", Text: text("The salt is in the cellar.", "盐在地窖里"), Aliases: []personas.Text{text("salt cellar", "盐窖")}}}}}})
	made := time.Unix(5, 0)
	in := export.Input{Branches: []export.Branch{{Steps: []story.Step{{
		Turn:        story.Turn{Input: story.Input{Text: "Is it the SALT  CELLAR?"}, Made: made},
		Alternative: story.Alternative{Text: "Yes. The salt is in\nthe cellar. 盐在地窖里。", Lines: []plot.Played{{Text: "Nothing here."}}},
	}}}}}
	out := r.Input(in)
	step := out.Branches[0].Steps[0]
	if step.Turn.Input.Text != "Is it the ************?" || step.Alternative.Text != "Yes. "+stars(26)+" "+stars(15)+"。" ||
		step.Alternative.Lines[0].Text != "Nothing here." || !step.Turn.Made.Equal(made) {
		t.Errorf("%+v", step)
	}
	if len(step.Alternative.Text) != len(in.Branches[0].Steps[0].Alternative.Text) || in.Branches[0].Steps[0].Turn.Input.Text == step.Turn.Input.Text {
		t.Error("spans do not fit, or what was given has changed")
	}
	hidden := []export.File{{Name: "story.ink", Data: []byte(`The \salt <b>is</b> in&nbsp;the`)}, {Name: "x.csv", Data: []byte(`"The salt is in the ""cellar"""`)}}
	if err := r.Check(hidden[:1]); err != nil {
		t.Errorf("half of a secret: %v", err)
	}
	if err := r.Check(hidden); !errors.Is(err, export.ErrSecret) {
		t.Errorf("a secret in disguise: %v", err)
	}
	plain := []export.File{{Name: "a.json", Data: []byte(`{"text":"The salt is in the cellar."}`)}}
	if err := r.Check(r.Files(plain)); err != nil || string(plain[0].Data) == "" {
		t.Errorf("%v", err)
	}
}

// Ensure that alternatives beside the path are masked, and that no way in which a
// format writes signs and line ends keeps a secret from being found.
func TestRedactEscaped(t *testing.T) {
	secret := "Qin's \"son\" & heir\nis alive"
	r := export.NewRedactor(&plot.Script{Personas: []*personas.Persona{{ID: "adu", Secrets: []personas.Secret{
		{ID: "heir", Text: personas.Text{By: map[string]string{"en": secret}}}}}}})
	in := export.Input{Beside: map[story.ID][]story.Alternative{"T": {{Text: "He says: " + secret}}}}
	if got := r.Input(in).Beside["T"][0].Text; got != "He says: "+stars(len(secret)) || in.Beside["T"][0].Text == got {
		t.Errorf("beside: %q", got)
	}
	for name, written := range map[string]string{
		"json":    `"Qin's \"son\" \u0026 heir\nis alive"`,
		"html":    `Qin&#39;s &#34;son&#34; &amp; heir&#xA;is alive`,
		"xml":     "Qin&apos;s &quot;son&quot; &amp; heir\nis alive",
		"csv":     "\"Qin's \"\"son\"\" & heir\r\nis alive\"",
		"escaped": `Qin\'s \"son\" \& heir is alive`,
	} {
		file := []export.File{{Name: name, Data: []byte(written)}}
		if err := r.Check(file); !errors.Is(err, export.ErrSecret) {
			t.Errorf("%s is not refused: %v", name, err)
		}
		if found := r.Found(file); len(found) != 1 || found[0] != "adu.heir" {
			t.Errorf("%s: found %v", name, found)
		}
		masked := r.Files(file)
		if err := r.Check(masked); err != nil || strings.Contains(string(masked[0].Data), "alive") {
			t.Errorf("%s is not masked: %s, %v", name, masked[0].Data, err)
		}
	}
}

func stars(n int) string {
	out := ""
	for range n {
		out += "*"
	}
	return out
}
