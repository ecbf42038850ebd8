// reject: a tile kernel launched by a SIMT kernel
#include <cuda_tile.h>
__tile_global__ void k(int *out) { out[0] = 1; }
__global__ void simt(int *out) { k<<<1, 1>>>(out); }
int main() {}
