// Included under two meanings of NAME and VALUE.
__tile_global__ void NAME(int *out) { out[0] = VALUE; }
