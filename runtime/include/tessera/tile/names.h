// What is always left of cuda_tile.h in rewritten text: all that it says outside of its namespace
// (macros, the classes of elements), and the names of the namespaces.
#pragma once

#include "../classes.h"
#include "nvcc.h"

namespace cuda::tiles {
namespace literals {}
} // namespace cuda::tiles
