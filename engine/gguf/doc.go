// Package gguf runs GGUF models on the processor with llama.cpp, behind
// worker.Backend. It is meant for the child process of package worker: native
// code can abort, and does not come back.
//
// With build tag llama the package links the static libraries that build.sh
// makes; without it Open says that there are none. Available can be asked
// anywhere and calls nothing native.
//
// Non-goals: graphics cards, quantising, reading weights (see header).
package gguf
