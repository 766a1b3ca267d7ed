package promote_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/story/export"
	"fabula/story/export/played"
	"fabula/story/plot"
	"fabula/story/promote"
	"fabula/worlds"
)

func request(in export.Input, from, to int) promote.Request {
	return promote.Request{Script: in.Script, Branch: in.Branches[0], Numbers: in.Numbers, From: from, To: to}
}

// loaded is the demo world with a patch; it has no error that it had not before.
func loaded(t *testing.T, p *promote.Patch) *worlds.World {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	with, err := w.With([]worlds.AddedFile{{Name: "plot/" + p.Name, Data: p.Text}})
	if err != nil {
		t.Fatalf("%v in\n%s", err, p.Text)
	}
	for _, f := range check.Examine(with.Script, space.Limits{States: 20000}).Findings {
		if f.Level == lint.Error {
			t.Errorf("%s: %s %v in\n%s", f.Pos, f.Code, f.Args, p.Text)
		}
	}
	return with
}

// What was said freely becomes choices, one after the other, each there once,
// and choosing them plays the replies word for word.
func TestTalkBecomesChoices(t *testing.T) {
	for lang, said := range map[string][2]string{"en": {"Good evening: \"quiet\" # night?", "It's\nlate, 'friend'."}, "zh": {"晚上好：# 安静", "夜\n深了。"}} {
		in := played.Turns(t, lang, story.Input{Text: said[0]}, story.Input{Text: said[1]})
		p, err := promote.Make(request(in, 0, 2))
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Lines) != 2 || p.Lines[0].ID != "laozhou.hall.l0100" || len(p.Skipped) != 1 || p.Skipped[0].Why.Code != promote.NoteOpening {
			t.Fatalf("lines %+v, skipped %+v", p.Lines, p.Skipped)
		}
		s := loaded(t, p).Script
		st := s.Initial()
		s.Enter(&st, "hall", lang)
		var read []string
		for i := range 2 {
			offers := s.Offers(st, lang)
			k := slices.IndexFunc(offers, func(o plot.Offer) bool { return o.Label == said[i] && o.Open })
			if k < 0 {
				t.Fatalf("%s: %q is not offered among %+v", lang, said[i], offers)
			}
			if i == 0 && slices.ContainsFunc(offers, func(o plot.Offer) bool { return o.Label == said[1] && o.Open }) {
				t.Errorf("%s: the second line is offered before the first", lang)
			}
			for _, l := range s.Take(&st, offers[k].Exit, "choice", lang).Lines {
				read = append(read, l.ID+" "+l.Text)
			}
		}
		for i, want := range []string{"laozhou.hall.l0100 " + in.Branches[0].Steps[1].Alternative.Text, "laozhou.hall.l0200 " + in.Branches[0].Steps[2].Alternative.Text} {
			if i >= len(read) || read[i] != want {
				t.Errorf("%s: read %q, want %q", lang, read, want)
			}
		}
		if offers := s.Offers(st, lang); slices.ContainsFunc(offers, func(o plot.Offer) bool { return o.Open && (o.Label == said[0] || o.Label == said[1]) }) {
			t.Errorf("%s: what was said is offered again", lang)
		}
	}
}

// A reply to what made a beat happen is a line of the beat, one after an exit a
// line of entering; both carry what is known to have held.
func TestConditionsFromTheState(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "My name is Shen Lu."}, story.Input{Text: "Good evening.", Choose: "to_kitchen"})
	p, err := promote.Make(request(in, 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Lines) != 2 {
		t.Fatalf("lines: %+v, skipped: %+v", p.Lines, p.Skipped)
	}
	beat, entered := p.Lines[0], p.Lines[1]
	if beat.At != "beat:signs_name" || !strings.Contains(beat.When, "signed") || strings.Contains(beat.When, "not signed") {
		t.Errorf("the line of the beat: at %s, when %s", beat.At, beat.When)
	}
	if entered.At != "enter" || entered.Node != "kitchen" || !strings.Contains(entered.When, `exit("hall.to_kitchen")`) || !strings.Contains(entered.When, `beat("hall.signs_name")`) || !strings.Contains(entered.When, "visits == 1") {
		t.Errorf("the line of entering: %+v", entered)
	}
	loaded(t, p)
}

