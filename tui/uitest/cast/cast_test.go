package cast_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"fabula/tui/uitest/cast"
)

// Ensure that a recording holds a header and what the program wrote, in order and
// with whole characters, and that a script's mistake is named by its line.
func TestRecord(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	script := "# a guest\nwait name?\ntype 老周\nkey enter\nwait 你好，老周\n"
	c := exec.Command("sh", "-c", `printf 'name? '; read n; printf '你好，%s' "$n"; read n`)
	if err := cast.Record(c, 40, 5, strings.NewReader(script), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var head struct{ Version, Width, Height int }
	if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || head.Version != 2 || head.Width != 40 || head.Height != 5 {
		t.Errorf("header %s: %v", lines[0], err)
	}
	last, all := 0.0, ""
	for _, line := range lines[1:] {
		var event [3]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		at := event[0].(float64)
		if at < last || event[1] != "o" {
			t.Errorf("event %s after %v", line, last)
		}
		last, all = at, all+event[2].(string)
	}
	if !strings.Contains(all, "你好，老周") || strings.Contains(all, "\ufffd") {
		t.Errorf("recorded %q", all)
	}
	for wrong, want := range map[string]string{"key f99": "line 1", "look\n": "line 1", "\nshout x": "line 2"} {
		err := cast.Record(exec.Command("cat"), 40, 5, strings.NewReader(wrong), &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
