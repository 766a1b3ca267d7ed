package tui_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
)

// told is the ferry with lore, words for what the player is like, and a scene
// with weather and sound.
func told() fstest.MapFS {
	files := maps.Clone(ferry)
	edit := func(name, old, new string) {
		files[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(files[name].Data), old, new, 1))}
	}
	edit("world.yaml", "  trust: {type: int, min: 0, max: 5, default: 0}\n", `  trust:
    type: int
    min: 0
    max: 5
    default: 0
    words:
      "trust >= 1": {zh: 客官帮过人, en: the traveller has helped}
`)
	edit("plot/act1.yaml", "scene: {place: landing, time: dusk}", "scene: {time: {zh: 黄昏, en: dusk}, weather: {zh: 雨, en: rain}, music: guqin}")
	files["lore/river.yaml"] = &fstest.MapFile{Data: []byte("entries:\n  - id: river\n    keys: [herbs, 柴胡]\n    text: {zh: 柴胡长在对岸。, en: Herbs grow on the far bank.}\n")}
	edit("personas/adu.yaml", "greeting:", "secrets:\n  - id: brother\n    text: {zh: 他弟弟在山里。, en: His brother is in the hills.}\n    unlock: trust >= 2\ngreeting:")
	return files
}

// Ensure that the inspector shows state with what changed it, the prompt as it
// was sent with tokens and sources, the lore that fired by which words, and the
// findings of the branch, one of which leads to its turn.
func TestInspector(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40, files: told()})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.say("phone", "Never")
	b.Press("esc", "k", "s")
	b.Wait("[state]")
	b.Wait("trust          0→1 by landing.gives")
	b.Wait("locked until trust >= 2")
	b.Press("p")
	b.Wait("[prompt]")
	b.Wait("kept for the reply")
	b.Wait("lore.river · “herbs”")
	b.Press("L")
	b.Wait("Herbs grow on the far bank.")
	b.Wait("because of “herbs”")
	b.Press("F")
	b.Wait("turn 2")
	b.Wait("phone")
	b.Press("enter")
	b.Wait(">  you  phone")
	b.Press("esc", "f9")
	if strings.Contains(b.Plain(), "[findings]") {
		t.Errorf("F9 did not hide it:\n%s", b.Plain())
	}
	b.Exact(120, 40)
}

// Ensure that prompts are compared with the one before of the same speaker, and
// that what no engine can tell is said.
func TestInspectorComparesPrompts(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 80, h: 24, files: told()})
	b.Wait("Adu")
	b.say("hello", "water")
	b.say("here are the herbs", "Ask")
	b.Press("esc", "p")
	b.Wait("inspect")
	b.Wait("kept for the reply")
	b.Press("v")
	b.Wait("against turn 1")
	b.Wait("+")
	b.Press("o")
	b.Wait("marks are not known")
	b.Exact(80, 24)
	b.Press("f9")
	b.Wait("reading")
}

// Ensure that a segment that is switched off is not sent, and that the reply says
// so beside the one that had it.
func TestWhatIf(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40, files: told()})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Press("esc", "p")
	b.Wait("kept for the reply")
	b.Press("r")
	b.Wait("switch a segment off first")
	b.Press("j", " ")
	b.Wait("switched off: persona")
	b.Press("r")
	b.Wait("alt 2/2")
	b.idle()
	b.Wait("without persona")
	last := b.steps(t)[1].Alternative.Reply
	if len(last.Without) != 1 || last.Without[0].Kind != "persona" {
		t.Errorf("stored without %v", last.Without)
	}
}

// Ensure that undo and redo walk through what was done, and say so.
func TestUndoAndRedo(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.Press("esc", "m")
	b.Wait("* ")
	b.Press("u")
	b.Wait("mark and title are as they were")
	b.idle()
	b.Press("u")
	b.Wait("back at turn 0")
	b.idle()
	if b.Row("you  one") != "" {
		t.Errorf("the undone turn still shows:\n%s", b.Plain())
	}
	b.Press("u")
	b.Wait("nothing to undo")
	b.Press("U")
	b.Wait("you  one")
	b.idle()
	b.Press("U")
	b.Wait("set again")
	b.Wait("* ")
	b.Press("U")
	b.Wait("nothing to redo")
}

