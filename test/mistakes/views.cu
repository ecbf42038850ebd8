// [tile:partition_view] Indices, one for each dimension; the tile that is stored; paddings.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void indices(float *p, int *q, int n, tile<int, 8> x) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{n, n}}, ct::shape<4, 8>{}};
  auto x1 = view.load(0);
  //             ^ error: 'load' of partition_view<float, 4x8> with 1 index: the view has 2
  //               dimensions and takes one index for each [tile:partition_view/view-index-count]
  // right: auto x1 = view.load(0, 0);
  auto x2 = view.load(0, 1, 2);
  //             ^ error: 'load' of partition_view<float, 4x8> with 3 indices: the view has 2
  //               dimensions and takes one index for each [tile:partition_view/view-index-count]
  auto x3 = view.load(0_ic, 1);
  //             ^ error: 'load': index 0 is the constant 0_ic, but an index must be a number; write
  //               its value 0 [tile:partition_view/view-index-constant]
  // fix: auto x3 = view.load(0_ic(), 1);
  auto x4 = view.load(0, x);
  //             ^ error: 'load': index 1 has type tile<int, 8>; an index must be a number
  //               [tile:partition_view/view-index]
  // right: auto x4 = view.load(0, n);
  auto x5 = view.load_masked(0.0f, 0, 0);
  //             ^ error: 'load_masked' with a padding of type float: a padding is a mode, for
  //               example view_padding_zero_t{} [tile:view_padding/padding-is-value]
  // right: auto x5 = view.load_masked(ct::view_padding_zero_t{}, 0, 0);
  auto line = ct::partition_view{ct::tensor_span{q, ct::extents{n}}, ct::shape<8>{}};
  auto x6 = line.load_masked(ct::view_padding_nan_t{}, 0);
  //             ^ error: 'load_masked' of int with view_padding_nan_t: only floating-point elements
  //               can be infinity or NaN [tile:view_padding/padding-of-integers]
  // right: auto x6 = line.load_masked(ct::view_padding_zero_t{}, 0);
  auto rows = ct::gather_scatter_view{ct::tensor_span{p, ct::extents{n, n}}, ct::shape<4, 8>{},
                                      0_ic};
  auto x7 = rows.load(x, 0);
  //             ^ error: 'load': index 0 must be a tile of shape 4 that has the indices of the
  //               gathered elements, not tile<int, 8> [tile:gather_scatter_view/gather-index]
  // right: auto x7 = rows.load(ct::iota<tile<int, 4>>(), 0);
  auto x8 = rows.load(0, 0);
  //             ^ error: 'load': index 0 must be a tile of shape 4 that has the indices of the
  //               gathered elements, not int [tile:gather_scatter_view/gather-index]
}
__tile__ void stores(float *p, const float *c, int *q, int n, tile<float, 8> x,
                     tile<double, 4, 8> d, tile<float, 4, 8> y, tile<int, 4, 8> i) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{n, n}}, ct::shape<4, 8>{}};
  view.store(x, 0, 0);
  //   ^ error: 'store' of tile<float, 8>: the view has tiles of shape 4x8, and the value does not
  //     broadcast [tile:partition_view/view-store-shape]
  // right: view.store(ct::full<tile<float, 4, 8>>(1.0f), 0, 0);
  view.store(d, 0, 0);
  //   ^ error: 'store': double would narrow to float, the element type of the view; write
  //     ct::element_cast<float>(d) [tile:memory_operations/value-narrows]
  // fix: view.store(ct::element_cast<float>(d), 0, 0);
  view.store(1.0f, 0, 0);
  //   ^ error: 'store' of float: a view stores tiles of its shape 4x8
  //     [tile:partition_view/view-store-no-tile]
  // right: view.store(ct::full<tile<float, 4, 8>>(1.0f), 0, 0);
  view.store_masked(y, 0);
  //   ^ error: 'store_masked' of partition_view<float, 4x8> with 1 index: the view has 2 dimensions
  //     and takes one index for each [tile:partition_view/view-index-count]
  view.store(i, 0, 0);
  //   ^ error: 'store': int would narrow to float, the element type of the view; write
  //     ct::element_cast<float>(i) [tile:memory_operations/value-narrows]
  // fix: view.store(ct::element_cast<float>(i), 0, 0);
  auto fixed = ct::partition_view{ct::tensor_span{c, ct::extents{n, n}}, ct::shape<4, 8>{}};
  fixed.store(y, 0, 0);
  //    ^ error: 'store' through a view of float: its elements are const
  //      [tile:tensor_span/view-is-const]
  // right: view.store(y, 0, 0);
}
__tile__ void atomics(float *p, int *q, int n, tile<float, 4, 8> x, tile<int, 4, 8> i) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{n, n}}, ct::shape<4, 8>{}};
  auto ints = ct::partition_view{ct::tensor_span{q, ct::extents{n, n}}, ct::shape<4, 8>{}};
  view.atomic_max(x, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0, 0);
  //   ^ error: 'atomic_max' in memory of float: the elements must be integers of 32 and 64 bits
  //     [tile:atomics/atomic-target]
  ints.atomic_add(i, ct::memory_order_relaxed_t{}, 0, 0);
  //   ^ error: 'atomic_add' of a view has no default scope; write thread_scope_device_t{} or
  //     thread_scope_block_t{} after the order [tile:atomics/view-reduction-scope]
  // right: ints.atomic_add(i, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0, 0);
  ints.atomic_add(i, 0, 0);
  //   ^ error: 'atomic_add' of a view takes the order memory_order_relaxed_t{} and no other; write
  //     it after the value [tile:atomics/view-reduction-order]
  // right: ints.atomic_add(i, ct::memory_order_relaxed_t{}, ct::thread_scope_block_t{}, 0, 0);
  ints.atomic_add<ct::memory_order::relaxed>(i, 0, 0);
  //   ^ error: 'atomic_add' of a view takes order and scope as arguments: memory_order_relaxed_t{},
  //     and thread_scope_device_t{} or thread_scope_block_t{}
  //     [tile:atomics/view-reduction-arguments]
  // right: ints.atomic_add(i, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0, 0);
}
