// The two CUDA types that TensorRT's public headers name. The bridge uses the
// driver only, so the CUDA toolkit is not needed to compile it.
#pragma once
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
