// What the device passes of one compilation leave for its host pass: the program's text and what
// was planned, so that it is translated once for each architecture and not once more for the host.
//
// Clang runs each pass as a process of its own, all of them children of one driver. A device pass
// writes a file that is named after the driver's process and the compilation's identifier into a
// folder that only this user can enter; the host pass takes it if it is of the same main file, and
// removes it. Files of drivers that have ended are removed by the next pass that writes one. Where
// anything of this is missing (another system, a pass by itself) the host pass translates on its
// own.
#pragma once

#include "driver/Session.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace tessera::driver {

// Does nothing where there is no host pass to be expected.
void handOver(const clang::CompilerInvocation &devicePass, llvm::StringRef mainFile,
              const Translated &translated);

// One for each of the architectures of a host pass, in their order; nothing if one is missing. Two
// of one number are an error: a launch could not tell them apart.
std::optional<std::vector<Translated>> takeOver(const clang::CompilerInvocation &hostPass,
                                                llvm::StringRef mainFile,
                                                llvm::ArrayRef<const GpuTarget *> targets,
                                                clang::DiagnosticsEngine &diagnostics);

// Whether a host pass comes after device passes of its driver, which have said what there is to say
// of tile code. A driver runs a pass that is the only one by itself.
bool followsDevicePass();

} // namespace tessera::driver
