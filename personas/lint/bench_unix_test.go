//go:build unix

package lint_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fabula/personas/lint"
)

// BenchmarkReply measures all rules on replies of the usual length; MB/s is to
// be above 1 a core.
func BenchmarkReply(b *testing.B) {
	for name, text := range map[string]string{
		"en": strings.Repeat("The water is high today, and the ferry stops at dusk; ask the miller. ", 8),
		"zh": strings.Repeat("今天水大，渡船黄昏就停，你去问磨坊的人吧，在下不知道。", 8),
	} {
		b.Run(name, func(b *testing.B) {
			in := jin(labelled{lang: name, text: text, before: []string{text[:90], text[90:180]}})
			in.Taboos, in.Watch = lint.NewTaboos(in.WorldTaboo, in.Persona.Taboo), lint.NewWatch(in.Locked)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				lint.Reply(in)
			}
			b.ReportMetric(float64(b.N*len(text))/1e6/(cpuTime()-start).Seconds(), "MB/cpu-s")
		})
	}
}

// cpuTime is what the process has used of its cores: on a busy machine the clock
// measures the others.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkGuard measures the guard at one token of four characters a time.
func BenchmarkGuard(b *testing.B) {
	data, err := os.ReadFile("testdata/cases/leak.txt")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "alt", "ilk")
	in := jin(labelled{lang: "en"})
	in.Locked = nil
	in.Taboos = lint.NewTaboos(in.WorldTaboo, in.Persona.Taboo)
	pieces := cut(text, rand.New(rand.NewPCG(3, 4)))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		stream(in, pieces, lint.CodeTaboo)
	}
}
