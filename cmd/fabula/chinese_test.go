package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"fabula/worlds"
)

// untranslated are English words that a person finds in a Chinese line besides the
// names of commands: names, which are typed as they are written, and units.
var untranslated = strings.Fields(`fabula fox_lantern laozhou hall book signs_name threatens recall gguf config choices keys remotes data rescued
	state native cache GGUF llama cpp make prompt grounded free mine
	FILE WORLD NPC BRANCH TEXT DIR LANG json yaml id mmd xml html png csv excel Yarn Spinner Twine Twee SugarCube Graphviz Mermaid RFC swipe
	story played testplan plot transcript junit report manifest strings voice openai sharegpt preference`)

// named gives the names of a command, of all below it and of the formats of export.
func named(c *cobra.Command) []string {
	out := []string{c.Name()}
	for _, below := range c.Commands() {
		out = append(out, named(below)...)
	}
	return out
}

var (
	latin  = regexp.MustCompile(`[A-Za-z][A-Za-z_]{2,}`)
	quotes = regexp.MustCompile(`'[^']*'|"[^"]*"|“[^”]*”|/\S+|--[a-z-]+|\b[0-9A-Z]{20,}\b|[a-z_]+-[0-9]+`)
)

// Ensure that what the main commands say with --lang zh is Chinese, but for names.
func TestChineseCommands(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root, _ := newRoot()
	kept := slices.Concat(named(root), untranslated, worlds.Embedded())
	for _, f := range exportFormats {
		kept = append(kept, f.name)
	}
	fox, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range fox.Script.Nodes {
		kept = append(kept, n.ID)
	}
	for _, p := range fox.Playtests {
		kept = append(kept, p.ID)
	}
	dir := t.TempDir()
	fabula := func(args ...string) string {
		c := exec.Command(self, append(args, "--lang", "zh")...)
		c.Args[0], c.Dir = "fabula", dir
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir}
		out, _ := c.CombinedOutput() // some find something, which is a status
		return string(out)
	}
	fabula("say", "fox_lantern", "laozhou", "灯是谁点的？", "--engine", "recall")
	if err := os.WriteFile(filepath.Join(dir, "x.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"where", "branches broken", "find fox_lantern 没有这个", "find", "models", "models use nobody", "new mine", "census fox_lantern hall-1", "store check fox_lantern",
		"store list fox_lantern", "store frob fox_lantern", "lint fox_lantern", "engines rollback", "replay fox_lantern hall-1 --prompts", "replay fox_lantern", "check nowhere",
		"branches fox_lantern", "export fox_lantern --format ink --out ink",
		"beat fox_lantern hall-1@1 reject asks_lamp",
		"export fox_lantern --format frob --out out", "import card x.json", "play fox_lantern --jobs 0", "say fox_lantern nobody x", "show fox_lantern nowhere", "check --frob",
	} {
		out := fabula(strings.Fields(line)...)
		if out == "" {
			t.Errorf("%s says nothing", line)
		}
		for said := range strings.Lines(out) {
			for _, word := range latin.FindAllString(quotes.ReplaceAllString(said, ""), -1) {
				if !slices.Contains(kept, word) && !strings.Contains(line, word) {
					t.Errorf("fabula %s --lang zh: %q in %s", line, word, said)
					break
				}
			}
		}
	}
}
