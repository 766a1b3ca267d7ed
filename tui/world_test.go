package tui_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine"
	"fabula/engine/scripted"
	"fabula/story"
	"fabula/story/playtest"
	"fabula/story/plot"
	"fabula/story/store"
	"fabula/tui"
	"fabula/tui/keymap"
	"fabula/tui/screen/engines"
	"fabula/tui/uitest"
	"fabula/worlds"
)

// ferry is a small world in two languages with everything a screen can show:
// authored lines, a beat, a closed exit, a question, an ending.
var ferry = fstest.MapFS{
	"world.yaml": {Data: []byte(`world: ferry
title: {zh: 渡口, en: The Ferry}
languages: [en, zh]
player:
  name: {zh: 客官, en: traveller}
  brief: a traveller
state:
  herbs: {type: int, min: 0, max: 3, default: 1}
  trust: {type: int, min: 0, max: 5, default: 0}
  sold: {type: bool, default: false}
start: landing
taboo: [phone]
cues:
  emotion: [wary]
  action: [nod, sigh]
sampling: {temperature: 0.7, max_tokens: 160}
`)},
	"personas/adu.yaml": {Data: []byte(`persona: adu
name: {zh: 阿渡, en: Adu}
brief: {zh: 摆渡人, en: the ferryman}
voice: Short sentences.
style_samples:
  - player: Cross?
    reply: Look at the water.
greeting:
  zh: 上船？
  en: Coming aboard?
`)},
	"personas/qin.yaml": {Data: []byte(`persona: qin
name: {zh: 秦三, en: Qin}
brief: {zh: 药铺伙计, en: the herbalist's boy}
voice: Talks too much.
style_samples:
  - player: Hello
    reply: Hello yourself.
`)},
	"plot/act1.yaml": {Data: []byte(`nodes:
  - node: landing
    title: {zh: 渡口, en: The landing}
    scene: {place: landing, time: dusk}
    cast: [adu, qin]
    lines:
      - line: rain
        at: enter
        text: {zh: 雨下了一整天。, en: It has rained all day.}
      - line: asks
        at: enter
        by: adu
        text: {zh: 要三钱柴胡。, en: Three qian of herbs.}
        cues: [sigh]
    beats:
      - beat: gives
        when: herbs >= 1
        detect: {any: [柴胡给你, here are the herbs]}
        effects: [herbs -= 1, trust += 1]
    exits:
      - exit: to_shop
        to: shop
        choice: {zh: 去药铺, en: To the shop}
      - exit: aboard
        to: boat
        when: trust > 2
        choice: {zh: 上船, en: Go aboard}
      - exit: tells
        to: shop
        said: {any: [地窖, cellar]}
        choice: {zh: 说出地窖, en: Tell of the cellar}
        confirm:
          by: qin
          text:
            zh: 此话当真？
            en: You would swear to that?
        effects: [sold = true]
  - node: shop
    title: {zh: 药铺, en: The shop}
    cast: [qin]
    lines:
      - line: shelves
        at: enter
        text: {zh: 药柜一直顶到梁上。, en: Drawers up to the beams.}
    exits:
      - exit: back
        to: landing
        choice: {zh: 回渡口, en: Back to the landing}
      - exit: leave
        to: boat
        choice: {zh: 就此离开, en: Leave for good}
  - node: boat
    title: {zh: 船上, en: On the water}
    cast: [adu]
    ending: {kind: neutral}
`)},
}

const replies = `engine lamplighter
window 4096
languages en zh

reply
  match "slow"
  prefill 40 0 20ms
  text "One " 5ms
  text "word " 30s
reply
  match "break"
  prefill 10 0 5ms
  text "Half a " 5ms
  fault "device lost"
reply
  match "nothing"
  refuse "no memory"
reply
  match "灯"
  prefill 90 30 40ms
  say "（擦着茶碗，没抬头）灯？这镇上的灯，都是狐狸点的，客官信么？" 12ms
reply
  match "phone"
  prefill 60 90 20ms
  say "My phone? *nods* Never." 4ms
reply
  prefill 120 0 100ms
  say "Look at the water. It knows." 10ms
reply
  prefill 20 100 30ms
  say "*sighs* Ask somebody else." 8ms
`

type rungs []engine.Rung

func (r rungs) Rungs(engine.Ask) iter.Seq[engine.Rung] { return slices.Values(r) }

// bench is a workbench under test.
type bench struct {
	*uitest.Driver
	session *story.Session
	clock   *uitest.Clock
	dir     string
	save    func()
	model   tea.Model
	tree    *store.Store
}

