// The page of `tessera explain`: one file with everything in it.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace tessera::explain {

// The page for {program, version, compiler, files: [{name, text}], kernels: [a study (Study.h),
// ...]}
std::string pageOf(const llvm::json::Value &data, llvm::StringRef title);

} // namespace tessera::explain
