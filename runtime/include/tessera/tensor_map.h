// The description of an array for bulk copies: the driver's 128 bytes, or the emulator's own. Made
// by the host (host/tensor_map.h) and passed as a __grid_constant__ parameter, or made by a kernel
// (arch/bulk.cuh).
#pragma once

namespace tessera {

struct alignas(64) tensor_map {
  unsigned char bytes[128];
};

constexpr int max_dimensions = 5;

// The tensor maps that a launch passes to a kernel as its last parameter, and the set of those that
// exist: bit i for tensor map i.
template <int Count> struct tensor_maps {
  tensor_map map[Count];
  unsigned made;
};

// The start of a box, in elements, the fastest dimension first. It may be outside.
template <int Rank> struct box_coordinates {
  int at[Rank];
};

// An array and the boxes of it that are copied, the fastest dimension first: its extents in
// elements, its strides in bytes (multiples of 16 below 2^40; unused for the fastest dimension),
// and the extents of a box (up to 256). The base is aligned to 16 bytes. Elements are copied
// unchanged, or floats rounded to the nearest tf32, ties to even.
template <int Rank> struct boxed_array {
  const void *base;
  unsigned extent[Rank];
  unsigned long long stride[Rank];
  int box[Rank];
  bool rounds_to_tf32;
};

} // namespace tessera
