package worlds

import (
	"errors"
	"io/fs"
)

// What an unreadable file can be instead of what the system says of it; the
// wording knows these.
var (
	errSpecial  = errors.New("special")  // a pipe, a socket, a device, a folder
	errDangling = errors.New("dangling") // a link to nothing
	errOutside  = errors.New("outside")  // a link that leads out of the world
)

// regular reports a name that must not be opened: reading a pipe would wait
// for ever, a device need not end.
func (r *reading) regular(name string) error {
	if !r.odd[name] {
		return nil
	}
	info, err := fs.Stat(r.files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // the folder lists it, so it is a link
		return errDangling
	case escapes(err):
		return errOutside
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errSpecial
	}
	return nil
}
