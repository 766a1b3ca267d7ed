package tui_test

import "testing"

// Ensure that a line that begins with a slash does what its command says, that
// what cannot be done keeps the text, and that two slashes are said with one.
func TestSlashCommands(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	b.Wait("Adu")
	b.say("one", "water")
	command := func(line, words string) {
		t.Helper()
		b.Type(line)
		b.Press("enter")
		b.Wait(words)
		b.idle()
		b.Exact(80, 24)
	}
	command("/retry", "alt 2/2")
	command("/branch low water", "low water")
	command("/to qin", "> @Qin")
	b.Press("ctrl+u", "ctrl+u")
	command("/to qin where is he", "you  @Qin where is he")
	command("/goto nowhere", "no node \"nowhere\" in this world")
	b.Wait("> /goto nowhere")
	b.Press("ctrl+u")
	command("/goto shop", "Drawers up to the beams")
	command("/set trust=4", "The shop")
	command("/set trust", "needs more")
	b.Press("ctrl+u")
	command("/engine nosuch", "there are lamplighter")
	b.Press("ctrl+u")
	command("/engine lamplighter", "lamplighter answers from now on")
	command("/engine", "the best engine there is")
	command("/undo", "back at turn")
	command("/redo", "again")
	command("/retri", "did you mean /retry?")
	b.Press("ctrl+u")
	command("//hello", "you  /hello")
	if got := b.steps(t); got[len(got)-1].Alternative.State.Vars["trust"].Int != 4 {
		t.Errorf("/set left trust at %v", got[len(got)-1].Alternative.State.Vars["trust"])
	}
}
