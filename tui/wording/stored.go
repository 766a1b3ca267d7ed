package wording

import (
	"errors"
	"fmt"

	"fabula/story/store"
	"fabula/tui/text/lang"
)

// Stored words an error of the store in the language of the interface; others
// are given as they are. owed says that a reply waits to be stored.
func Stored(err error, owed bool, t *lang.Strings) error {
	var gone *store.VanishedError
	words := ""
	switch {
	case err == nil:
		return nil
	case errors.As(err, &gone) && gone.Rescued != "" && gone.Why == nil:
		words = fmt.Sprintf(t.Store.Gone, gone.File, gone.Rescued)
	case errors.As(err, &gone):
		words = fmt.Sprintf(t.Store.GoneOnly, gone.File)
	case errors.Is(err, store.ErrFull):
		words = t.Store.Full
	default:
		return err
	}
	if owed {
		words += t.Store.Owed
	}
	return worded{words, err}
}

// worded is an error in other words.
type worded struct {
	words string
	error
}

// Error gives the words.
func (w worded) Error() string { return w.words }

// Unwrap gives what it is.
func (w worded) Unwrap() error { return w.error }
