// Images of tile kernels for hosts that load them: cubins, fatbins, PTX.
#pragma once

#include "nvcc/HostBuild.h"

namespace tessera::nvcc {

// Does the command line request an image?
bool makesImage(const CommandLine &line);

// The exit status.
int buildImages(const CommandLine &line, const TileInputs &tileInputs,
                const Architectures &architectures, const Toolkit &toolkit);

} // namespace tessera::nvcc
