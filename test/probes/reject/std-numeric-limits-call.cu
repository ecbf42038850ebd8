// reject: std::numeric_limits<T>::max() outside of a constant expression
#include <limits>
#include <cuda_tile.h>
__tile_global__ void k(int *out) { out[0] = std::numeric_limits<int>::max(); }
int main() {}
