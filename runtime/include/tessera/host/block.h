// The coordinates of the tile block that this thread is running.
//
// Whatever runs blocks on the CPU writes them before it calls a kernel; the primitives bid and
// num_blocks read them.
#pragma once

namespace tessera::host {

struct block_position {
  unsigned index[3];
  unsigned grid[3];
};

inline constinit thread_local block_position current_block = {{0, 0, 0}, {1, 1, 1}};

} // namespace tessera::host
