// What is always left of cuda_tile.h in rewritten text: the macros, and the names of its
// namespaces.
#pragma once

#include "nvcc.h"

namespace cuda::tiles {
namespace literals {}
} // namespace cuda::tiles
