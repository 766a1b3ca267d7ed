package calibrate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fabula/engine"
	"fabula/story/lab/calibrate"
	"fabula/story/lab/sets"
)

// words make lines that are not alike.
var words = strings.Fields("lamp oil rain fox road herb salt snow ferry inn ledger ridge dawn silver child root lantern hollow spring autumn wolf bridge kettle brush")

func sample(persona string, i int) sets.Sample {
	var say []string
	for k := range 6 {
		say = append(say, words[(i*(k+3)+k*k+i/7)%len(words)])
	}
	return sets.Sample{ID: fmt.Sprintf("%s.%d", persona, i), Persona: persona, Node: []string{"a", "b", "c"}[i%3], Depth: i % 11, Language: "en", Source: sets.FromLine,
		Messages: []engine.Message{{Role: engine.User, Parts: []string{"the scene", fmt.Sprintf("line %d of %s about %s", i, persona, strings.Join(say, " "))}}},
		Reply:    strings.Join(say[:2+i%5], " ") + fmt.Sprint(" ", words[i%len(words)], i)}
}

func many(n int) []sets.Sample {
	var out []sets.Sample
	for i := range n {
		out = append(out, sample("much", i))
	}
	for i := range n / 20 {
		out = append(out, sample("rare", 1000+i))
	}
	return out
}

// Ensure that draws are as large as asked, that one who seldom speaks is there
// over the share, that nothing held out is in a draw, and that the same seed
// gives the same.
func TestChoose(t *testing.T) {
	o := calibrate.Options{Size: 120, Draws: 3, Seed: 7, Nodes: []string{"a", "b", "c"}}
	all := many(600)
	s, err := calibrate.Choose(all, o)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := calibrate.Choose(all, o)
	if !reflect.DeepEqual(s, again) {
		t.Error("two runs differ")
	}
	held := map[string]bool{}
	for _, x := range s.Holdout {
		held[x.ID], held[x.Persona+x.Reply] = true, true
	}
	for i, d := range s.Draws {
		seen, rare := map[string]bool{}, 0
		for _, x := range d.Samples {
			if seen[x.ID] || held[x.ID] || held[x.Persona+x.Reply] {
				t.Errorf("draw %d: %s is there twice, or held out", i, x.ID)
			}
			seen[x.ID] = true
			if x.Persona == "rare" {
				rare++
			}
		}
		n := len(d.Samples)
		if d.Frequent+d.Diverse+d.Hard != n || n < o.Size || d.Diverse != 30 || d.Hard != 18 {
			t.Errorf("draw %d: %d = %d + %d + %d", i, n, d.Frequent, d.Diverse, d.Hard)
		}
		if share := float64(rare) / float64(n); share < 0.08 {
			t.Errorf("draw %d: the rare have a share of %.3f, 0.048 of all", i, share)
		}
	}
	if len(s.Holdout) < 60 || reflect.DeepEqual(s.Draws[0].Samples, s.Draws[1].Samples) {
		t.Errorf("%d held out, or two draws are one", len(s.Holdout))
	}
	for _, x := range s.Strata {
		for d, n := range x.Draw {
			if n < min(2, x.Had) {
				t.Errorf("stratum %+v has %d of %d in draw %d", x.Key, n, x.Had, d)
			}
		}
	}
}

// Ensure that what was simulated, edited or said before in nearly the same words
// is left out, and counted.
func TestLeft(t *testing.T) {
	all := many(40)
	simulated, edited, same := sample("much", 100), sample("much", 101), sample("much", 3)
	simulated.Source, edited.Edited = sets.FromPlaytest, true
	same.ID, same.Reply = "again", strings.ToUpper(same.Reply)+"!"
	s, err := calibrate.Choose(append(all, simulated, edited, same), calibrate.Options{Size: 20})
	if err != nil || s.Left[calibrate.Simulated] != 1 || s.Left[calibrate.Edited] != 1 || s.Left[calibrate.Duplicate] != 1 {
		t.Errorf("%v, %v", s.Left, err)
	}
	if _, err := calibrate.Choose([]sets.Sample{simulated}, calibrate.Options{}); !errors.Is(err, calibrate.ErrNothing) {
		t.Errorf("nothing to choose from: %v", err)
	}
}

// Ensure that no sample is in two places, whatever there is to choose from.
func TestDisjoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := many(rapid.IntRange(8, 120).Draw(t, "n"))
		s, err := calibrate.Choose(all, calibrate.Options{Size: rapid.IntRange(8, 200).Draw(t, "size"), Seed: rapid.Uint64().Draw(t, "seed"), Draws: 1})
		if err != nil {
			t.Fatal(err)
		}
		place := map[string]int{}
		for _, x := range append(s.Draws[0].Samples, s.Holdout...) {
			place[x.ID]++
		}
		for id, n := range place {
			if n > 1 {
				t.Errorf("%s is chosen %d times", id, n)
			}
		}
		had := len(s.Holdout) + s.Left[calibrate.Duplicate]
		for _, x := range s.Strata {
			had += x.Had
		}
		if had > len(all) {
			t.Errorf("%d of %d", had, len(all))
		}
	})
}

// Ensure that a folder gives back what was written, keeps another set unless
// asked, and that hashes are those of the files.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cal")
	s, err := calibrate.Choose(many(100), calibrate.Options{Size: 30})
	if err != nil {
		t.Fatal(err)
	}
	m := &calibrate.Manifest{World: "w"}
	if err := s.Write(dir, m, false); err != nil {
		t.Fatal(err)
	}
	got, err := calibrate.Read(dir)
	if err != nil || got.Draws[0].ID != m.Draws[0].ID || len(got.Draws) != 3 || got.Draws[2].File != "samples-3.jsonl" || !strings.HasPrefix(got.Holdout.ID, "cal-") {
		t.Fatalf("%+v, %v", got, err)
	}
	held, err := sets.Holdout(dir)
	if err != nil || len(held) != got.Holdout.Samples {
		t.Errorf("%d held out, %v", len(held), err)
	}
	for _, f := range append(got.Draws, got.Holdout) {
		data, err := os.ReadFile(filepath.Join(dir, f.File))
		if sum := sha256.Sum256(data); err != nil || f.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s is not the file of its hash: %v", f.File, err)
		}
	}
	if err := s.Write(dir, m, false); err != nil {
		t.Errorf("the same set again: %v", err)
	}
	other, _ := calibrate.Choose(many(90), calibrate.Options{Size: 30, Seed: 5})
	if err := other.Write(dir, m, false); !errors.Is(err, calibrate.ErrExists) {
		t.Errorf("another set is written over the first: %v", err)
	}
	if err := other.Write(dir, m, true); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, calibrate.ManifestFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := calibrate.Read(dir); err == nil || !strings.Contains(err.Error(), calibrate.ManifestFile) {
		t.Errorf("a broken manifest: %v", err)
	}
}
