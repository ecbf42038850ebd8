// Files that are not the user's: their lines and names are not shown.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tessera::frontend {

// The tile header and what it includes. Any folder may have the name of the project.
inline bool isTileHeader(llvm::StringRef file) {
  return file.ends_with("cuda_tile.h") || file.contains("include/tessera/tile/");
}

// These, and CUDA's headers of number types.
inline bool isLibraryFile(llvm::StringRef file) {
  if (isTileHeader(file))
    return true;
  llvm::StringRef name = file.substr(file.rfind('/') + 1);
  return (name.starts_with("cuda_fp") || name.starts_with("cuda_bf") ||
          name.starts_with("__clang_cuda")) &&
         (name.ends_with(".h") || name.ends_with(".hpp"));
}

} // namespace tessera::frontend
