// For rewritten code that names entities of the tile header: shapes, layouts, constants on the host
// or in SIMT kernels.
#pragma once

#include "../macros_begin.h"

#include "../../cuda_tile.h"

#include "../macros_end.h"
