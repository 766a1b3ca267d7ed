package qa_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export/played"
	"fabula/story/export/qa"
)

func TestFiles(t *testing.T) {
	hostile := "# 1. *stars* [link](x) <b> `code`\n- item | & ~ \\ \x07 你好"
	in := played.Turns(t, "en", story.Input{Text: hostile}, story.Input{Choose: "to_kitchen"})
	files, err := qa.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	var turns []map[string]any
	for s := bufio.NewScanner(bytes.NewReader(files[0].Data)); s.Scan(); {
		var turn map[string]any
		if err := json.Unmarshal(s.Bytes(), &turn); err != nil {
			t.Fatalf("%v in %s", err, s.Bytes())
		}
		turns = append(turns, turn)
	}
	if len(turns) != 3 {
		t.Fatalf("%d turns, want the opening and two", len(turns))
	}
	if got := turns[1]["player"].(map[string]any)["text"]; got != hostile {
		t.Errorf("the player's line is %q", got)
	}
	for _, key := range []string{"id", "parent", "branch", "state_before", "state_after", "node", "alternative", "reply"} {
		if _, ok := turns[1][key]; !ok {
			t.Errorf("turn 1 has no %q", key)
		}
	}
	reply := turns[1]["reply"].(map[string]any)
	for _, key := range []string{"engine", "seed", "prompt_hash", "persona", "ttft_ms", "gaps_ms", "sampling"} {
		if _, ok := reply[key]; !ok {
			t.Errorf("the reply has no %q", key)
		}
	}
	node := func(turn map[string]any, state string) any { return turn[state].(map[string]any)["node"] }
	if node(turns[0], "state_before") != "" || node(turns[2], "state_before") != "hall" || node(turns[2], "state_after") != "kitchen" {
		t.Errorf("turn 2 leads from %v to %v", node(turns[2], "state_before"), node(turns[2], "state_after"))
	}
	if exits := turns[2]["exits"].([]any); len(exits) != 1 {
		t.Errorf("turn 2 has exits %v", exits)
	}
	checkMarkdown(t, string(files[1].Data))
}

// Text of a player must stay text: nothing in it may become Markdown.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	for _, want := range []string{`\# 1. \*stars\* \[link\](x) \<b\> \` + "`code" + `\` + "`", `\- item \| \& \~ \\ \u0007 你好`, "exit `hall.to_kitchen`"} {
		if !strings.Contains(text, want) {
			t.Errorf("the Markdown lacks %s:\n%s", want, text)
		}
	}
}