type setting struct {
	out    string // folder that the export dialog offers
	w, h   int
	lang   string
	dir    string
	theme  string
	ascii  bool
	status tui.Status
	asked  bool // status is as given
	files  fstest.MapFS
	world  string // folder that files are written to and read from, as an author's are
	// standIn: an engine called spare serves what the first refuses.
	standIn bool
	speak   string        // asked for at the start
	engine  engine.Engine // answers; nil = the scripted one
	engines story.Engines // answer; nil = the one above
	serves  func() tui.Status
	bell    func()
	keys    []keymap.Entry
	tour    bool
	keeper  engines.Keeper            // of engines
	wrap    func(tea.Model) tea.Model // stands between the driver and the workbench
}

// open opens a workbench on the ferry with the scripted engine.
func open(t testing.TB, s setting) *bench {
	t.Helper()
	if s.dir == "" {
		s.dir = t.TempDir()
	}
	if s.w == 0 {
		s.w, s.h = 80, 24
	}
	if !s.asked {
		s.status = tui.Status{Name: "lamplighter"}
	}
	if s.theme == "" {
		s.theme = "none"
	}
	if s.files == nil {
		s.files = ferry
	}
	world, reload := s.load(t)
	eng, err := scripted.Parse([]byte(replies))
	if err != nil {
		t.Fatal(err)
	}
	if s.engine != nil {
		eng = s.engine
	}
	tree, err := store.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	ladder := rungs{{Engine: eng, Step: "full"}}
	if s.standIn {
		spare, err := scripted.Parse([]byte("engine spare\nreply\n  say \"Well.\" 4ms\n"))
		if err != nil {
			t.Fatal(err)
		}
		ladder = append(ladder, engine.Rung{Engine: spare, Step: "spare"})
	}
	var answer story.Engines = ladder
	if s.engines != nil {
		answer = s.engines
	}
	if s.serves == nil {
		s.serves = func() tui.Status { return s.status }
	}
	clock := uitest.NewClock()
	session, err := story.New(story.Config{Script: world.Script, Reload: reload, Store: tree, Engines: answer, Now: clock.Now, Language: s.lang})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{session: session, clock: clock, dir: s.dir, tree: tree}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		b.close(t)
		if notes, _ := filepath.Glob(filepath.Join(b.dir, "crash-*.txt")); len(notes) > 0 {
			note, err := os.ReadFile(notes[0])
			t.Errorf("the workbench crashed: %s %v", note, err)
		}
	})
	m, save := tui.NewModel(ctx, tui.Options{Name: "ferry", Dir: s.world, StateDir: s.dir, Voter: "mei", Session: session, Lang: s.lang, Speak: s.speak, Theme: s.theme, Keys: s.keys, Tour: s.tour, ASCII: s.ascii,
		Now: clock.Now, Status: func(string) tui.Status { return s.serves() }, Bell: s.bell, Playtests: func() ([]*playtest.Playtest, error) { return world.Playtests, nil }, Export: exporter(s.out, world), Engines: s.keeper, Engine: func(name string) error {
			if name == "nosuch" {
				return errors.New("no such engine; there are lamplighter")
			}
			return nil
		}})
	b.save, b.model = save, m
	if s.wrap != nil {
		m = s.wrap(m)
	}
	b.Driver = uitest.New(t, m, clock, s.w, s.h)
	return b
}

// load reads the world: from memory, or from a folder, which then is read again
// before every turn.
func (s *setting) load(t testing.TB) (world *worlds.World, reload func() (*plot.Script, error)) {
	t.Helper()
	world, err := worlds.OpenFS(s.files, "ferry")
	if s.world != "" {
		if err := os.CopyFS(s.world, s.files); err != nil {
			t.Fatal(err)
		}
		world, err = worlds.Open(s.world)
		now := world
		reload = func() (*plot.Script, error) {
			next, _, err := now.Reload()
			if err == nil {
				now = next
			}
			return now.Script, err
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return world, reload
}

func (b *bench) close(t testing.TB) {
	if b.session == nil {
		return
	}
	if err := b.session.Close(); err != nil {
		t.Error(err)
	}
	b.session = nil
}

// say types a line, sends it and waits for words of the reply.
func (b *bench) say(line, words string) {
	b.Type(line)
	b.Press("enter")
	b.Wait(words)
	b.idle()
}

// idle waits until no reply is in flight and the path was read again.
func (b *bench) idle() {
	b.Settle()
	b.Until("the reply's end", func() bool { return !tui.Busy(b.model) })
	b.Settle()
}
