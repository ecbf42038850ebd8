// What a bulk copy is told of an array: the driver's 128 bytes, or under the emulator its own. Made
// by the host (host/tensor_map.h), given to a kernel as a __grid_constant__ parameter.
#pragma once

namespace tessera {

struct alignas(64) tensor_map {
  unsigned char bytes[128];
};

} // namespace tessera
