// Package remote is an engine that another machine runs: a client of the
// OpenAI chat completions protocol, as vLLM, TensorRT-LLM, Triton, NIM,
// llama-server and OpenAI itself speak it.
//
// The protocol is spoken by github.com/openai/openai-go/v3, the client that
// the protocol's authors keep; its own retries, environment variables and
// telemetry headers are switched off. Keys in a keyring are read by
// github.com/zalando/go-keyring, which needs no cgo. What this package adds:
//
//   - Nothing is sent before the first Generate, and nowhere but to the
//     configured address: redirects are refused, and a key goes unencrypted to
//     this machine only.
//   - A request is repeated, after a growing wait, only while no text came.
//   - Waiting is bounded twice: for the first text and between two chunks.
//   - The key is cut out of every error and log line.
//
// What a server does not tell stays unknown: token ids are running numbers and
// those of alternatives -1, prompt figures come with the last chunk, and a
// chunk of several tokens counts as one until the server's own count arrives
// in Stats. Content is not tokenised here, so a server may read control marks
// in it; local engines do not. Non-goals: choosing or starting servers,
// priorities among replies (the server's matter, see Options.Priority),
// counting tokens, tools, images.
package remote
