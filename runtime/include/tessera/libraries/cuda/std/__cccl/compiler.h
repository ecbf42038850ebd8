// Precedes CCCL's header of this name when a program is compiled with --enable-tile.
//
// CCCL has tile code only for nvcc 13.4 and newer, and tests __NVCC__ and its version. Libraries
// see Clang here, and an older nvcc may compile the generated code, so this header defines the
// results of CCCL's tests. It has no effect on a CCCL without tile code.
#pragma once
#pragma GCC system_header

#include_next <cuda/std/__cccl/compiler.h>

#ifdef _CCCL_TILE_COMPILATION
#undef _CCCL_TILE_COMPILATION
#define _CCCL_TILE_COMPILATION() 1
#ifndef _CCCL_EXEC_CHECK_DISABLE
#define _CCCL_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#endif
#endif
