// The headers of CUDA that kernels need for the classes of their elements: cuda_fp8.h and
// cuda_fp4.h, which cost as much to parse as a kernel, and are included only where they are needed.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace llvm {
class raw_ostream;
}

namespace tessera::emit {

// The words of a text, including names.
llvm::StringSet<> wordsOf(llvm::StringRef text);

// An #include for each header of an element that is named.
void printElementHeaders(llvm::raw_ostream &out, const llvm::StringSet<> &words);

} // namespace tessera::emit