// Ensure that a reply is edited by hand beside the old one, and marked.
func TestEditReply(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	b.Press("esc", "E")
	b.Wait("changing a reply")
	b.Wait("> Look at the water. It knows.")
	b.Press("ctrl+u")
	b.Type("Go home.")
	b.Press("enter")
	b.Wait("alt 2/2")
	b.idle()
	last := b.steps(t)[1].Alternative
	if !last.Human || last.Text != "Go home." {
		t.Errorf("%+v", last)
	}
	b.Press("u")
	b.Wait("alt 1/2")
}

// Ensure that a reply that was stopped goes on where it ended.
func TestContinueStopped(t *testing.T) {
	t.Parallel()
	b := open(t, setting{engine: &poet{held: make(chan struct{})}})
	b.Wait("Adu")
	b.Type("one")
	b.Press("enter")
	b.Wait("Look at the")
	b.Press("esc")
	b.Wait("stopped")
	b.idle()
	b.Press("esc", "C")
	b.Wait("streaming")
	b.Press("esc")
	b.idle()
	b.Wait("alt 2/2")
	b.Wait("goes on")
}

// Ensure that choices from the tenth on are reached by walking and by number.
func TestTwelveChoices(t *testing.T) {
	t.Parallel()
	files := maps.Clone(ferry)
	var exits strings.Builder
	for i := range 12 {
		fmt.Fprintf(&exits, "      - {exit: w%d, stay: true, choice: Wait for boat %d}\n", i+1, i+1)
	}
	files["plot/act1.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(string(ferry["plot/act1.yaml"].Data), "    exits:\n      - exit: to_shop\n", "    exits:\n"+exits.String()+"      - exit: to_shop\n", 1))}
	b := open(t, setting{files: files})
	b.Wait("Adu")
	b.Type("half a line")
	b.Press("alt+0")
	b.Wait("choices 1/15")
	b.Press("1", "2")
	b.Wait("choices 12/15 · number 12")
	b.Press("enter")
	b.Wait("Wait for boat 12 · chose")
	b.idle()
	b.Wait("> half a line")
	b.Press("esc", "0", "G", "k", "k")
	b.Wait("choices 13/15")
	b.Press("enter")
	b.Wait("Drawers up to the beams")
	b.Exact(80, 24)
}

// Ensure that stage directions are words of the play's language, in the talk and
// for a screen reader.
func TestCuesAreWords(t *testing.T) {
	t.Parallel()
	b := open(t, setting{lang: "zh"})
	b.Wait("（叹气）")
	b.say("phone", "*点头*")
	if strings.Contains(b.Plain(), "sigh") || strings.Contains(b.Plain(), "nod") {
		t.Errorf("ids on screen:\n%s", b.Plain())
	}
}

// Ensure that the line of scene and player stands where there is room, and folds.
func TestSceneLine(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40, files: told()})
	b.Wait("Adu")
	b.say("here are the herbs", "water")
	b.Wait("dusk · rain · guqin  you the traveller has helped (trust 1 of 1)")
	b.Press("esc", "z")
	if b.Row("the traveller has helped") != "" {
		t.Errorf("not folded:\n%s", b.Plain())
	}
	b.Resize(80, 24)
	b.Exact(80, 24)
	b.Press("z")
	b.Wait("dusk · rain · guqin")
}

// Ensure that the names of several are joined as the language does it.
func TestNamesAreJoined(t *testing.T) {
	t.Parallel()
	b := open(t, setting{lang: "zh"})
	b.Wait("阿渡")
	b.Type("@张三 你是谁")
	b.Press("enter")
	b.Wait("在场：阿渡、秦三")
}

// Ensure that a name is completed wherever it stands.
func TestNameIsCompletedInTheMiddle(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.Type("ask @q")
	b.Press("tab")
	b.Wait("> ask @Qin")
}
