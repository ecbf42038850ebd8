// CUDA Tile C++, the public header: namespace cuda::tiles, literals in cuda::tiles::literals.
//
// A table of contents. These files implement conversions, broadcasting and overloads;
// tessera/tile/primitives.h is the interface to the implementations of tile operations. Include
// cuda_fp16.h, cuda_bf16.h, cuda_fp8.h for the types that they define.
#pragma once

#include "tessera/macros_begin.h"

#include "tessera/tile/config.h"

#if __cplusplus < 202002L && !defined(TESSERA_HEADER_IS_EMPTY)
#error "cuda_tile.h needs C++20: compile with -std=c++20"
#endif

#ifdef TESSERA_HEADER_IS_EMPTY
#include "tessera/tile/names.h"
#else

#include "tessera/tile/modes.h"      // rounding modes, memory orders, paddings and their tags
#include "tessera/tile/traits.h"     // type traits without the standard library
#include "tessera/tile/scalar.h"     // element types and their conversions
#include "tessera/tile/constant.h"   // integral_constant, _ic, dimension_map
#include "tessera/tile/extents.h"    // extents, shape, strides
#include "tessera/tile/layout.h"     // layout_right, layout_left, layout_strided, padded ones
#include "tessera/tile/span.h"       // tensor_span
#include "tessera/tile/tile.h"       // tile and the concepts over it
#include "tessera/tile/convert.h"    // broadcasting and operand conversions
#include "tessera/tile/arithmetic.h" // + - * / %, min, max, fma, bitwise
#include "tessera/tile/compare.h"    // comparisons, logic
#include "tessera/tile/math.h"       // exp, sqrt, sin, ...
#include "tessera/tile/create.h"     // full, zeros, ones, iota, element_cast, select
#include "tessera/tile/shape_ops.h"  // reshape, broadcast, permute, cat, extract
#include "tessera/tile/reduce.h"     // sum, reduce_max, partial_sum, ...
#include "tessera/tile/fold.h"       // reduce, scan: with --extensions
#include "tessera/tile/matmul.h"     // mma, matmul
#include "tessera/tile/pointer.h"    // load and store through pointer tiles
#include "tessera/tile/atomic.h"     // atomics through pointer tiles
#include "tessera/tile/view.h"       // partition_view, strided_view
#include "tessera/tile/gather.h"     // gather_scatter_view
#include "tessera/tile/irange.h"     // irange
#include "tessera/tile/assume.h"     // assume_aligned, assume_divisible, assume_bounded
#include "tessera/tile/grid.h"       // bid, num_blocks
#include "tessera/tile/print.h"      // printf of tiles
#include "tessera/tile/nvcc.h"       // what every .cu file sees with nvcc
#ifdef TESSERA_TARGET_CPU
#include "tessera/tile/cpu/arrays.h"           // arrays as pointers
#include "tessera/tile/cpu/device_functions.h" // hsqrt, __mulhi
#endif

#endif

#include "tessera/macros_end.h"
