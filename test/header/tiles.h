// Short names of small tiles, one for each kind of element.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>

#include "modes.h"

using I4 = tile<int, 4>;
using F4 = tile<float, 4>;
using D4 = tile<double, 4>;
using H4 = tile<__half, 4>;
using B4 = tile<bool, 4>;
using T4 = tile<__nv_tf32, 4>;
using E4 = tile<__nv_fp8_e4m3, 4>;
using P4 = tile<int *, 4>;
