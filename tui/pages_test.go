package tui_test

import (
	"strings"
	"testing"
)

// Ensure that the header has the world, every screen and who serves in one row
// at every width, and names the screen in front.
func TestHeaderFits(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		for _, w := range []int{60, 80, 120, 200} {
			b := open(t, setting{w: w, h: 24, lang: lang})
			head := strings.SplitN(b.Plain(), "\n", 2)[0]
			for _, key := range []string{"F2", "F5", "F6"} {
				if !strings.Contains(head, key) {
					t.Errorf("%s %d: no %s in %q", lang, w, key, head)
				}
			}
			if front := map[string]string{"en": "[F5 Chat]", "zh": "[F5 对话]"}[lang]; !strings.Contains(head, front) || !strings.Contains(head, "lamp") {
				t.Errorf("%s %d: %q", lang, w, head)
			}
			b.Exact(w, 24)
		}
	}
}

// Ensure that esc and the key that showed it take help away, and that the screen
// below is as it was.
func TestHelpLiesOverTheScreen(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("unsent")
	for _, leave := range []string{"esc", "f1", "enter"} {
		b.Press("f1")
		b.Wait("Help: Chat")
		b.Press("G", leave)
		b.Wait("> unsent")
	}
	b.Press("f1", "f6")
	b.Wait("[F6 Tree]")
	if strings.Contains(b.Plain(), "Help:") {
		t.Errorf("help is still there:\n%s", b.Plain())
	}
	b.Press("esc")
	b.Wait("> unsent")
}
