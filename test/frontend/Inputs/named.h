// A header that is meant to be included several times: one kernel for each NAME.
__tile_global__ void NAME(int *out) { out[0] = NAME_OF(NAME)(out[0]); }
