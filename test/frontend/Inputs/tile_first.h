// Tile code of a header that the command line includes.
#include <cuda_tile.h>
__tile__ inline int twice(int x) { return 2 * x; }
