// Tensor maps, whose bytes are the boxes that they describe, and the boxes of copies.
#include "block.h"

#include <tessera/host/fork.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace tessera::emulate {

box_coordinates::box_coordinates(const tensor_map &map, const int *coordinates) : of(), at() {
  std::memcpy(&of, map.bytes, sizeof of);
  std::copy_n(coordinates, of.rank, at.begin());
}

std::size_t box_coordinates::bytes() const {
  auto result = static_cast<std::size_t>(of.element_bytes);
  for (int d = 0; d != of.rank; ++d)
    result *= static_cast<std::size_t>(of.box[d]);
  return result;
}

bool has_maps() {
  const char *chosen = std::getenv("TESSERA_EMULATE_MAPS");
  return !chosen || *chosen != '0';
}

void make_map(tensor_map &map, int rank, int element_bytes, const void *base,
              const unsigned *extents, const unsigned long long *strides, const int *box,
              bool rounds_to_tf32) {
  boxes made{const_cast<void *>(base), rank, element_bytes, {}, {}, {}, rounds_to_tf32};
  static_assert(sizeof made <= sizeof map.bytes, "a map has room for it");
  map = {};
  std::copy_n(strides, rank, made.stride);
  std::copy_n(extents, rank, made.extent);
  std::copy_n(box, rank, made.box);
  made.stride[0] = element_bytes;
  std::memcpy(map.bytes, &made, sizeof made);
}

const tensor_map *known_tensor_map(const tensor_map &map) {
  struct known_tensor_maps {
    std::mutex mutex;
    std::map<std::array<unsigned char, sizeof map.bytes>, tensor_map> maps;
  };
  static constinit host::per_process<known_tensor_maps> one;
  known_tensor_maps &known = one.get();
  std::array<unsigned char, sizeof map.bytes> key;
  std::copy_n(map.bytes, key.size(), key.begin());
  const std::scoped_lock lock(known.mutex);
  return &known.maps.try_emplace(key, map).first->second;
}

} // namespace tessera::emulate
