package plot_test

import (
	"strings"
	"testing"

	"fabula/story/plot"
)

// Each test below carries a sentence of the formats' section on one turn.

// "Start. Defaults → --set → enter(--node or start)."
func TestStart(t *testing.T) {
	s := ferry(t)
	st := s.Initial()
	if st.Node != "" || st.Vars["day"] != plot.IntValue(0) || st.Vars["weather"] != plot.EnumValue("clear") {
		t.Fatalf("initial state %+v", st)
	}
	if err := s.Set(&st, "day", "7"); err != nil {
		t.Fatal(err)
	}
	s.Enter(&st, s.Start, "en")
	if st.Node != "landing" || st.Vars["day"] != plot.IntValue(8) {
		t.Fatalf("after entering: %+v", st)
	}
}

// "enter(N): set node, count the visit, on_enter in order, then lines at enter
// whose `when` holds"
func TestEnterOrder(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    on_enter:
      - day = visits
      - do: herbs = day
        when: visits == 1
      - do: herbs = 3
        when: day == 2
    lines:
      - {line: b, text: "herbs {herbs}", when: herbs == 1}
      - {line: a, text: "day {day}", by: adu}
      - {line: never, text: no, when: day == 0}
      - {line: later, text: no, at: "exit:on"}
    exits: [{exit: on, to: landing}]
`)
	st := s.Initial()
	lines, changes := s.Enter(&st, "landing", "en")
	if got := said(lines); got != "herbs 1 / day 1" {
		t.Errorf("lines %q", got)
	}
	if len(changes) != 2 || changes[0].Var != "day" || changes[1].Var != "herbs" || changes[1].After != plot.IntValue(1) {
		t.Errorf("changes %+v", changes)
	}
	if lines[0].ID != "narration.landing.b" || lines[1].ID != "adu.landing.a" || lines[1].By != "adu" {
		t.Errorf("ids %q %q", lines[0].ID, lines[1].ID)
	}
	st.Turns = 4
	s.Enter(&st, "landing", "en")
	if st.Visits["landing"] != 2 || st.Turns != 0 || st.Vars["herbs"] != plot.IntValue(3) {
		t.Errorf("second visit: %+v", st)
	}
}

// "a persona's `greeting` only where none does and it has not greeted on this
// path"
func TestGreeting(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    cast: [adu, {npc: qin, when: day > 0}]
    lines: [{line: cold, text: Rain., when: visits == 2}]
    exits: [{exit: on, to: landing}]
`)
	st := s.Initial()
	first, _ := s.Enter(&st, "landing", "zh")
	if said(first) != "上船，客官？" || first[0].ID != "adu.greeting" || first[0].Kind != "greeting" {
		t.Errorf("first visit: %+v", first)
	}
	sibling := st.Clone()
	if err := s.Set(&st, "day", "1"); err != nil {
		t.Fatal(err)
	}
	if lines, _ := s.Enter(&st, "landing", "en"); said(lines) != "Rain." {
		t.Errorf("a line holds, yet: %q", said(lines))
	}
	if lines, _ := s.Enter(&st, "landing", "en"); said(lines) != "Well?" {
		t.Errorf("qin has not greeted: %q", said(lines))
	}
	if lines, _ := s.Enter(&st, "landing", "en"); len(lines) != 0 {
		t.Errorf("both have greeted: %q", said(lines))
	}
	if sibling.Greeted["qin"] != 0 {
		t.Error("a sibling shares the greeting")
	}
}

// "first = what NPCs speak unless --speak or a persona says otherwise": also in
// what is written for it, while narration keeps to the playthrough's language.
func TestPersonaSpeaksItsOwn(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    cast: [adu]
    lines:
      - {line: rain, at: beat:greets, text: {zh: 雨。, en: Rain.}}
      - {line: look, at: beat:greets, by: adu, text: {zh: 看水。, en: Look.}}
    beats: [{beat: greets, detect: {any: [hello]}}]
    anchors: [{id: herbs, by: adu, detect: {any: [herbs]}, after: 1, line: {zh: 柴胡。, en: Herbs.}}]
    exits: [{exit: on, to: landing, said: {any: [bye]}, confirm: {by: adu, text: {zh: "真走？", en: "Sure?"}}}]
`)
	s.Persona("adu").Speaks = "zh"
	st := s.Initial()
	lines, _ := s.Enter(&st, "landing", "en")
	s.CountTurn(&st)
	lines = append(lines, s.PlayerBeats(&st, "Hello", "en")[0].Lines...)
	lines = append(lines, s.Anchors(&st, "adu", "Hm.", "en")...)
	question, _ := s.Question(st, s.Exit("landing.on"), "en")
	if got := said(append(lines, question)); got != "上船，客官？ / Rain. / 看水。 / 柴胡。 / 真走？" {
		t.Errorf("said %q", got)
	}
}

// "Never chains." An open auto exit of the node entered is not taken.
func TestEnterNeverChains(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    exits: [{exit: on, to: far, auto: true}]
  - node: far
    exits: [{exit: on, to: landing, auto: true}]
`)
	st := begin(t, s, "landing")
	taken := s.Take(&st, s.Auto(st), "auto", "en")
	if st.Node != "far" || taken.Exit != "landing.on" || taken.By != "auto" {
		t.Errorf("at %s after %+v", st.Node, taken)
	}
}

