// The unit without tile code: a device variable and a device function that the others are linked
// with.
__device__ int counter;
__device__ int twice(int i) { return 2 * i; }
__global__ void count(int *result) { *result = counter; }
