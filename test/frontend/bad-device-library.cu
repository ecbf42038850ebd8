// CUB's headers of blocks and warps are made of a GPU's instructions: without one they are refused,
// where the program includes them.
// RUN: rm -rf %t && mkdir -p %t/cub/block && echo "#pragma once" > %t/cub/block/block_reduce.cuh
// RUN: echo "#pragma GCC system_header" > %t/library.cuh
// RUN: echo "#include <cub/block/block_reduce.cuh>" >> %t/library.cuh
// RUN: not %tessera --target=cpu -I %t -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %tessera --target=emulate -I %t -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %tessera -I %t -o /dev/null %s
// CHECK: bad-device-library.cu:[[@LINE+1]]:{{.*}}error: not supported yet: 'cub/block/block_reduce.cuh' uses instructions of a GPU, but the target has no GPU; include less of its library, or compile for a GPU [tile:general_principles/device-library]
#include <library.cuh>
#include <cuda_tile.h>

__tile_global__ void kernel(int *out) { *out = 3; }
