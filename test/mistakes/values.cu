// [tile:tile] Tiles are values: no elements to index, no assignment of parts, no constants.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void values(tile<int, 8> x, tile<float, 8> f, tile<__nv_tf32, 8> t, tile<int *, 8> p,
                     __half h, float s, int *q) {
  x += 1;
 // ^ error: '+=' of tile<int, 8>: tiles have no compound assignment; write x = x + 1
 //   [tile:tile/compound-assignment]
  // fix: x = x + 1;
  f *= f - 1.0f;
 // ^ error: '*=' of tile<float, 8>: tiles have no compound assignment; write f = f * (f - 1.0f)
 //   [tile:tile/compound-assignment]
  // fix: f = f * (f - 1.0f);
  x <<= 2;
 // ^ error: '<<=' of tile<int, 8>: tiles have no compound assignment; write x = x << 2
 //   [tile:tile/compound-assignment]
  // fix: x = x << 2;
  ++x;
//^ error: tile<int, 8> has no ++ and --; write x = x + 1 [tile:tile/increment]
  // right: x = x + 1;
  auto a = x[0];
  //        ^ error: tile<int, 8> cannot be indexed: a tile is one value; extract takes a part of it
  //          [tile:tile/tile-subscript]
  // right: auto a = ct::extract(x, ct::shape<1>{}, 0);
  auto b = x.size();
  //         ^ error: tile<int, 8> has no member 'size'; tile_element_t<T> and tile_shape_t<T> give
  //           the element type and the shape of a tile [tile:tile/no-member-of-tile]
  auto c = -t;
  //       ^ error: '-' of tile<__nv_tf32, 8>: __nv_tf32 has no arithmetic; convert it with
  //         element_cast<float> [tile:arithmetic_operations/not-arithmetic]
  auto d = ~f;
  //       ^ error: '~' of tile<float, 8>: only integers are allowed
  //         [tile:arithmetic_operations/integers-only]
  auto e = *p;
  //       ^ error: * of tile<int *, 8>; load(x) and store(x, value) access memory through its
  //         pointers [tile:memory_operations/indirection]
  // right: auto e = ct::load(p);
  auto g = h * s;
  //         ^ error: '*' of __half and float: C++ has no rule for this pair; convert one of them
  //           with element_cast [tile:scalar_conversion/mixed-scalars]
  // right: auto g = ct::element_cast<float>(h) * s;
  constexpr auto zero = ct::zeros<tile<int, 8>>();
  //             ^ error: 'zero' of type tile<int, 8> is constexpr, but operations of tiles are not
  //               constant expressions; write const [tile:tile/constant-tile]
  // right: const auto zero = ct::zeros<tile<int, 8>>();
  auto span = ct::tensor_span{q, ct::extents{8}};
  auto i = span[0];
  //           ^ error: tensor_span<int, ?> cannot be indexed; a view of it loads and stores tiles
  //             [tile:tensor_span/span-subscript]
  // right: auto i = ct::partition_view{span, ct::shape<8>{}}.load(0);
  auto j = span.stride(0);
  //            ^ error: tensor_span<int, ?> has no member 'stride': it has extents() and mapping()
  //              [tile:tensor_span/no-member-of-span]
  // right: auto j = span.mapping();
  auto view = ct::partition_view{span, ct::shape<8>{}};
  view.atomic_xchg(x, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0);
  //   ^ error: partition_view<int, 8> has no member 'atomic_xchg'
  //     [tile:partition_view/no-member-of-view]
  // right: view.atomic_add(x, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0);
  auto k = !x.shape();
  //          ^ error: tile<int, 8> has no member 'shape'; tile_element_t<T> and tile_shape_t<T>
  //            give the element type and the shape of a tile [tile:tile/no-member-of-tile]
}
