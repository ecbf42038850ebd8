// Maps of bulk copies that launches give their kernels: emitted functions make them of a kernel's
// arguments, and name what is here.
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

// Map At, of the view for boxes of Tile's shape; none where the view allows no bulk copies, or the
// driver has no maps: the kernel copies otherwise then.
template <int At, class Tile, int Count, class T, int Rank>
void make_box_map(box_maps<Count> &maps, const view<T, Rank> &v) {
  if (!detail::allows_boxes(v))
    return;
  constexpr int row_bytes = detail::boxes_of_tile<Tile>::swizzle::bytes;
  if (make_tensor_map<sizeof(T), row_bytes>(maps.map[At], detail::boxed<Tile>(v)) == cudaSuccess)
    maps.made |= 1u << At;
}

#endif

template <class F, F Make> struct map_maker_of;
template <int Count, class... P, void (*Make)(box_maps<Count> &, P...)>
struct map_maker_of<void (*)(box_maps<Count> &, P...), Make> {
  template <std::size_t... I> static void
  call(box_maps<Count> &maps, [[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    Make(maps, argument<P>(arguments[I])...);
  }
  static unsigned make(void *maps, void **arguments) {
    auto *made = ::new (maps) box_maps<Count>();
    call(*made, arguments, std::index_sequence_for<P...>());
    return made->made;
  }

  static constexpr map_maker value(unsigned needed) {
    return {&make, sizeof...(P), sizeof(box_maps<Count>), needed};
  }
};

// What a launch plan says of the function that makes a kernel's maps; bit i of `Needed`: the kernel
// does not run without map i.
template <auto Make, unsigned Needed = 0> inline constexpr map_maker maps_by =
    map_maker_of<decltype(Make), Make>::value(Needed);

// Of a kernel that has room for maps which another architecture's takes: there are none.
template <unsigned Parameters, int Count> inline constexpr map_maker no_maps{
    [](void *maps, void **) { return (::new (maps) box_maps<Count>())->made; }, Parameters,
    sizeof(box_maps<Count>), 0};

} // namespace tessera::host

#include "../macros_end.h"
