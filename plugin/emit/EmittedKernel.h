// The result of the stage emit: a kernel as SIMT CUDA C++, with what launches need to know about
// it. It uses no type of MLIR.
#pragma once

#include "support/PlanPolicy.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tessera {

// A host function that lists the tiles that the blocks of a launch compute: its definition for
// namespace tessera::kernels, and the parameters on which it depends, one bit for each.
struct TileLister {
  std::string name, text;
  uint64_t needed = 0;
};

// A host function that counts the warps of a launch: its definition for the same namespace.
struct WarpCounter {
  std::string name, text;
};

// One kernel as SIMT CUDA C++.
struct EmittedKernel {
  std::string symbol, name; // of the tile kernel, see frontend::Kernel
  // The definition, for namespace tessera::kernels, is head, declarator and body: a header comment
  // and attributes; "void NAME_simt(float *a, int n", of an image "void SYMBOL(..."; and the rest.
  // A kernel with bulk copies has a parameter for tensor maps after the program's.
  std::string head, declarator, body;
  unsigned mapCount = 0;           // passed by a launch
  unsigned requiredTensorMaps = 0; // bit i: if tensor map i cannot be made, the other kernel runs
  std::string tensorMapsName;      // of the parameter
  // The definition of a function that makes the tensor maps of the kernel's arguments, and its
  // name.
  std::string tensorMapMaker, tensorMapMakerName;
  // Name -> definition of a variable for namespace tessera::kernels::variables; the same for every
  // kernel that uses it.
  std::map<std::string, std::string> variables;
  unsigned threads = 0;
  size_t sharedMemory = 0; // dynamic, bytes
  unsigned parameters = 0; // the program's
  PlanPolicy policy;
  SecondPlans again;
  // For a kernel that runs in place of another for large grids: the symbol of the other, the number
  // of its blocks along x and y that one block processes, and a block's cost in both. It takes the
  // size of the grid after the program's parameters.
  std::string coarsenedFrom;
  unsigned coarsenedColumns = 1, coarsenedRows = 1;
  unsigned blockParts = 1; // of its launch, for each block of the other
  uint64_t cycles = 0, cyclesOfOther = 0;
  bool isPersistent =
      false; // persistent: one block per SM, which processes one work tile after another
  bool isUnbalanced = false; // its work tiles take different times
  TileLister tiles;  // if its blocks are tiles that the program numbers; else its name is empty
  WarpCounter warps; // if a launch may leave some out; else its name is empty
  llvm::json::Value study = nullptr; // if requested, see explain/Study.h

  // For messages, from the other's name: "matmul<64, 64, 64>, 4 x 2 blocks at a time", or without
  // coarsening "matmul<128, 256, 64>, for large grids".
  std::string displayName(llvm::StringRef ofProgram) const;
  // "void NAME_simt(float *a, int n)". Kernels of one name for several architectures have one
  // signature, with room for the tensor maps of each.
  std::string signature(unsigned maps, llvm::StringRef tensorMapsName = "") const;
  std::string text(unsigned maps) const;
};

} // namespace tessera
