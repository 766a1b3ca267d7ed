package main

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// place is one file or folder of fabula outside a world, with its use.
type place struct{ name, path, what string }

// places lists every place that fabula reads or writes outside a world folder.
func places() []place {
	return []place{
		{"config", filepath.Join(xdg.ConfigHome, "fabula"), "user configuration"},
		{"choices", choicesFile(), "engines in use and deadlines; 'fabula engines use' writes it"},
		{"keys", keysFile(), "keys of your own for the workbench, by action; 'fabula schema keys'"},
		{"remotes", remotesFile(), "remote servers; keys are in the environment or a keyring"},
		{"data", filepath.Join(xdg.DataHome, "fabula"), "models, stores of demo worlds"},
		{"rescued", rescueDir(), "stores whose folder vanished while they were open"},
		{"models", modelsDir(), "GGUF files"},
		{"drift", driftDir(), "the last 'fabula drift' of every engine, by world"},
		{"state", stateDir(), "log, last opened world"},
		{"log", logFile(), "what happened; no prompt text"},
		{"native", nativeLog(), "what llama.cpp and other native engines print"},
		{"cache", filepath.Join(xdg.CacheHome, "fabula"), "built llama.cpp; safe to delete"},
	}
}

func choicesFile() string { return filepath.Join(xdg.ConfigHome, "fabula", "engines.json") }
func modelsDir() string   { return filepath.Join(xdg.DataHome, "fabula", "models") }
func stateDir() string    { return filepath.Join(xdg.StateHome, "fabula") }
func nativeLog() string   { return filepath.Join(stateDir(), "native.log") }
func logFile() string     { return filepath.Join(stateDir(), "fabula.log") }
