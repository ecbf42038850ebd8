// reject: std::min and std::max
#include <algorithm>
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out) { out[0] = std::max(out[0], 3); }
int main() {}