// "Open exit. Its `when` holds now, and the target's `when` holds after the
// exit's effects."
func TestOpenExit(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    exits:
      - {exit: shut, to: far, when: herbs > 2}
      - {exit: pays, to: far, choice: Pay, effects: [day = 5]}
      - {exit: poor, to: far, choice: Walk}
      - {exit: again, to: once}
  - node: far
    title: Far away
    when: day == 5
  - node: once
    when: visits == 0
    exits: [{exit: back, to: landing}]
`)
	st := begin(t, s, "landing")
	got := offers(s, st)
	want := "shut:Far away:closed:herbs > 2 pays:Pay:open: poor:Walk:closed:day == 5 again:again:open:"
	if got != want {
		t.Errorf("offers\n got %s\nwant %s", got, want)
	}
	if st.Vars["day"] != plot.IntValue(0) || len(st.Exits) != 0 {
		t.Errorf("looking at exits changed the state: %+v", st)
	}
	s.Take(&st, s.Exit("landing.again"), "choice", "en")
	s.Take(&st, s.Exit("once.back"), "choice", "en")
	if got := offers(s, st); !strings.HasSuffix(got, "again:again:closed:visits == 0") {
		t.Errorf("`visits` of a target's `when` are the target's: %s", got)
	}
}

// offers writes id:label:open:why.
func offers(s *plot.Script, st plot.State) string {
	var out []string
	for _, o := range s.Offers(st, "en") {
		state := "closed"
		if o.Open {
			state = "open"
		}
		out = append(out, o.ID+":"+o.Label+":"+state+":"+o.Why)
	}
	return strings.Join(out, " ")
}

// "`otherwise`: one a node, no `when`, open only if no other is."
func TestOtherwise(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    exits:
      - {to: way_out, otherwise: true}
      - {exit: pays, to: far, when: herbs > 0}
      - {exit: says, to: far, when: day > 0, said: {any: [now]}}
      - {exit: slips, to: far, when: trust_adu > 0, auto: true}
  - node: way_out
  - node: far
`)
	for set, want := range map[string]string{
		"herbs=0":     "way_out:way_out:open: pays:pays:closed:herbs > 0",
		"herbs=1":     "pays:pays:open:",
		"day=1":       "pays:pays:closed:herbs > 0",
		"trust_adu=1": "pays:pays:closed:herbs > 0",
	} {
		if got := offers(s, begin(t, s, "landing", set)); got != want {
			t.Errorf("%s: got %s, want %s", set, got, want)
		}
	}
}

// "Exits are offered (label = `choice`, else the target's title, else its id)
// or spoken (`said`); `auto: true` is taken by itself after a reply."
func TestExitKinds(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    exits:
      - {exit: a, to: far, choice: "Go, {player}"}
      - {exit: b, to: far}
      - {exit: c, to: bare}
      - {exit: d, to: far, said: {any: [on foot]}}
      - {exit: e, to: far, said: {any: [by boat]}, choice: By boat}
      - {exit: f, to: far, auto: true, when: day == 1}
  - node: far
    title: {en: Far away, zh: 远方}
  - node: bare
`)
	st := begin(t, s, "landing")
	if got, want := offers(s, st), "a:Go, traveller:open: b:Far away:open: c:c:open: e:By boat:open:"; got != want {
		t.Errorf("offers %s, want %s", got, want)
	}
	if e, ev, ok := s.Spoken(st, "I'll walk ON  FOOT then"); !ok || e.ID != "d" || ev.Quote != "ON  FOOT" {
		t.Errorf("spoken: %v %+v %v", e, ev, ok)
	}
	if e, _, ok := s.Spoken(st, "By boat, on foot"); !ok || e.ID != "d" {
		t.Errorf("the first in file order: %v", e)
	}
	if _, _, ok := s.Spoken(st, "football"); ok {
		t.Error("nothing was said")
	}
	if s.Auto(st) != nil {
		t.Error("the auto exit is closed")
	}
	st = begin(t, s, "landing", "day=1")
	if e := s.Auto(st); e == nil || e.ID != "f" {
		t.Errorf("auto: %v", e)
	}
}

// "then an exit: chosen, or spoken. … Exit effects, `lines` at exit,
// enter(target)."
func TestTakeOrder(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    lines:
      - {line: leaves, at: "exit:on", text: "leaving with {herbs}", when: 'exit("landing.on")'}
      - {line: stays, at: "exit:other", text: no}
    exits:
      - {exit: on, to: far, effects: [herbs = 2, {do: herbs = 3, when: herbs == 2}]}
      - {exit: other, to: far}
  - node: far
    on_enter: [day = herbs]
    lines: [{line: arrives, text: "arriving on {day}"}]
`)
	st := begin(t, s, "landing")
	st.Turns, st.Confirm = 3, "on"
	taken := s.Take(&st, s.Exit("landing.on"), "choice", "en")
	if got := said(taken.Lines); got != "leaving with 3 / arriving on 3" {
		t.Errorf("lines %q", got)
	}
	if len(taken.Changes) != 3 || taken.Changes[2].Var != "day" || st.Exits["landing.on"] != 1 || st.Node != "far" {
		t.Errorf("taken %+v in %+v", taken, st)
	}
	if st.Turns != 0 || st.Confirm != "" || st.Visits["far"] != 1 {
		t.Errorf("a new visit begins: %+v", st)
	}
}

