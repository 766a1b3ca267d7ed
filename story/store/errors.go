package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
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
	Copies []string // automatic copies beside it, newest first
}

// Error says what is wrong and what to do.
func (e *DamagedError) Error() string {
	msg := fmt.Sprintf("store %s cannot be read: %s. The file was left as it is", e.File, e.What)
	if len(e.Copies) > 0 {
		return msg + fmt.Sprintf("; to go back to the last automatic copy, put %s in its place", e.Copies[0])
	}
	return msg + "; put a backup in its place, or move it away to start with an empty store"
}

// Is makes errors.Is(err, ErrDamaged) hold.
func (e *DamagedError) Is(target error) bool { return target == ErrDamaged }

func damaged(file, format string, args ...any) error {
	return &DamagedError{File: file, What: fmt.Sprintf(format, args...), Copies: copies(file)}
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
	case err == nil, errors.Is(err, ErrDamaged), errors.Is(err, os.ErrPermission):
		return err
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
