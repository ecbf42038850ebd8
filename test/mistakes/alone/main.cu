// [tile:specifiers] main in tile code.
#include <cuda_tile.h>

__tile__ int main() { return 0; }
//           ^ error: main is marked as tile code; main must be a function of the host
//             [tile:specifiers/main-is-tile]
// right: int main() { return 0; }
