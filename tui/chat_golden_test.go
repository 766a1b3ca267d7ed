package tui_test

import (
	"fmt"
	"strings"
	"testing"
)

// Ensure that the chat, and what is laid over it or beside it, is exactly as large
// as the window at every size, in both languages, and looks as it was agreed.
func TestChatGoldens(t *testing.T) {
	t.Parallel()
	words := map[string]struct{ name, herbs, phone string }{
		"en": {"Adu", "here are the herbs", "phone"}, "zh": {"阿渡", "柴胡给你", "phone"},
	}
	for _, lang := range []string{"en", "zh"} {
		for _, size := range []struct{ w, h int }{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s-%dx%d", lang, size.w, size.h), func(t *testing.T) {
				t.Parallel()
				b := open(t, setting{w: size.w, h: size.h, lang: lang, files: told()})
				shot := func(name string) {
					t.Helper()
					b.Exact(size.w, size.h)
					b.Golden(fmt.Sprintf("chat-%s-%s-%dx%d", name, lang, size.w, size.h), func(frame string) string {
						_, screen, _ := strings.Cut(frame, "\n") // the header is the frame's
						return steady(screen, b.dir)
					})
				}
				say := words[lang]
				b.Wait(say.name)
				b.say(say.herbs, "water")
				b.say(say.phone, "Never")
				shot("talk")
				b.Press("esc", "s")
				shot("state")
				b.Press("p")
				b.Wait("160")
				b.Press("j", "j", "j")
				shot("prompt")
				b.Press("v")
				shot("diff")
				b.Press("K", "L")
				b.Settle()
				shot("recall")
				b.Press("F")
				shot("findings")
				b.Press("esc", "0")
				shot("choices")
			})
		}
	}
}
