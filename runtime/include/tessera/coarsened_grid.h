// The grids of a kernel whose blocks each process several blocks' work (block coarsening), passed
// after the program's parameters.
#pragma once

namespace tessera {

struct coarsened_grid {
  dim3 blocks;   // to process: those of the launch, or one for each of their tiles
  dim3 launched; // the grid that the program launched
};

} // namespace tessera
