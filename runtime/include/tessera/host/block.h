// The place of the tile block that this thread is running.
//
// Written by whatever runs blocks on the CPU before it calls a kernel, read by the primitives bid
// and num_blocks.
#pragma once

namespace tessera::host {

struct block_place {
  unsigned index[3];
  unsigned grid[3];
};

inline constinit thread_local block_place current_block = {{0, 0, 0}, {1, 1, 1}};

} // namespace tessera::host
