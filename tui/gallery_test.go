package tui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fabula/tui"
	"fabula/tui/screen"
)

// everySize is every size that screens are drawn at: the smallest, then one for
// each number of panes.
var everySize = []struct{ w, h int }{{60, 16}, {80, 24}, {120, 40}, {200, 60}}

// picture is a screen, or what lies over one, and how a person comes to it.
// A test begins where the talk does, and calls shot where there is something to
// see; part tells the goldens of one picture apart.
type picture struct {
	name    string
	setting setting
	folder  bool // the world's files lie in a folder, as an author's do
	bare    bool // without the header, which is another picture's
	show    func(t *testing.T, b *bench, lang string, shot func(part string))
}

// gallery is everything that there is to see. A screen that is missing here fails
// TestGallery.
var gallery = []picture{
	{name: "", show: showTalk},
	{name: "chat", setting: setting{files: told()}, bare: true, show: showBehind},
	{name: "tour", setting: setting{tour: true}, show: func(_ *testing.T, b *bench, _ string, shot func(string)) {
		b.Press("ctrl+t")
		shot("")
	}},
	{name: "personas", show: func(_ *testing.T, b *bench, _ string, shot func(string)) {
		b.Press("f3")
		b.Wait("v1")
		shot("")
		b.Press("enter")
		shot("-prompt")
	}},
	{name: "plot", show: func(_ *testing.T, b *bench, _ string, shot func(string)) {
		b.say("here are the herbs", "water")
		b.Press("f4")
		shot("-graph")
	}},
	{name: "runs", setting: setting{files: tried()}, show: func(_ *testing.T, b *bench, lang string, shot func(string)) {
		b.Press("f7")
		b.Wait("herbs")
		b.Press("R")
		b.Wait("lost.yaml:5:13")
		b.Wait(map[string]string{"en": "done: ", "zh": "完成"}[lang])
		b.Press("j", "j") // the toast is read
		shot("")
	}},
	{name: "engines", setting: setting{keeper: stocked()}, show: func(t *testing.T, b *bench, _ string, shot func(string)) {
		b.say("here are the herbs", "water")
		b.took(t, "lamplighter", 0, 198*time.Millisecond, 31*time.Millisecond, 70)
		b.Press("f8")
		b.Wait("31")
		shot("")
		b.Press("j", "i")
		shot("-facts")
	}},
	{name: "compare", show: func(_ *testing.T, b *bench, _ string, shot func(string)) {
		b.say("here are the herbs", "water")
		b.Press("esc", "r")
		b.idle()
		b.say("two", "somebody")
		b.Press("f6")
		b.Settle()
		b.Press("g", "j", " ", "G", "c")
		b.Until("the comparison", func() bool {
			return strings.Contains(b.Plain(), "A landing-1") || strings.Contains(b.Plain(), "B landing-1")
		})
		shot("")
	}},
	{name: "vote", show: showVote},
	{name: "export", show: func(_ *testing.T, b *bench, _ string, shot func(string)) {
		b.say("here are the herbs", "water")
		b.Press("esc", "x")
		b.Wait("story.ink")
		shot("")
	}},
	{name: "promotion", folder: true, bare: true, show: func(_ *testing.T, b *bench, _ string, shot func(string)) {
		b.say("here are the herbs", "water")
		b.Press("esc", "P")
		b.Wait("plot/promoted_landing_1_1_1.yaml")
		b.Press("+")
		b.Wait("plot/promoted_landing_1_0_1.yaml")
		shot("-two")
		b.Press("-")
		b.Wait("plot/promoted_landing_1_1_1.yaml")
		shot("")
		before := b.session.Script().Hash
		b.Press("enter")
		b.Until("the world with the file", func() bool { return b.session.Script().Hash != before })
		b.Press("esc", "P")
		shot("-already")
	}},
	{name: "", show: func(_ *testing.T, b *bench, _ string, shot func(string)) {
		b.say("here are the herbs", "water")
		b.Press("ctrl+p")
		b.Type("retry")
		shot("palette")
		b.Press("ctrl+f")
		b.Type("herbs")
		shot("find")
		b.Press("ctrl+g")
		shot("record")
	}},
}

// showTalk is the talk from its first moment on, and where else a first evening
// leads.
func showTalk(_ *testing.T, b *bench, lang string, shot func(string)) {
	shot("opening")
	b.say("here are the herbs", "water")
	b.say(map[string]string{"en": "lit the 灯", "zh": "昨夜那盏灯是谁点的"}[lang], "狐狸")
	b.say("phone", "Never")
	shot("talk")
	b.Press("esc", "r")
	b.idle()
	b.Press("k")
	shot("reading")
	b.Press("i", "alt+1")
	b.Settle()
	shot("chosen")
	b.Press("f2")
	shot("world")
	b.Press("n")
	shot("language")
	b.Press("esc", "f6")
	shot("tree")
	b.Press("?")
	shot("help")
}

