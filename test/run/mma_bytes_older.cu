// targets: emulate,gpu
// arch: sm_89
// mma_bytes.cu by the instructions of a warp in every size: no GPU before sm_90a has wgmma.
#include "mma_bytes.cu"
