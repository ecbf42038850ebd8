// Passes the results of the device passes of one compilation to its host pass: the program's code
// and the plans, so that it is translated once for each architecture and not again for the host.
//
// Clang runs each pass in its own process, a child of one driver. A device pass writes a file,
// named after the driver's process and the compilation's identifier, into a folder that only this
// user can access; the host pass takes it if it is for the same main file, and removes it. The next
// pass that writes one removes the files of drivers that have ended. If anything is missing
// (another system, a single pass) the host pass translates by itself.
#pragma once

#include "driver/Session.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace tessera::driver {

// Does nothing if no host pass is expected.
void handOver(const clang::CompilerInvocation &devicePass, llvm::StringRef mainFile,
              const Translated &translated);

// One for each architecture of a host pass, in order; nothing if one is missing. Two of one number
// are an error: a launch could not distinguish them.
std::optional<std::vector<Translated>> takeOver(const clang::CompilerInvocation &hostPass,
                                                llvm::StringRef mainFile,
                                                llvm::ArrayRef<const GpuTarget *> targets,
                                                clang::DiagnosticsEngine &diagnostics);

// Does a host pass follow device passes of its driver, which have reported all diagnostics of tile
// code? A driver runs a single pass in its own process.
bool followsDevicePass();

} // namespace tessera::driver
