// [tile:tile_compatible_shape] There are no tiles of such shapes and elements.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

struct point {
  int x, y;
};
enum color { red };

__tile__ void shapes() {
  ct::tile<float, ct::shape<3>> a;
  //  ^ error: no tile has the shape 3: the extent 3 is not a power of two; the nearest are 2 and 4
  //    [tile:tile/extent-of-shape]
  // right: ct::tile<float, ct::shape<4>> a;
  tile<float, 4, 6> b;
//^ error: no tile has the shape 4x6: the extent 6 is not a power of two; the nearest are 4 and 8
//  [tile:tile/extent-of-shape]
  ct::tile<signed char, ct::shape<8192, 4096>> c;
  //  ^ error: a tile of shape 8192x4096 has more than 16777216 elements [tile:tile/tile-too-large]
  // right: ct::tile<signed char, ct::shape<64, 64>> c;
  ct::tile<int, ct::extents<short, 4, 8>> d;
  //  ^ error: extents<short, 4, 8> is not a shape of a tile; write shape<...> with compile-time
  //    constants [tile:tile_compatible_shape/no-shape]
  // right: ct::tile<int, ct::shape<4, 8>> d;
  tile<float, 0> e;
//^ error: no tile has the shape 0: the extent 0 is not a power of two; the smallest is 1
//  [tile:tile/extent-of-shape]
  auto f = ct::zeros<tile<float, 48>>();
  //                 ^ error: no tile has the shape 48: the extent 48 is not a power of two; the
  //                nearest are 32 and 64 [tile:tile/extent-of-shape]
}
__tile__ void elements() {
  tile<int **, 4> a;
//^ error: int ** is not an element type of tiles; elements are integers of 8 to 64 bits,
//  floating-point types, and pointers to them and to void [tile:tile_element_type/no-element]
  // right: tile<int *, 4> a;
  tile<point, 4> b;
//^ error: point is not an element type of tiles; elements are integers of 8 to 64 bits,
//  floating-point types, and pointers to them and to void [tile:tile_element_type/no-element]
  tile<color, 4> c;
//^ error: color is not an element type of tiles; elements are integers of 8 to 64 bits,
//  floating-point types, and pointers to them and to void [tile:tile_element_type/no-element]
  tile<const int, 4> d;
  //                 ^ error: the element type of a tile must not be const or volatile
  //                [tile:tile_element_type/qualified-element]
  // right: tile<int, 4> d;
  tile<__half2, 4> e;
//^ error: __half2 is not an element type of tiles; elements are integers of 8 to 64 bits,
//  floating-point types, and pointers to them and to void [tile:tile_element_type/no-element]
  ct::dimension_map<0, 0> f;
  //  ^ error: dimension_map<0, 0> is not a permutation; it must name each dimension from 0 on once
  //    [tile:dimension_map/no-permutation]
  // right: ct::dimension_map<1, 0> f;
}

// The shape is a parameter of the kernel, the launch chooses a wrong one.
template <int N> __tile_global__ void fill(float *p) {
  auto x = ct::zeros<ct::tile<float, ct::shape<N>>>();
  //                     ^ error: no tile has the shape 100: the extent 100 is not a power of two;
  //                the nearest are 64 and 128 [tile:tile/extent-of-shape]
}
void launch(float *p) { fill<100><<<1, 1>>>(p); }
//                      ^ note: in fill<100>, launched at classes.cu:*
