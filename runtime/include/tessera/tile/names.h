// The part of cuda_tile.h that rewritten code always keeps: its declarations outside of its
// namespace (macros, the element classes), and the names of the namespaces.
#pragma once

#include "../classes.h"
#include "nvcc.h"

namespace cuda::tiles {
namespace literals {}
} // namespace cuda::tiles