// "stay: true — an option that stays; no entry effects, no visit"
func TestStay(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing")
	st.Turns = 2
	taken := s.Take(&st, s.Exit("landing.buys"), "choice", "en")
	if st.Node != "landing" || st.Visits["landing"] != 1 || st.Turns != 2 || st.Vars["day"] != plot.IntValue(1) {
		t.Errorf("state %+v", st)
	}
	if st.Vars["herbs"] != plot.IntValue(1) || len(taken.Changes) != 1 || len(taken.Lines) != 0 {
		t.Errorf("taken %+v", taken)
	}
	for range 2 {
		s.Take(&st, s.Exit("landing.buys"), "choice", "en")
	}
	if open, why := s.Open(s.Exit("landing.buys"), st); open || why != "herbs < 3" {
		t.Errorf("open %v %q", open, why)
	}
}

// "with `confirm` first the question, taken on a yes: 是, 对, 好, yes, y;
// anything else declines"
func TestConfirm(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing")
	s.Enter(&st, "landing", "en")
	e, ev, ok := s.Spoken(st, "我说，盐就在地窖。")
	if !ok || e.ID != "sells" || ev.Quote != "盐就在地窖" || ev.Rule != "all 1: 盐; all 2: 地窖" {
		t.Fatalf("spoken %v %+v", ok, ev)
	}
	q, ok := s.Question(st, e, "zh")
	if !ok || q.Text != "此话当真？" || q.By != "qin" || q.ID != "qin.landing.sells.confirm" || q.Kind != "confirm" {
		t.Errorf("question %+v", q)
	}
	if _, ok := s.Question(st, s.Exit("landing.to_shop"), "zh"); ok {
		t.Error("nothing to ask")
	}
	for input, want := range map[string]bool{
		"是": true, "对。": true, "好！": true, "yes": true, "Y": true, " Yes. ": true, "ＹＥＳ": true, "“好”": true,
		"": false, "不是": false, "是吗": false, "yesterday": false, "no": false, "好像": false, "yes but no": false, "对不起": false,
	} {
		if s.Yes(input) != want {
			t.Errorf("yes(%q) = %v", input, !want)
		}
	}
}

// "then the first open `auto` exit, at most one"
func TestAuto(t *testing.T) {
	s := world(t, `
nodes:
  - node: landing
    exits:
      - {exit: a, to: far, auto: true, when: day == 1}
      - {exit: b, to: far, auto: true, when: turns >= 1}
      - {exit: c, to: far, auto: true}
  - node: far
    when: herbs == 0
`)
	st := begin(t, s, "landing")
	if e := s.Auto(st); e == nil || e.ID != "c" {
		t.Errorf("auto %v", e)
	}
	s.CountTurn(&st)
	if e := s.Auto(st); e == nil || e.ID != "b" {
		t.Errorf("auto %v", e)
	}
	if e := s.Auto(begin(t, s, "landing", "herbs=1")); e != nil {
		t.Errorf("the target cannot be entered, yet %v", e.ID)
	}
}

// "who may answer comes from the node's cast"
func TestCast(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing")
	if got := cast(s, st); got != "adu" {
		t.Errorf("first visit: %s", got)
	}
	s.Enter(&st, "landing", "en")
	if got := cast(s, st); got != "adu qin" {
		t.Errorf("second visit: %s", got)
	}
	if goal := s.Cast(st)[1].Goal.In("en"); goal != "change the subject" {
		t.Errorf("goal %q", goal)
	}
	if got := cast(s, plot.State{Node: "gone"}); got != "" {
		t.Errorf("unknown node: %s", got)
	}
}

func cast(s *plot.Script, st plot.State) string {
	var out []string
	for _, m := range s.Cast(st) {
		out = append(out, m.NPC)
	}
	return strings.Join(out, " ")
}
