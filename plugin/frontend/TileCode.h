// Whether a program has tile code, asked before it is parsed: what has none stays as it is.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>

namespace tessera::frontend {

// Does the text of the main file name it? Then nobody needs to ask its headers.
bool namesTileCode(llvm::StringRef text);

// Does the preprocessed program? `invocation` is one of Invocation.h.
bool usesTileCode(std::shared_ptr<clang::CompilerInvocation> invocation,
                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace tessera::frontend
