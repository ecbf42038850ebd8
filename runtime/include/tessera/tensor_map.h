// What a bulk copy is told of an array: the driver's 128 bytes, or under the emulator its own. Made
// by the host (host/tensor_map.h), given to a kernel as a __grid_constant__ parameter, or by a
// kernel (arch/bulk.cuh).
#pragma once

namespace tessera {

struct alignas(64) tensor_map {
  unsigned char bytes[128];
};

constexpr int most_dimensions = 5;

// The maps that a launch gives a kernel as its last parameter, and of which of its views there are
// any: bit i for map i.
template <int Count> struct box_maps {
  tensor_map map[Count];
  unsigned made;
};

// Where a box starts, the fastest dimension first. It may be outside.
template <int Rank> struct box_place {
  int at[Rank];
};

// An array of elements and the boxes of it that are copied, the fastest dimension first: how many
// elements it has along each, bytes from one to the next (multiples of 16 below 2^40; for the
// fastest nothing is said), and those of a box (up to 256). The base is aligned to 16 bytes.
// Elements are copied as they are, or floats rounded to the nearest tf32, ties to even.
template <int Rank> struct boxed_array {
  const void *base;
  unsigned extent[Rank];
  unsigned long long stride[Rank];
  int box[Rank];
  bool rounds_to_tf32;
};

} // namespace tessera
