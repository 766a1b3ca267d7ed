// Package bridge is the only place that touches TensorRT and CUDA: a C++ part
// behind a C interface (bridge.h) and the Go types over it.
//
// It needs build tag tensorrt and TensorRT's public headers, which TENSORRT_INCLUDE
// names when the headers.sh beside it sets up the compiler. One source serves
// three flavours of headers: TensorRT 10, 11 and TensorRT for RTX 1. No library is
// linked: libnvinfer (or libtensorrt_rtx) and libcuda are opened when they are
// needed, so that a build runs on machines that have neither.
//
// A library serves headers of the same major version and of no newer minor one:
// the headers call through tables of functions that only grow.
//
// Non-goals: ONNX, quantised types, plugins of others.
package bridge
