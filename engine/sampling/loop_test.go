package sampling_test

import (
	"hash/fnv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine/sampling"
)

// tokens turns text into ids the way a word tokeniser would.
func tokens(text string) []int32 {
	var ids []int32
	for _, word := range strings.Fields(text) {
		h := fnv.New32a()
		h.Write([]byte(word))
		ids = append(ids, int32(h.Sum32()>>1))
	}
	return ids
}

// firstLoop gives how many tokens were read when the loop was seen, or 0.
func firstLoop(ids []int32) (int, sampling.Loop) {
	var l sampling.Loop
	for i, id := range ids {
		if l.Add(id) {
			return i + 1, l
		}
	}
	return 0, l
}

func TestLoopPassesNaturalText(t *testing.T) {
	tests := map[string]string{
		"prose": `The lamp was lit before I came down, and nobody will say by whom. I asked the ferryman, I asked the girl
			who sells chestnuts, I asked the priest. The ferryman said it was the wind. The girl said it was the fox. The priest
			said nothing at all, and then he said it again, louder.`,
		"refrain": strings.Repeat("row home row home the night is long and the river longer ", 2),
		"laugh":   strings.Repeat("哈 ", 23),
		"stammer": "no no no no no I did not I did not I did not see him I swear I swear",
		"list":    "one fox is one fox two foxes are two foxes three foxes are three foxes four foxes are four foxes five foxes are five",
	}
	for name, text := range tests {
		if at, l := firstLoop(tokens(text)); at != 0 {
			t.Errorf("%s: loop of %d seen after %d tokens", name, l.Period(), at)
		}
	}
}

func TestLoopFindsRepeats(t *testing.T) {
	long := make([]int32, 4*64)
	for i := range long {
		long[i] = int32(i % 64)
	}
	tests := map[string]struct {
		ids           []int32
		period, after int
	}{
		"one token":     {tokens(strings.Repeat("ha ", 40)), 1, 24},
		"two tokens":    {tokens("she said " + strings.Repeat("ho hum ", 30)), 2, 2 + 24},
		"sentence":      {tokens("Well then. " + strings.Repeat("I am the keeper of the lamp and the lamp keeps me. ", 5)), 12, 2 + 36},
		"long sentence": {long, 64, 3 * 64},
	}
	for name, test := range tests {
		at, l := firstLoop(test.ids)
		if at != test.after || l.Period() != test.period {
			t.Errorf("%s: period %d after %d tokens, want %d after %d", name, l.Period(), at, test.period, test.after)
		}
	}
}

func TestLoopIsOverWhenBroken(t *testing.T) {
	var l sampling.Loop
	for range 30 {
		l.Add(4)
	}
	if l.Period() != 1 || l.Add(5) || l.Period() != 0 {
		t.Errorf("after another token: period %d", l.Period())
	}
}

// The detector agrees with its own definition, checked the slow way.
func TestLoopMatchesDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Int32Range(0, 2), 0, 120).Draw(t, "ids")
		unit := rapid.SliceOfN(rapid.Int32Range(0, 2), 1, 70).Draw(t, "unit")
		for range rapid.IntRange(0, 4).Draw(t, "times") {
			ids = append(ids, unit...)
		}
		var l sampling.Loop
		for n := range ids {
			if got, want := l.Add(ids[n]), loops(ids[:n+1]); got != want {
				t.Fatalf("after %v: %v, want %v", ids[:n+1], got, want)
			}
		}
	})
}

func loops(ids []int32) bool {
	for p := 1; p <= 64; p++ {
		span := max(3*p, 24)
		if len(ids) < span {
			continue
		}
		same := true
		end := ids[len(ids)-span:]
		for i := p; i < len(end); i++ {
			same = same && end[i] == end[i-p]
		}
		if same {
			return true
		}
	}
	return false
}
