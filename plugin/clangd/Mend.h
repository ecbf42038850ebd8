// Command lines of compile_commands.json as clangd's parser takes them.
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -Xcompiler=-fPIC -c x.cu
//     -> clang++ -x cuda --offload-arch=sm_90a x.cu
//
// In all of them the first word is the compiler. Other compilers and other languages stay as they
// are.
#pragma once

#include "driver/Processes.h"

namespace tessera::clangd {

// nvcc's options in Clang's words, those that mean something to a parser; names of files are
// relative to the folder.
driver::Words withoutNvcc(const driver::Words &words, const std::string &folder);

// Adds the toolkit, the architecture, the standard and the folder of cuda_tile.h, each where the
// command names none.
driver::Words withDefaults(const driver::Words &words);

} // namespace tessera::clangd
