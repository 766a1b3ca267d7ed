// Command record plays a script to a program in a terminal and writes an asciicast
// to standard output:
//
//	go run ./tui/uitest/cast/record 100 30 tui/uitest/cast/first-minute.script bin/fabula fox_lantern > first-minute.cast
//	asciinema play first-minute.cast
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"fabula/tui/uitest/cast"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 4 {
		return fmt.Errorf("usage: record COLUMNS ROWS SCRIPT PROGRAM [ARGUMENT...] > recording.cast")
	}
	w, err := strconv.Atoi(args[0])
	if err != nil {
		return fmt.Errorf("columns: %w", err)
	}
	h, err := strconv.Atoi(args[1])
	if err != nil {
		return fmt.Errorf("rows: %w", err)
	}
	script, err := os.Open(args[2])
	if err != nil {
		return fmt.Errorf("script: %w", err)
	}
	defer script.Close()
	c := exec.Command(args[3], args[4:]...)
	c.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor")
	return cast.Record(c, w, h, script, os.Stdout)
}
