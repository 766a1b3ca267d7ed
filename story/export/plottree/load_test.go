package plottree_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export/played"
	"fabula/story/export/plottree"
)

// Ensure that what is not whole is refused, naming what is wrong.
func TestLoadRefuses(t *testing.T) {
	data, _ := document(t)
	if _, err := plottree.Load(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		old, new, want string
		sealed         bool
	}{
		"no JSON":        {`{`, ``, "", false},
		"format":         {"fabula-plot/1", "fabula-plot/9", "fabula-plot/9", false},
		"edited by hand": {"The front hall", "The back hall", "changed after the export", false},
		"unknown key":    {`"world":`, `"worlds":`, "worlds", false},
		"node":           {`"to": "kitchen"`, `"to": "kitchens"`, `"kitchens"`, true},
		"start":          {`"start": "hall"`, `"start": "hell"`, `"hell"`, true},
		"variable":       {`"var": "signed"`, `"var": "sighed"`, `"sighed"`, true},
		"tree":           {`"not",`, `"nut",`, `is no operation`, true},
	} {
		text := strings.Replace(string(data), c.old, c.new, 1)
		if text == string(data) {
			t.Fatalf("%s: nothing was changed", name)
		}
		if c.sealed {
			text = sealed(t, text)
		}
		if _, err := plottree.Load(strings.NewReader(text)); !errors.Is(err, plottree.ErrDocument) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sealed gives a changed document sound hashes.
func sealed(t *testing.T, text string) string {
	t.Helper()
	var d plottree.Document
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	data, err := plottree.Encode(&d)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A document comes through loading and writing unchanged, byte for byte.
func TestLoadedIsWrittenTheSame(t *testing.T) {
	data, _ := document(t)
	d, err := plottree.Load(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	again, err := plottree.Encode(d)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("loaded and written, the document differs (%v)", err)
	}
}

// Coverage counts what was played, and knows what never was.
func TestCoverage(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Text: "Who lit the lamp?"}, story.Input{Choose: "to_kitchen"}, story.Input{Choose: "to_hall"})
	d, err := plottree.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	c := d.Coverage
	if c.Turns != 3 || len(c.Branches) != 1 || c.Nodes["hall"] != 2 || c.Nodes["kitchen"] != 1 || c.Edges["hall.to_kitchen"] != 1 ||
		c.Beats["hall.asks_lamp"] != 1 || c.Lines["narration.hall.lamps"] != 1 {
		t.Errorf("coverage is %+v", c)
	}
	if n, known := c.Nodes["ridge"]; n != 0 || !known {
		t.Errorf("the ridge was reached %d times, known %v", n, known)
	}
}

func ExampleLoad() {
	text := `{"format":"fabula-plot/2"}`
	if _, err := plottree.Load(strings.NewReader(text)); err != nil {
		fmt.Println(err)
	}
	// Output: no sound fabula-plot/1: format is "fabula-plot/2"
}

// Whatever is read, Load gives a document or an error, and no panic.
func FuzzLoad(f *testing.F) {
	f.Add(`{"format":"fabula-plot/1"}`)
	f.Add(`{"format":"fabula-plot/1","start":"a","nodes":[{"id":"a","when":{"src":"x","ast":["and",["lit",true],["var","x"]]}}]}`)
	f.Add(`{"format":"fabula-plot/1","edges":[{"effects":[{"ast":["call"]}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := plottree.Load(strings.NewReader(text))
		if (d == nil) == (err == nil) {
			t.Errorf("document %v, error %v", d, err)
		}
	})
}
