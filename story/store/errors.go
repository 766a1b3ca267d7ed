package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"
)

// Sentinels that callers test with errors.Is.
var (
	ErrLocked     = errors.New("store is in use")
	ErrSchema     = errors.New("store was written by a newer fabula")
	ErrDamaged    = errors.New("store cannot be read")
	ErrFilesystem = errors.New("file system cannot hold a store")
	ErrFull       = errors.New("nothing more can be written")
	ErrVanished   = errors.New("store is no longer in its place")
	ErrForeign    = errors.New("neither a dump nor a copy of a store")
)

// LockedError says which process holds a store. PID is 0 when unknown.
type LockedError struct {
	File string
	PID  int
	Host string
	Why  string // what else went wrong, for a reading command

	silent bool // the holder is there and does not answer
}

// Error names file, process and host.
func (e *LockedError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d on %s", e.PID, e.Host)
	}
	msg := fmt.Sprintf("store %s is in use by %s: close it there first", e.File, who)
	if e.Why != "" {
		msg += " (" + e.Why + ")"
	}
	return msg
}

// Is makes errors.Is(err, ErrLocked) hold.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// SchemaError says that a newer program wrote the store.
type SchemaError struct {
	File  string
	Found int
}

// Error names both schema numbers.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("store %s has schema %d, this fabula knows up to %d: use the newer fabula; nothing was changed",
		e.File, e.Found, Schema)
}

// Is makes errors.Is(err, ErrSchema) hold.
func (e *SchemaError) Is(target error) bool { return target == ErrSchema }

// DamagedError says what is wrong with a file that was left untouched.
type DamagedError struct {
	File   string
	What   string
	Copies []string // its copies, newest first
}

// Error says what is wrong and what to do.
func (e *DamagedError) Error() string {
	msg := fmt.Sprintf("store %s cannot be read: %s. The file was left as it is; 'fabula store salvage WORLD' saves what can be read", e.File, e.What)
	if len(e.Copies) > 0 {
		return msg + fmt.Sprintf(", 'fabula store restore WORLD --newest' goes back to the last good copy, %s", e.Copies[0])
	}
	return msg + ", 'fabula store restore WORLD FILE' takes a copy of your own"
}

// Is makes errors.Is(err, ErrDamaged) hold.
func (e *DamagedError) Is(target error) bool { return target == ErrDamaged }

func damaged(file, format string, args ...any) error {
	return &DamagedError{File: file, What: fmt.Sprintf(format, args...), Copies: copiesOf(file)}
}

// guard runs do and turns panics of the library, and faults of the mapped
// file, into a DamagedError.
func guard(file string, do func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error: // an address outside the file says nothing to a person
			err = damaged(file, "its pages do not fit together")
		default:
			err = damaged(file, "%s", firstLine(r))
		}
	}()
	return do()
}

func firstLine(r any) string {
	line, _, _ := strings.Cut(fmt.Sprint(r), "\n")
	return line
}

// opened words the errors of opening.
func opened(file string, err error) error {
	switch {
	case err == nil, errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("store %s cannot be written: %w: commands that only read work; to play, make its folder writable, or copy the world to where you may write", file, err)
	case errors.Is(err, berrors.ErrTimeout):
		h := readHolder(filepath.Dir(file))
		return &LockedError{File: file, PID: h.PID, Host: h.Host}
	case oddFilesystem(err):
		return fmt.Errorf("open store %s: %w: %w: keep the world, or $XDG_DATA_HOME, on a local disk", file, ErrFilesystem, err)
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
		return damaged(file, "%v", err)
	default:
		return fmt.Errorf("open store %s: %w", file, err)
	}
}

// oddFilesystem recognises what network and special file systems answer to a
// lock or a mapping.
func oddFilesystem(err error) bool {
	for _, no := range []error{syscall.ENOLCK, syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.ENODEV} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

// broken words a value that does not decode.
func broken(file, what string, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return damaged(file, "%s is not whole (%v)", what, err)
	}
	return damaged(file, "%s: %v", what, err)
}

// unwritten words an error of a transaction that could not be written whole.
// Nothing of it is in the file.
func unwritten(file string, err error) error {
	switch {
	case err == nil:
		return nil
	case is(err, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		return fmt.Errorf("%w to %s (%w): make room on its disk and send again; what is stored is whole", ErrFull, file, err)
	case is(err, syscall.EIO, syscall.EROFS):
		return fmt.Errorf("%w to %s (%w): see to its disk and send again; what is stored is whole", ErrFull, file, err)
	}
	return err
}

// is also looks into the words: the library wraps some errors as text.
func is(err error, any ...syscall.Errno) bool {
	return slices.ContainsFunc(any, func(no syscall.Errno) bool { return errors.Is(err, no) || strings.Contains(err.Error(), no.Error()) })
}

// VanishedError says that the file which is held is no longer in its place: its
// folder was deleted, moved or replaced while the store was open.
type VanishedError struct {
	File    string
	Rescued string // where everything was copied to; empty without a place for it
	Why     error  // why it could not be copied
}

// Error says what happened and where everything is now.
func (e *VanishedError) Error() string {
	msg := fmt.Sprintf("store %s is no longer in its place: its folder was deleted, moved or replaced while it was open", e.File)
	switch {
	case e.Why != nil:
		return msg + fmt.Sprintf(", and could not be copied (%v): put the folder back before you close fabula", e.Why)
	case e.Rescued == "":
		return msg + ": put the folder back before you close fabula"
	}
	return msg + fmt.Sprintf(". Everything up to now is in %s: put the folder back, or begin anew with 'fabula store restore WORLD %s'", e.Rescued, e.Rescued)
}

// Is makes errors.Is(err, ErrVanished) hold.
func (e *VanishedError) Is(target error) bool { return target == ErrVanished }
