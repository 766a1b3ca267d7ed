package main

import (
	"errors"
	"strings"

	"fabula/worlds"
)

// guard refuses to write to a place where a world keeps its own files: they would be
// replaced, or what is written be taken for one of them. what names the flag or
// argument, if there is one.
func guard(what, path string) error {
	err := worlds.Guard(path)
	var own *worlds.OwnError
	if path == "" || !errors.As(err, &own) {
		return nil
	}
	return usage("%s: the world in %s keeps its own files there, and nothing else is written among them; choose another place", strings.TrimSpace(what+" "+path), own.World)
}
