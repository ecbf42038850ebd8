// targets: emulate,gpu
// arch: sm_89
// mma_bytes.cu by the instructions of a warp in every size, and rings without bulk copies: no GPU
// before sm_90a has wgmma. Its small tiles are what they are there, but for the copies.
#define LARGE_TILES_ALONE
#include "mma_bytes.cu"