// Braces that an authored text would fill in become parentheses; words of which
// no choice can be made, and a reply that follows nothing, are named and left out.
func TestNeverAnotherMeaning(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Good evening."}, story.Input{Text: "What is {this}?"}, story.Input{Text: "I am { Player }."})
	p, err := promote.Make(request(in, 1, 3))
	if err != nil || len(p.Lines) != 3 {
		t.Fatalf("%v, %+v", err, p)
	}
	for _, l := range p.Lines {
		if !strings.HasPrefix(l.At, "exit:says_") {
			t.Errorf("%s is played at %s", l.ID, l.At)
		}
	}
	for i, row := range strings.Split(string(p.Text), "\n") {
		if turn, ok := p.Turn(i + 1); strings.Contains(row, "What is (this)?") && (turn != 2 || !ok) {
			t.Errorf("%q is of turn %d", row, turn)
		}
	}
	for _, want := range []string{`en: "What is (this)?"`, `en: "I am ( Player )."`, promote.WhyBraces} {
		if !strings.Contains(string(p.Text), want) {
			t.Errorf("no %s in\n%s", want, p.Text)
		}
	}
	loaded(t, p)
	for code, input := range map[string]story.Input{promote.NoteWords: {Text: "\xff"}, promote.NoteAlone: {Next: true}} {
		in.Branches[0].Steps[2].Turn.Input = input
		if p, err := promote.Make(request(in, 2, 3)); err != nil || len(p.Lines) != 1 || p.Skipped[0].Turn != 2 || p.Skipped[0].Why.Code != code {
			t.Errorf("%s: %v, %+v", code, err, p)
		}
	}
}

func TestRefuses(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"})
	reply := &in.Branches[0].Steps[1].Alternative
	was := reply.Text
	for name, c := range map[string]struct {
		text, node, want string
		is               error
	}{
		"secret":      {in.Script.Persona("laozhou").Secrets[0].Text.In("en"), "", "locked", promote.ErrHeld},
		"placeholder": {"Good evening, {player}.", "", "{player}", promote.ErrHeld},
		"cast":        {was, "ridge_nowhere", "no node", promote.ErrHeld},
		"absent":      {was, "upstairs", "not in the cast", promote.ErrHeld},
	} {
		reply.Text = c.text
		r := request(in, 1, 1)
		r.Node = c.node
		if _, err := promote.Make(r); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "main@1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	reply.Text = was
	for _, span := range [][2]int{{0, 0}, {2, 2}, {1, 9}, {-1, 1}} {
		if _, err := promote.Make(request(in, span[0], span[1])); !errors.Is(err, promote.ErrNothing) {
			t.Errorf("%v: %v", span, err)
		}
	}
}

// A line that was put elsewhere has an id of its own there.
func TestElsewhere(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Good evening."})
	r := request(in, 1, 1)
	r.Node = "third_watch"
	p, err := promote.Make(r)
	if err != nil {
		t.Fatal(err)
	}
	if l := p.Lines[0]; l.ID != "laozhou.third_watch.hall_l0100" || l.Node != "third_watch" {
		t.Errorf("the line is %+v", l)
	}
	loaded(t, p)
}

// What was promoted is authored then: the plot tree holds it once, with where it
// was recorded, and it is not promoted again.
func TestPromotedOnce(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Good evening."})
	p, err := promote.Make(request(in, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	in.Script = loaded(t, p).Script
	again, err := promote.Make(request(in, 1, 1))
	if !errors.Is(err, promote.ErrNothing) || again.Skipped[0].Why.Code != promote.NoteAlready {
		t.Errorf("%v, %+v", err, again)
	}
}

// Whatever was said, the file loads and says the same.
func FuzzPatch(f *testing.F) {
	in := played.Talk(f, "en", []string{"x", "y"})
	step := &in.Branches[0].Steps[1]
	for _, s := range played.Hostile(60) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		step.Turn.Input.Text, step.Alternative.Text = text, text
		p, err := promote.Make(request(in, 1, 1))
		if err != nil {
			return
		}
		nodes, faults := plot.Load(source.File{Name: p.Name, Data: p.Text})
		if len(faults) > 0 || len(nodes) != 1 {
			t.Fatalf("%v in\n%s", faults, p.Text)
		}
		if got := nodes[0].Lines[0].Text.In("en"); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	})
}

// Ensure that an author's `or` stays together beside other conditions, however it
// is spaced.
func TestJoin(t *testing.T) {
	for want, sources := range map[string][]string{
		"not a and (b or c)":  {"not a", "b or c"},
		"not a and (b\nor c)": {"not a", "b\nor c"},
		"not a and (b or(c))": {"not a", "b or(c)"},
		"order > 1 and door":  {"order > 1", "door"},
		"b or c":              {"b or c"},
	} {
		if got := promote.Join(sources...); got != want {
			t.Errorf("%q: %q, want %q", sources, got, want)
		}
	}
}
