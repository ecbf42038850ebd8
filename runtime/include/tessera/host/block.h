// The coordinates of the tile block that this thread is running, and where its views are.
//
// Whatever runs blocks on the CPU writes the coordinates and begins the trail before it calls a
// kernel; the primitives bid and num_blocks, and those of views, read them.
#pragma once

namespace tessera::host {

struct block_position {
  unsigned index[3];
  unsigned grid[3];
};

inline constinit thread_local block_position current_block = {{0, 0, 0}, {1, 1, 1}};

// The addresses of the first accesses of a block to views, in order; from `made` on, those of the
// block before it.
struct access_trail {
  static constexpr unsigned most = 16;

  unsigned made = 0;
  unsigned made_before = 0;
  unsigned long long addresses[most] = {};

  void begin() {
    made_before = made;
    made = 0;
  }
};

inline constinit thread_local access_trail current_trail;

} // namespace tessera::host
