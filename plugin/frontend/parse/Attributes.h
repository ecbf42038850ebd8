// The attributes of the language on Clang's declarations: `tile`, `tile_global`, `cutile::hint`.
//
// cuda_tile.h spells them together with CUDA's own (`__tile__` is device + tile), so that Clang
// knows the execution space and the compiler knows that it is tile code. They are stored as
// annotations: redeclarations and instantiations inherit them.
#pragma once

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

namespace tessera::frontend {

// A kernel: __tile_global__.
bool isTileKernel(const clang::Decl *declaration);
// A function, lambda or variable of tile code: __tile__, and kernels.
bool isTile(const clang::Decl *declaration);
// Tile code only: without __host__ or __device__.
bool isTileOnly(const clang::FunctionDecl *function);
// With both __tile__ and __device__.
bool isTileAndDevice(const clang::FunctionDecl *function);
// Tile code after `#pragma nv_exec_check_disable`.
bool isUnchecked(const clang::FunctionDecl *function);
// An attribute of nvcc's SIMT kernels that Clang does not know.
bool isSimtKernelAttribute(const clang::Attr *attribute);
// In namespace cuda::tiles::__prim and declared only.
bool isPrimitive(const clang::FunctionDecl *function);
// Inside namespace cuda::tiles.
bool isTileLibrary(const clang::Decl *declaration);

} // namespace tessera::frontend
