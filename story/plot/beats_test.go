package plot_test

import (
	"testing"

	"fabula/story/plot"
)

// "player beats of the node (all detected first, then effects in document
// order, each seeing the last)"
func TestBeatsDetectedFirst(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    beats:
      - {beat: one, detect: {any: [go]}, effects: [herbs += 1]}
      - {beat: two, detect: {any: [go]}, when: herbs == 0, effects: [{do: day = 10, when: herbs == 1}]}
      - {beat: three, detect: {any: [go]}, when: herbs == 1, effects: [day = 99]}
      - {beat: four, detect: {any: [go]}, when: 'not beat("landing.one")', effects: [{do: trust_adu = 2, when: 'beat("landing.one")'}]}
    lines:
      - {line: x, at: "beat:one", text: "now {herbs}", by: adu}
`)
	st := begin(t, s, "landing")
	fired := s.PlayerBeats(&st, "let us go", "en")
	if got := beats(fired); got != "landing.one landing.two landing.four" {
		t.Errorf("fired %s", got)
	}
	if st.Vars["day"] != plot.IntValue(10) || st.Vars["trust_adu"] != plot.IntValue(2) {
		t.Errorf("effects see the last: %v", st.Vars)
	}
	if f := fired[0]; f.By != "player" || f.Evidence.Quote != "go" || f.Evidence.Rule != "any 1: go" || said(f.Lines) != "now 1" || len(f.Changes) != 1 {
		t.Errorf("fired %+v", f)
	}
}

// "`once` per path, others once a turn"
func TestBeatsOnce(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    cast: [adu]
    beats:
      - {beat: ever, once: true, speaker: any, detect: {any: [go]}}
      - {beat: each, speaker: any, detect: {any: [go]}}
    exits: [{exit: on, to: landing}]
`)
	st := begin(t, s, "landing")
	turn := func(player, npc string) string {
		s.CountTurn(&st)
		return beats(s.PlayerBeats(&st, player, "en")) + " | " + beats(s.NPCBeats(&st, "adu", npc, "en"))
	}
	before := st.Clone()
	if got := turn("go", "go"); got != "landing.ever landing.each | " {
		t.Errorf("first turn: %s", got)
	}
	if got := turn("no", "we go"); got != " | landing.each" {
		t.Errorf("second turn: %s", got)
	}
	s.Take(&st, s.Exit("landing.on"), "choice", "en")
	if got := turn("go", ""); got != "landing.each | " {
		t.Errorf("re-entry resets nothing: %s", got)
	}
	if st.Beats["landing.each"] != 3 || st.Beats["landing.ever"] != 1 || st.TurnsTotal != 3 || st.Turns != 1 {
		t.Errorf("counts %+v", st)
	}
	if got := beats(s.PlayerBeats(&before, "go", "en")); got != "landing.ever landing.each" {
		t.Errorf("siblings do not share beats: %s", got)
	}
}

// "speaker: player | npc | <persona> | any"
func TestBeatSpeaker(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    cast: [adu, qin]
    beats:
      - {beat: p, detect: {any: [go]}}
      - {beat: n, speaker: npc, detect: {any: [go]}}
      - {beat: a, speaker: ferryman, detect: {any: [go]}}
      - {beat: x, speaker: any, detect: {any: [go]}}
`)
	for by, want := range map[string]string{
		"player": "landing.p landing.x", "adu": "landing.n landing.a landing.x", "qin": "landing.n landing.x",
	} {
		st := begin(t, s, "landing")
		fired := s.NPCBeats(&st, by, "go", "en")
		if got := beats(fired); got != want {
			t.Errorf("%s: %s, want %s", by, got, want)
		}
		if fired[0].By != by {
			t.Errorf("by %s", fired[0].By)
		}
	}
}

// A beat without `detect` happens when its condition holds; one that only a
// judging model can see does not happen here; nothing happens without text.
func TestBeatWithoutWords(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    beats:
      - {beat: dusk, when: turns >= 2, once: true}
      - {beat: judged, detect: {judge: the player hands over the herbs}}
`)
	st := begin(t, s, "landing")
	for i, want := range []string{"", "landing.dusk", ""} {
		s.CountTurn(&st)
		if got := beats(s.PlayerBeats(&st, "hm", "en")); got != want {
			t.Errorf("turn %d: %q, want %q", i+1, got, want)
		}
	}
	st = begin(t, s, "landing")
	st.Turns = 5
	if got := s.PlayerBeats(&st, "", "en"); got != nil {
		t.Errorf("fired %s without text", beats(got))
	}
}

// "At an ending, talk may go on as an epilogue without beats."
func TestEnding(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    exits: [{exit: on, to: end}]
  - node: end
    ending: {kind: good}
    cast: [adu]
    beats: [{beat: b, speaker: any, detect: {any: [go]}}]
    exits: [{exit: back, to: landing}]
`)
	st := begin(t, s, "landing")
	if st.Ended {
		t.Error("not ended yet")
	}
	s.Take(&st, s.Exit("landing.on"), "choice", "en")
	if !st.Ended || s.PlayerBeats(&st, "go", "en") != nil || s.NPCBeats(&st, "adu", "go", "en") != nil {
		t.Errorf("ending: %+v", st)
	}
	s.Enter(&st, "landing", "en")
	if !st.Ended {
		t.Error("an ending was reached on this path")
	}
}
