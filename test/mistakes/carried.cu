// Variables that loops carry: a tile keeps its type, and has no compound assignment; in templates,
// too, beside operators of other headers.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using F8 = ct::tile<float, ct::shape<8>>;
using F81 = ct::tile<float, ct::shape<8, 1>>;
using F88 = ct::tile<float, ct::shape<8, 8>>;

__tile_global__ void carried(float *p, int n) {
  auto m = ct::zeros<F88>();
  auto sum = ct::zeros<F81>();
  F81 rows = ct::zeros<F81>();
  auto h = ct::zeros<ct::tile<__half, ct::shape<8>>>();
  auto first = ct::load(p);
  for (int i = 0; i < n; ++i) {
    sum = sum + m;
    //  ^ error: tile<float, 8x8> does not convert to the type of 'sum', which is a tile<float, 8x1>
    //    by its first value; broadcast the first value, or declare another variable
    //    [tile:tile_conversion/first-value]
    // right: auto wide = sum + m;
    rows = m;
    //   ^ error: tile<float, 8x8> does not convert to tile<float, 8x1>: the shapes differ; change
    //     the shape with reshape or broadcast [tile:tile_conversion/tile-shapes]
    // right: rows = ct::sum<1>(m);
    h = h * ct::zeros<F8>();
   // ^ error: tile<float, 8> does not convert to tile<__half, 8> implicitly: float would narrow to
   //   __half; write ct::element_cast<__half>(h * ct::zeros<F8>())
   //   [tile:tile_conversion/elements-narrow]
    // fix: h = ct::element_cast<__half>(h * ct::zeros<F8>());
    first = first + ct::zeros<F8>();
    //            ^ error: tile<float, 8> does not convert to float: the tile has 8 elements, and a
    //              scalar has one [tile:tile_conversion/tile-many-to-scalar]
    // right: first = first + 1.0f;
  }
}

template <class A, class B> __tile__ auto add_to(A a, B b) {
  a += b;
 // ^ error: '+=' of tile<float, 8>: tiles have no compound assignment; write a = a + b
 //   [tile:tile/compound-assignment]
  // fix: a = a + b;
  return a;
}
template <class A> __tile__ void scale(A a) {
  auto by = [&](auto x) { x *= a + a; };
  //                        ^ error: '*=' of tile<int, 8>: tiles have no compound assignment; write
  //                x = x * (a + a) [tile:tile/compound-assignment]
  // fix: auto by = [&](auto x) { x = x * (a + a); };
  by(a);
}
template <class A> __tile__ void shift(A a) {
  A b = a;
  b <<= 3;
 // ^ error: '<<=' of tile<int, 8>: tiles have no compound assignment; write b = b << 3
 //   [tile:tile/compound-assignment]
  // fix: b = b << 3;
}
template <int N> __tile__ void grow(float *p) {
  auto x = ct::zeros<ct::tile<float, ct::shape<N>>>();
  for (int i = 0; i < N; ++i)
    x = ct::cat<0>(x, x);
   // ^ error: tile<float, 8> does not convert to the type of 'x', which is a tile<float, 4> by its
   //   first value; broadcast the first value, or declare another variable
   //   [tile:tile_conversion/first-value]
    // right: x = x + x;
}
template <class T> __tile__ void scalar(T x, float *p) {
  auto part = p[0];
  part += x;
  //   ^ error: tile<float, 8> does not convert to float: the tile has 8 elements, and a scalar has
  //     one [tile:tile_conversion/tile-many-to-scalar]
}
__tile_global__ void templates(float *p) {
  auto x = ct::zeros<F8>();
  auto y = add_to(x, x);
  //       ^ note: in add_to<tile<float, 8>, tile<float, 8>>, called at carried.cu:*
  scale(ct::zeros<ct::tile<int, ct::shape<8>>>());
//^ note: in a lambda, called at carried.cu:*, in scale<tile<int, 8>>, called at carried.cu:*
  shift(ct::zeros<ct::tile<int, ct::shape<8>>>());
//^ note: in shift<tile<int, 8>>, called at carried.cu:*
  grow<4>(p);
//^ note: in grow<4>, called at carried.cu:*
  scalar(x, p);
//^ note: in scalar<tile<float, 8>>, called at carried.cu:*
}
