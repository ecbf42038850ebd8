// reject: main marked __tile__
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile__ int main() { return 0; }
