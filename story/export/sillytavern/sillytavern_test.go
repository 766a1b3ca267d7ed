package sillytavern_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"fabula/story"
	"fabula/story/export/played"
	"fabula/story/export/sillytavern"
)

// message is what SillyTavern reads of a line.
type message struct {
	User    string   `json:"user_name"`
	Name    string   `json:"name"`
	IsUser  *bool    `json:"is_user"`
	Text    *string  `json:"mes"`
	Sent    string   `json:"send_date"`
	Swipes  []string `json:"swipes"`
	SwipeID *int     `json:"swipe_id"`
	Info    []any    `json:"swipe_info"`
}

func read(t interface{ Fatalf(string, ...any) }, data []byte) []message {
	var out []message
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if len(out) > 0 && (m.IsUser == nil || m.Text == nil || m.Name == "" || m.Sent == "") {
			t.Fatalf("a message lacks a field: %s", line)
		}
		if m.Swipes != nil && (m.SwipeID == nil || *m.SwipeID >= len(m.Swipes) || m.Swipes[*m.SwipeID] != *m.Text || len(m.Info) != len(m.Swipes)) {
			t.Fatalf("swipes do not fit: %s", line)
		}
		out = append(out, m)
	}
	if out[0].User == "" || out[0].Text != nil {
		t.Fatalf("the header is %+v", out[0])
	}
	return out[1:]
}

// Ensure that 2,000 generated hostile texts and their alternatives come back
// word for word, the shown one where swipe_id says.
func TestHostileTexts(t *testing.T) {
	script, hostile, cases := played.Demo(t), played.Strange(true), 0
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostile, 20, 20).Draw(t, "texts")
		cases += len(texts)
		files, err := sillytavern.Files(played.Made(script, texts...))
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, files[0].Data)
		if len(got) != 2*len(texts) {
			t.Fatalf("%d messages of %d turns", len(got), len(texts))
		}
		for i, text := range texts {
			said, reply := got[2*i], got[2*i+1]
			if *said.Text != text || !*said.IsUser || *reply.Text != text || *reply.IsUser || reply.Swipes[1] != "And "+text || *reply.SwipeID != 0 {
				t.Fatalf("turn %d is %+v, %+v", i, said, reply)
			}
		}
	})
	t.Logf("%d texts", cases)
	if cases < 2000 {
		t.Errorf("only %d texts", cases)
	}
}

func TestPlayedDemo(t *testing.T) {
	in := played.Turns(t, "zh", story.Input{Text: "灯是谁点的？"}, story.Input{Choose: "to_kitchen"})
	in.Branches = append(in.Branches, in.Branches[0])
	in.Branches[0].Name, in.Branches[1].Name = "a/../b", "a/../B"
	files, err := sillytavern.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	if files[0].Name != "sillytavern/a____b.jsonl" || files[1].Name != "sillytavern/a____B-2.jsonl" {
		t.Errorf("files are %s and %s", files[0].Name, files[1].Name)
	}
	narrated := false
	for _, m := range read(t, files[0].Data) {
		narrated = narrated || m.Name == in.Script.Title.In("zh")
	}
	if !narrated {
		t.Error("no narration is in it")
	}
}
