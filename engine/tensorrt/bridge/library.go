//go:build tensorrt

package bridge

/*
#cgo CXXFLAGS: -std=c++17 -O2 -fvisibility=hidden -Wno-deprecated-declarations -I${SRCDIR}/shim
#cgo LDFLAGS: -lstdc++ -ldl -lpthread
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"fabula/engine"
)

// Headers is the version that this program was built with.
func Headers() (Version, bool) {
	return decode(int(C.ft_header_version()), bool(C.ft_header_rtx())), true
}

// Plugins says whether networks of this flavour take our own attention.
func Plugins() bool { return bool(C.ft_has_plugins()) }

// Library is an opened TensorRT. It stays open until the process ends.
type Library struct{ c *C.ft_library }

// OpenLibrary opens the library below root (a folder or a file), or with an empty
// root the one that the system has. Errors wrap engine.ErrUnavailable and say what
// was tried.
func OpenLibrary(root string) (*Library, error) {
	need, _ := Headers()
	var tried []error
	for _, name := range Names(need, root) {
		l, err := open(name)
		if err == nil {
			err = l.Version().Serves(need)
		}
		if err == nil {
			return l, nil
		}
		tried = append(tried, fmt.Errorf("%s: %w", name, err))
	}
	where := "the system's folders"
	if root != "" {
		where = root
	}
	if tried == nil {
		tried = append(tried, errors.New("no such file"))
	}
	return nil, fmt.Errorf("%w: no library of %s in %s; install it, or set TENSORRT_ROOT: %w", engine.ErrUnavailable, need, where, errors.Join(tried...))
}

func open(name string) (*Library, error) {
	path := C.CString(name)
	defer C.free(unsafe.Pointer(path))
	var f C.ft_fault
	c := C.ft_library_open(path, &f)
	if c == nil {
		return nil, fault(&f)
	}
	return &Library{c}, nil
}

// Version is the library's own.
func (l *Library) Version() Version {
	return decode(int(C.ft_library_version(l.c)), bool(C.ft_header_rtx()))
}

// Path is the file that the loader found.
func (l *Library) Path() string {
	buf := make([]byte, 4096)
	C.ft_library_path(l.c, (*C.char)(unsafe.Pointer(&buf[0])), C.size_t(len(buf)))
	return text(buf)
}

// fault gives the reason that a call wrote.
func fault(f *C.ft_fault) error {
	return errors.New(C.GoString(&f.text[0]))
}

func text(buf []byte) string {
	for i, b := range buf {
		if b == 0 {
			return string(buf[:i])
		}
	}
	return string(buf)
}
