// Package gguf runs GGUF models with llama.cpp, behind worker.Backend: on the
// processor, and as far as they fit on graphics cards where the libraries were
// built for those (GGML=vulkan, metal or cuda). It is meant for the child process of package worker: native
// code can abort, and does not come back.
//
// With build tag llama the package links the static libraries that build.sh
// makes; without it Open says that there are none. Available can be asked
// anywhere and calls nothing native.
//
// Non-goals: choosing between cards, quantising, reading weights (see header).
package gguf
