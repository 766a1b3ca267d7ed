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

// aboutNames holds the patterns about names of worlds, which are few and come again
// with every reply.
var aboutNames sync.Map

// about compiles a pattern about a name, once.
func about(expr string) *regexp.Regexp {
	if known, ok := aboutNames.Load(expr); ok {
		return known.(*regexp.Regexp)
	}
	re := regexp.MustCompile(expr)
	aboutNames.Store(expr, re)
	return re
}
