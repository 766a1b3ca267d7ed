// Package bg tells lipgloss the background colour before bubbletea can ask
// the terminal for it, which costs five seconds where nothing answers.
//
// Go initialises ready packages in import-path order, and fabula/… sorts
// before github.com/charmbracelet/…; cmd/fabula/startup_test.go checks that no
// escape byte leaves the program.
package bg

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
