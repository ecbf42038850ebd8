// The kernel that scale.c launches: y = factor * x, whatever their strides.
#include <cuda_tile.h>
#include <tessera/interop/export.h>
#include <tessera/interop/tensor_span.h>
namespace ct = cuda::tiles;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

template <class T> __tile_global__ void scale(array<const T, 2> x, array<T, 2> y, T factor) {
  auto from = ct::partition_view{ct::tensor_span{x}, ct::shape<16, 16>{}};
  auto to = ct::partition_view{ct::tensor_span{y}, ct::shape<16, 16>{}};
  auto [row, column, _] = ct::bid();
  to.store_masked(from.load_masked(row, column) * factor, row, column);
}
TESSERA_EXPORT_KERNEL(scale, scale<float>);
