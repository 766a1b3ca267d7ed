package lint

import (
	"regexp"
	"sync"
)

// pattern is an expression that is compiled when a rule first asks for it: most
// commands of the program judge no reply, and would pay for all of them.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
