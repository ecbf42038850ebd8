// Stands before CCCL's header of this name where a program is compiled with --enable-tile.
//
// CCCL has tile code for nvcc 13.4 and newer alone, and asks for it by __NVCC__ and its version.
// Libraries see Clang here, and the text may be compiled by an older nvcc: so what CCCL would find
// out is said. Of a CCCL that knows nothing of tile code nothing changes.
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
