// Package worker runs a native engine in a child process, so that an abort in
// C++, an out-of-memory kill or a hung driver takes neither the terminal nor
// the store.
//
// Client is the parent's end: an engine.Engine and engine.Counter that starts
// the child, queues requests, watches its health and starts it again with
// back-off after a crash. Serve is the child's end: it owns the one generation
// loop that every native backend shares. Between them travel frames: a length
// and a gob message, over the child's stdin and stdout.
//
// Reading order: backend.go (what a native engine provides), frame.go, serve.go,
// reply.go and cache.go (child), client.go, child.go and stream.go (parent).
//
// Non-goals: several replies decoded at once, choosing models, remote machines.
package worker
