//go:build !tensorrt

package bridge

// Headers is the version that this program was built with; false: with none.
func Headers() (Version, bool) { return Version{}, false }
