// What a kernel that does several blocks' work at a time is told of them, behind the program's
// parameters.
#pragma once

namespace tessera {

struct merged_grid {
  dim3 blocks;   // that it does the work of: those of the launch, or one for each of their tiles
  dim3 launched; // the grid that the program launched
};

} // namespace tessera
