package plot_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"fabula/personas/source"
	"fabula/story/plot"
)

// Integers stop at the ends of their domain after every assignment, and at the
// ends of int on the way.
func TestSaturates(t *testing.T) {
	amount := rapid.OneOf(rapid.IntRange(-5, 5), rapid.SampledFrom([]int{math.MaxInt, -math.MaxInt, math.MaxInt - 1}))
	rapid.Check(t, func(t *rapid.T) {
		node := &plot.Node{ID: "n"}
		want := 0
		for range rapid.IntRange(0, 8).Draw(t, "effects") {
			n := amount.Draw(t, "n")
			op := rapid.SampledFrom([]string{"+=", "-=", "="}).Draw(t, "op")
			node.OnEnter = append(node.OnEnter, plot.Effect{Do: source.Cond{Src: fmt.Sprintf("day %s %d", op, n)}})
			want = model(want, op, n)
		}
		s := &plot.Script{Start: "n", Nodes: []*plot.Node{node}, Vars: []*plot.Variable{{ID: "day", Kind: plot.Int, Max: 7, Default: plot.IntValue(0)}}}
		if faults := plot.Compile(s); len(faults) > 0 {
			t.Fatal(told(faults))
		}
		st := s.Initial()
		if s.Enter(&st, "n", "en"); st.Vars["day"] != plot.IntValue(want) {
			t.Fatalf("day is %v, want %d", st.Vars["day"], want)
		}
	})
}

// model is saturating arithmetic in a wider type.
func model(x int, op string, n int) int {
	y := float64(n)
	switch op {
	case "+=":
		y = float64(x) + float64(n)
	case "-=":
		y = float64(x) - float64(n)
	}
	return int(max(0, min(7, y)))
}

// Playing on in a clone leaves the original as it was, and a state survives
// being stored.
func TestCloneIndependent(t *testing.T) {
	s := ferry(t)
	rapid.Check(t, func(t *rapid.T) {
		st := s.Initial()
		s.Enter(&st, "landing", "en")
		for range rapid.IntRange(0, 6).Draw(t, "before") {
			step(t, s, &st)
		}
		before := stored(t, st)
		next := st.Clone()
		if stored(t, next) != before {
			t.Fatal("a clone differs")
		}
		for range rapid.IntRange(1, 6).Draw(t, "after") {
			step(t, s, &next)
		}
		if after := stored(t, st); after != before {
			t.Fatalf("the original changed:\n%s\n%s", before, after)
		}
		var back plot.State
		if err := json.Unmarshal([]byte(before), &back); err != nil || stored(t, back) != before {
			t.Fatalf("stored and read: %v %s", err, stored(t, back))
		}
	})
}

func stored(t *rapid.T, st plot.State) string {
	data, err := json.Marshal(st)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// step takes one turn: some text, some reply, perhaps an open exit.
func step(t *rapid.T, s *plot.Script, st *plot.State) {
	s.CountTurn(st)
	s.PlayerBeats(st, rapid.SampledFrom([]string{"柴胡给你", "hm", "盐在地窖"}).Draw(t, "say"), "en")
	if offers := s.Offers(*st, "en"); len(offers) > 0 {
		if o := rapid.SampledFrom(offers).Draw(t, "choose"); o.Open {
			s.Take(st, o.Exit, "choice", "en")
		}
	}
	reply := rapid.SampledFrom([]string{"herbs", "The salt is in the cellar.", "no"}).Draw(t, "reply")
	s.NPCBeats(st, "adu", reply, "en")
	s.Anchors(st, "adu", reply, "en")
	s.ToldSecrets(st, "adu", reply)
}

// What closes an exit is a condition of the script, and an open exit leads
// where it says.
func TestOffersAreHonest(t *testing.T) {
	s := ferry(t)
	rapid.Check(t, func(t *rapid.T) {
		st := s.Initial()
		s.Enter(&st, "landing", "en")
		for range rapid.IntRange(0, 8).Draw(t, "turns") {
			step(t, s, &st)
		}
		for _, o := range s.Offers(st, "en") {
			if !o.Open && o.Why == "" {
				t.Fatalf("%s is closed without a reason", o.ID)
			}
			next := st.Clone()
			if s.Take(&next, o.Exit, "choice", "en"); o.Open && !o.Exit.Stay && next.Node != o.To {
				t.Fatalf("%s leads to %s", o.ID, next.Node)
			}
		}
	})
}
