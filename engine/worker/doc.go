// Package worker runs a native engine in a child process, so that an abort in
// C++, an out-of-memory kill or a hung driver takes neither the terminal nor
// the store.
//
// Client is the parent's end: an engine.Engine and engine.Counter that starts
// the child, orders requests, watches its health and starts it again with
// back-off after a crash. Serve is the child's end: it owns the one generation
// loop that every native backend shares. Requests run side by side: each pass of
// the backend takes a token of every reply that decodes and a chunk of one
// prompt, chats before background work. Nobody waits for company: a request
// joins at the next pass. Between them travel frames: a length
// and a gob message, over the child's stdin and stdout.
//
// Reading order: backend.go (what a native engine provides), frame.go, serve.go,
// reply.go, schedule.go, plan.go, pace.go and cache.go (child), client.go, child.go and stream.go (parent).
//
// Non-goals: choosing models, remote machines.
package worker
