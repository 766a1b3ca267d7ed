package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be fabula, for scripts and for child processes.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"fabula": func() { os.Exit(run(os.Args[1:])) },
	})
}

// TestScripts runs one txtar per command; each gets an empty home.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "interrupts": interrupts, "talks": talks, "private": private},
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for _, v := range []string{"HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
				env.Setenv(v, filepath.Join(home, v))
			}
			env.Setenv("LANG", "en_US.UTF-8")
			return os.MkdirAll(home, 0o755)
		},
	})
}
