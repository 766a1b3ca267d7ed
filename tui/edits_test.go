package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Ensure that an edit of a persona marks the branches whose prompts it changed,
// with the reason, on every list of branches, and that taking it back takes the
// mark away.
func TestEditsMarkBranches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, who, reply, words string
		w, h                    int
	}{
		{"en", "Adu", "water", "turn 1 would get another prompt now: persona", 80, 24},
		{"en", "Adu", "water", "turn 1 would get another prompt now", 200, 60},
		{"zh", "阿渡", "water", "第 1 轮现在的提示词不同了：角色", 120, 40},
	} {
		t.Run(c.lang, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			b := open(t, setting{world: dir, lang: c.lang, w: c.w, h: c.h})
			b.Wait(c.who)
			b.say("here are the herbs", c.reply)
			file := filepath.Join(dir, "personas", "adu.yaml")
			good := string(ferry["personas/adu.yaml"].Data)
			write := func(s string) {
				t.Helper()
				if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
					t.Fatal(err)
				}
				when := time.Now().Add(time.Duration(len(s)) * time.Second)
				if err := os.Chtimes(file, when, when); err != nil {
					t.Fatal(err)
				}
			}
			marked := func(key, sign string) {
				t.Helper()
				b.Press(key)
				b.Wait(sign)
				if key != "f5" && b.Row(c.words) == "" { // there it takes several rows
					t.Errorf("%s: no %q:\n%s", key, c.words, b.Plain())
				}
				b.Exact(c.w, c.h)
			}
			b.Press("f2")
			if strings.Contains(b.Plain(), "~") {
				t.Fatalf("marked before any edit:\n%s", b.Plain())
			}
			write(strings.Replace(good, "Short sentences.", "Long and winding sentences.", 1))
			b.Wait(c.words)
			marked("f2", "~ landing-1")
			marked("f6", "~[landing-1]")
			if c.w == 200 {
				marked("f5", "~ turn 1")
			}
			write(good)
			for _, key := range []string{"f5", "f6", "f2"} {
				b.Press(key)
				b.Until("the mark to go", func() bool { return !strings.Contains(b.Plain(), "~") })
			}
		})
	}
}