// showBehind is what is behind a turn, over the talk or beside it.
func showBehind(_ *testing.T, b *bench, lang string, shot func(string)) {
	b.say(map[string]string{"en": "here are the herbs", "zh": "柴胡给你"}[lang], "water")
	b.say("phone", "Never")
	shot("-talk")
	b.Press("esc", "s")
	shot("-state")
	b.Press("p")
	b.Wait("160")
	b.Press("j", "j", "j")
	shot("-prompt")
	b.Press("v")
	shot("-diff")
	b.Press("K", "L")
	shot("-recall")
	b.Press("F")
	shot("-findings")
	b.Press("esc", "0")
	shot("-choices")
}

// seen is which screens were drawn, by language and size.
type seen struct {
	mu   sync.Mutex
	all  map[string]map[screen.Name]bool
	done map[string]int // pictures that came to their end
}

func (s *seen) end(where string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[where]++
}

func (s *seen) note(where string, name screen.Name) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[where] == nil {
		s.all[where] = map[screen.Name]bool{}
	}
	s.all[where][name] = true
}

// Ensure that every screen of the table of pages, and everything that lies over
// one, is exactly as large as the window at every size, in both languages, and
// looks as it was agreed.
func TestGallery(t *testing.T) {
	t.Parallel()
	drawn := &seen{all: map[string]map[screen.Name]bool{}, done: map[string]int{}}
	t.Run("pictures", func(t *testing.T) {
		for i, p := range gallery {
			for _, lang := range []string{"en", "zh"} {
				for _, size := range everySize {
					where := fmt.Sprintf("%s-%dx%d", lang, size.w, size.h)
					t.Run(fmt.Sprintf("%d%s-%s", i, p.name, where), func(t *testing.T) {
						t.Parallel()
						p.draw(t, lang, size.w, size.h, where, drawn)
					})
				}
			}
		}
	})
	for where, names := range drawn.all {
		for _, name := range tui.Screens() {
			if drawn.done[where] == len(gallery) && !names[name] {
				t.Errorf("%s: no picture of %s", where, name)
			}
		}
	}
}

// draw opens a workbench and compares its pictures with their goldens.
func (p picture) draw(t *testing.T, lang string, w, h int, where string, drawn *seen) {
	s := p.setting
	s.w, s.h, s.lang = w, h, lang
	if p.folder {
		s.world = t.TempDir()
	}
	s.dir = sameLength(t, where)
	b := open(t, s)
	b.Wait(map[string]string{"en": "Adu", "zh": "阿渡"}[lang])
	p.show(t, b, lang, func(part string) {
		t.Helper()
		b.Settle()
		b.Exact(w, h)
		drawn.note(where, tui.Top(b.model))
		b.Golden(p.name+part+"-"+where, func(frame string) string {
			if p.bare {
				_, frame, _ = strings.Cut(frame, "\n")
			}
			return steady(frame, b.dir)
		})
	})
	drawn.end(where)
}

// sameLength makes a folder whose name is as long in every run and on every machine
// (so not in $TMPDIR): where a path is shown, a longer one would move what stands
// behind it.
func sameLength(t *testing.T, where string) string {
	t.Helper()
	for n := range 1000 {
		dir := filepath.Join("/tmp", fmt.Sprintf("fabula-%08d-%03d-%s", os.Getpid(), n, where))
		if os.Mkdir(dir, 0o700) == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			return dir
		}
	}
	t.Fatal("no folder can be made")
	return ""
}

var (
	drawnSeed = regexp.MustCompile(`(seed|种子) \d+`)
	// timed is the figures of a reply on one side of a comparison.
	timed = regexp.MustCompile(`((?:seed|种子) \d+  (?:ttft|首词元)) \d+ms[^│\n]*`)
	// counted is how many of how many are listed: a new row anywhere changes it.
	counted = regexp.MustCompile(`─+ \d+/\d+ ─`)
)

// steady replaces what differs from run to run: the store's folder, the seed.
func steady(frame, dir string) string {
	frame = strings.ReplaceAll(frame, dir, "STORE"+strings.Repeat(" ", len(dir)-5))
	frame = timed.ReplaceAllString(frame, "$1 TIMED")
	frame = drawnSeed.ReplaceAllString(frame, "$1 7")
	return counted.ReplaceAllString(frame, "─ N ─")
}
