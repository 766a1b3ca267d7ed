package sets_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/story/lab/sets"
	"fabula/worlds"
)

func demo(t *testing.T) *worlds.World {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// text is all that an engine is sent.
func text(s sets.Sample) string {
	var b strings.Builder
	for _, m := range s.Messages {
		b.WriteString(strings.Join(m.Parts, ""))
	}
	return b.String()
}

// Ensure that a persona of the demo has samples in both languages, that no
// prompt holds the reply that it asks for as a sample or as history, and that
// two runs give the same.
func TestAuthored(t *testing.T) {
	w, o := demo(t), sets.Options{Personas: []string{"ling"}}
	all, err := sets.Authored(w.Script, o)
	if err != nil {
		t.Fatal(err)
	}
	count, ids := map[string]int{}, map[string]bool{}
	for _, s := range all {
		count[s.Persona+" "+s.Language]++
		if ids[s.ID] {
			t.Errorf("%s comes twice", s.ID)
		}
		ids[s.ID] = true
		last := s.Messages[len(s.Messages)-1]
		if s.Reply == "" || last.Role != engine.User || s.Messages[0].Role != engine.System {
			t.Errorf("%s: %q after %v", s.ID, s.Reply, last)
		}
		if len([]rune(s.Reply)) > 12 && s.Source != sets.FromLine && strings.Contains(text(s), s.Reply) {
			t.Errorf("%s: the prompt holds the reply %q", s.ID, s.Reply)
		}
	}
	for _, lang := range w.Script.Languages {
		if n := count["ling "+lang]; n < 30 {
			t.Errorf("%d samples in %s", n, lang)
		}
	}
	again, err := sets.Authored(w.Script, o)
	if err != nil || len(again) != len(all) {
		t.Fatal(err)
	}
	for i := range again {
		if all[i].ID != again[i].ID || all[i].Hash() != again[i].Hash() {
			t.Fatalf("sample %d is %s and %s", i, all[i].ID, again[i].ID)
		}
	}
}

// Ensure that a choice of languages and personas is kept to.
func TestAuthoredChosen(t *testing.T) {
	all, err := sets.Authored(demo(t).Script, sets.Options{Languages: []string{"en"}, Personas: []string{"ling"}})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d samples, %v", len(all), err)
	}
	for _, s := range all {
		if s.Language != "en" || s.Persona != "ling" || strings.ContainsFunc(s.Reply, func(r rune) bool { return r >= 0x4e00 && r < 0xa000 }) {
			t.Errorf("%s of %s in %s: %q", s.ID, s.Persona, s.Language, s.Reply)
		}
	}
}

// Ensure that a file gives back what was written, and that lines which are no
// samples are refused by their number.
func TestFile(t *testing.T) {
	all, err := sets.Authored(demo(t).Script, sets.Options{Languages: []string{"zh"}, Personas: []string{"ling"}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sets.Write(&b, all[:20]); err != nil {
		t.Fatal(err)
	}
	lines := b.String()
	got, err := sets.Read(strings.NewReader(lines), "x")
	if err != nil || len(got) != 20 || got[7].Hash() != all[7].Hash() || got[7].ID != all[7].ID {
		t.Fatalf("%d samples, %v", len(got), err)
	}
	first := lines[:strings.Index(lines, "\n")+1]
	for name, bad := range map[string]string{
		"twice": first + first, "no JSON": first + "{\n", "no reply": first + `{"id":"a","persona":"p","messages":[{"role":"user","parts":["x"]}]}` + "\n",
		"a strange role": first + `{"id":"a","persona":"p","reply":"r","messages":[{"role":"boss","parts":["x"]}]}` + "\n",
	} {
		if _, err := sets.Read(strings.NewReader(bad), "x"); !errors.Is(err, sets.ErrSample) || !strings.HasPrefix(err.Error(), "x:2: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
