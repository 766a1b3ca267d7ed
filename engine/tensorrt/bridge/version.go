package bridge

import (
	"fmt"

	"fabula/engine"
)

// Version is a version of TensorRT.
type Version struct {
	RTX                 bool // TensorRT for RTX, which counts for itself
	Major, Minor, Patch int
}

// decode reads major·10000 + minor·100 + patch.
func decode(n int, rtx bool) Version { return Version{rtx, n / 10000, n / 100 % 100, n % 100} }

// String is "TensorRT 10.6.0" or "TensorRT for RTX 1.7.1".
func (v Version) String() string {
	name := "TensorRT"
	if v.RTX {
		name = "TensorRT for RTX"
	}
	return fmt.Sprintf("%s %d.%d.%d", name, v.Major, v.Minor, v.Patch)
}

// Short is "trt10.6" or "rtx1.7", for names of files.
func (v Version) Short() string {
	name := "trt"
	if v.RTX {
		name = "rtx"
	}
	return fmt.Sprintf("%s%d.%d", name, v.Major, v.Minor)
}

// Serves says whether a library of version v can be used by a program that was
// built with headers of version need. Its error wraps engine.ErrUnavailable and
// names both.
func (v Version) Serves(need Version) error {
	if v.RTX == need.RTX && v.Major == need.Major && v.Minor >= need.Minor {
		return nil
	}
	return fmt.Errorf("%w: the library is %s; this build needs %s or a later %d.x", engine.ErrUnavailable, v, need, need.Major)
}
