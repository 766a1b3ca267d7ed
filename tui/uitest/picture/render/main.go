// Command render turns a terminal screen on standard input into an SVG on
// standard output:
//
//	tmux capture-pane -p -e | go run ./tui/uitest/picture/render 80 24 > chat.svg
//	rsvg-convert -z 1.5 chat.svg > chat.png
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"fabula/tui/uitest/picture"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: render COLUMNS ROWS < screen > picture.svg")
	}
	w, err := strconv.Atoi(args[0])
	if err != nil {
		return fmt.Errorf("columns: %w", err)
	}
	h, err := strconv.Atoi(args[1])
	if err != nil {
		return fmt.Errorf("rows: %w", err)
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read the screen: %w", err)
	}
	_, err = io.WriteString(os.Stdout, picture.SVG(string(text), w, h))
	return err
}
