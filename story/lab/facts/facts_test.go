package facts_test

import (
	"context"
	"testing"

	"fabula/story"
	"fabula/story/lab/facts"
	"fabula/story/store"
	"fabula/worlds"
)

// test plays the demo's facts of one NPC with prompts of a window.
func test(t *testing.T, npc, lang string, window int, turns ...int) []facts.Result {
	t.Helper()
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: w.Script, Store: tree, Engines: facts.Quiet{Window: window}, Language: lang})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []facts.Result
	err = facts.Run(context.Background(), s, facts.Options{NPC: npc, Language: lang, Turns: turns}, func(r facts.Result) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Ensure that what was told is in the prompt again, when the history no longer
// holds it too, that the newer of two facts counts, and that nothing comes from
// another branch, another listener or nowhere, in both languages.
func TestDemoRemembers(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		all := test(t, "laozhou", lang, 1600, 5, 40)
		forms, herbs, recalled := map[facts.Form]int{}, map[facts.Form]bool{}, false
		for _, r := range all {
			forms[r.Form]++
			herbs[r.Form] = herbs[r.Form] || r.Herbs
			if !r.Right {
				t.Errorf("%s: %+v", lang, r)
			}
			for _, where := range r.Where {
				recalled = recalled || where != "history"
			}
		}
		for _, f := range facts.Forms() {
			if forms[f] == 0 || f != facts.Updated && !herbs[f] {
				t.Errorf("%s: %s was asked %d times, herbs %v", lang, f, forms[f], herbs[f])
			}
		}
		if n := facts.Leaks(all); n != 0 {
			t.Errorf("%s: %d leaks", lang, n)
		}
		if !recalled {
			t.Errorf("%s: all of it was history, nothing was recalled", lang)
		}
	}
}

// Ensure that there are facts enough for as many distances as may be: none is told and
// then asked for as one that nobody was told.
func TestFactsForAllDistances(t *testing.T) {
	if n := facts.Leaks(test(t, "laozhou", "en", 4096, 3, 4, 5)); n != 0 || len(facts.Distances()) > facts.MostDistances {
		t.Errorf("%d leaks", n)
	}
}

// Ensure that what is missing, and what should be, shows in the rows.
func TestRows(t *testing.T) {
	yes, no := true, false
	all := []facts.Result{{Form: facts.Told, Turns: 10, In: true, Right: true, ReplyRight: &no}, {Form: facts.Told, Turns: 10},
		{Form: facts.Sibling, In: true}, {Form: facts.Never, Right: true, ReplyRight: &yes, Herbs: true}}
	rows := facts.Rows(all)
	if len(rows) != 5 || rows[0].Form != facts.Told || rows[0].Hits != 1 || rows[0].N != 2 || rows[1].Form != facts.Sibling || rows[1].Hits != 0 {
		t.Errorf("%+v", rows)
	}
	if last := rows[len(rows)-1]; !last.Reply || !last.Herbs || last.Hits != 1 {
		t.Errorf("%+v", last)
	}
	if facts.Leaks(all) != 1 {
		t.Error("a leak is not counted")
	}
}
