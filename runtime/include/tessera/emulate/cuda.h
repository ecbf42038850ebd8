// Makes CUDA source plain C++20 for the emulator: included before everything else (-include
// tessera/emulate/cuda.h).
//
// The CUDA headers that define the same names are included first and then overridden, so a file may
// include them again in any order. A __shared__ variable exists once per OS thread, which runs one
// block at a time. `extern __shared__` has no definition here: kernels use
// tessera::arch::shared_memory(). Static __shared__ variables are accessed directly, without race
// detection.
#pragma once

// Declares threadIdx and its like as constants; ours are in builtin_variables.h.
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <cuda_runtime_api.h>
#include <vector_functions.h>
#include <vector_types.h>

#undef __global__
#undef __device__
#undef __host__
#undef __constant__
#undef __managed__
#undef __shared__
#undef __grid_constant__
#undef __launch_bounds__
#undef __cluster_dims__
#undef __maxnreg__
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ thread_local
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)

#include <tessera/emulate/builtin_variables.h>
#include <tessera/emulate/device_functions.h>
