// Does a program have tile code? Tested before parsing: a program without tile code is unchanged.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>

namespace tessera::frontend {

// Does the main file mention it? Then its headers need no test.
bool namesTileCode(llvm::StringRef text);

// Does the preprocessed program? `invocation` is one of Invocation.h.
bool usesTileCode(std::shared_ptr<clang::CompilerInvocation> invocation,
                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace tessera::frontend
