// Tensor maps that launches pass to their kernels: generated functions make them from a kernel's
// arguments with these functions.
#pragma once

#include "../macros_begin.h"

#include "../config.cuh"
#include "../tensor_map.h"
#include "kernel.h"

#ifdef TESSERA_HAS_TILES
#include "../ops/bulk_ring.cuh"
#include "tensor_map.h"
#endif

#include <type_traits>
#include <utility>

namespace tessera::host {

#ifdef TESSERA_HAS_TILES

// Tensor map At, of the view for boxes of Tile's shape; none if the view does not allow bulk
// copies, or the driver has no tensor maps: the kernel then copies otherwise.
template <int At, class Tile, int Count, class T, int Rank>
void encode_tensor_map(tensor_maps<Count> &maps, const view<T, Rank> &v) {
  if (!detail::allows_boxes(v))
    return;
  constexpr int row_bytes = detail::boxes_of_tile<Tile>::swizzle::bytes;
  if (make_tensor_map<sizeof(T), row_bytes>(maps.map[At], detail::boxed<Tile>(v)) == cudaSuccess)
    maps.made |= 1u << At;
}

#endif

template <class F, F Make> struct tensor_map_maker_of;
template <int Count, class... P, void (*Make)(tensor_maps<Count> &, P...)>
struct tensor_map_maker_of<void (*)(tensor_maps<Count> &, P...), Make> {
  template <std::size_t... I> static void
  call(tensor_maps<Count> &maps, [[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    Make(maps, argument<P>(arguments[I])...);
  }
  static unsigned make(void *maps, void **arguments) {
    auto *made = ::new (maps) tensor_maps<Count>();
    call(*made, arguments, std::index_sequence_for<P...>());
    return made->made;
  }

  static constexpr tensor_map_maker value(unsigned needed) {
    return {&make, sizeof...(P), sizeof(tensor_maps<Count>), needed};
  }
};

// The maker of a kernel's tensor maps in a launch plan; bit i of `Needed`: the kernel does not run
// without tensor map i.
template <auto Make, unsigned Needed = 0> inline constexpr tensor_map_maker maps_by =
    tensor_map_maker_of<decltype(Make), Make>::value(Needed);

// For a kernel with parameters for tensor maps that another architecture's kernel takes: none
// exist.
template <unsigned Parameters, int Count> inline constexpr tensor_map_maker no_tensor_maps{
    [](void *maps, void **) { return (::new (maps) tensor_maps<Count>())->made; }, Parameters,
    sizeof(tensor_maps<Count>), 0};

} // namespace tessera::host

#include "../macros_end.h"
