// [tile:general_principles] Shapes are aligned to the right; extents are equal or 1.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void sums(tile<float, 4, 8> x, tile<float, 4, 16> y, tile<float, 4> column) {
  auto a = x + y;
  //         ^ error: '+' of tile<float, 4x8> and tile<float, 4x16>: the shapes do not broadcast;
  //           along dimension 1 the extents are 8 and 16, and neither is 1
  //           [tile:general_principles/shapes-do-not-broadcast]
  // right: auto a = x + ct::extract(y, ct::shape<4, 8>{}, 0, 0);
  auto b = x - column;
  //         ^ error: '-' of tile<float, 4x8> and tile<float, 4>: the shapes do not broadcast; along
  //           dimension 1 the extents are 8 and 4, and neither is 1
  //           [tile:general_principles/shapes-do-not-broadcast]
  auto c = ct::mul(x, y);
  //       ^ error: 'mul' of tile<float, 4x8> and tile<float, 4x16>: the shapes do not broadcast;
  //         along dimension 1 the extents are 8 and 16, and neither is 1
  //         [tile:general_principles/shapes-do-not-broadcast]
  auto d = ct::max(column, y);
  //       ^ error: 'max' of tile<float, 4> and tile<float, 4x16>: the shapes do not broadcast;
  //         along dimension 1 the extents are 4 and 16, and neither is 1
  //         [tile:general_principles/shapes-do-not-broadcast]
}
__tile__ void comparisons(tile<int, 8> x, tile<int, 2, 4> y, tile<bool, 2> mask) {
  auto a = x < y;
  //         ^ error: '<' of tile<int, 8> and tile<int, 2x4>: the shapes do not broadcast; along
  //           dimension 1 the extents are 8 and 4, and neither is 1
  //           [tile:general_principles/shapes-do-not-broadcast]
  auto b = (x == 3) && mask;
  //                ^ error: '&&' of tile<bool, 8> and tile<bool, 2>: the shapes do not broadcast;
  //                along dimension 0 the extents are 8 and 2, and neither is 1
  //                [tile:general_principles/shapes-do-not-broadcast]
  auto c = x << y;
  //         ^ error: '<<' of tile<int, 8> and tile<int, 2x4>: the shapes do not broadcast; along
  //           dimension 1 the extents are 8 and 4, and neither is 1
  //           [tile:general_principles/shapes-do-not-broadcast]
}
__tile__ void pointers(tile<float *, 8> p, tile<int, 16> n) {
  auto a = p + n;
  //         ^ error: '+' of tile<float *, 8> and tile<int, 16>: the shapes do not broadcast; along
  //           dimension 0 the extents are 8 and 16, and neither is 1
  //           [tile:general_principles/shapes-do-not-broadcast]
  auto b = p - tile<float *, 4>();
  //         ^ error: '-' of tile<float *, 8> and tile<float *, 4>: the shapes do not broadcast;
  //           along dimension 0 the extents are 8 and 4, and neither is 1
  //           [tile:general_principles/shapes-do-not-broadcast]
}

// Inside a template the instance is named.
template <int M, int N> __tile_global__ void scale(float *p) {
  auto x = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  auto y = ct::zeros<ct::tile<float, ct::shape<N>>>();
  auto w = [&] { return ct::reshape(y, ct::shape<N, 1>{}) * x; }();
  //                                                      ^ error: '*' of tile<float, 8x1> and
  //                tile<float, 4x8>: the shapes do not broadcast; along dimension 0 the extents are
  //                8 and 4, and neither is 1 [tile:general_principles/shapes-do-not-broadcast]
  // right: auto w = [&] { return ct::reshape(y, ct::shape<1, N>{}) * x; }();
}
template <class T> __tile__ auto halved(T x) { return x / tile<float, 3 * 4 + 4>(); }
//                                                      ^ error: '/' of tile<float, 8> and
//                  tile<float, 16>: the shapes do not broadcast; along dimension 0 the extents are
//                  8 and 16, and neither is 1 [tile:general_principles/shapes-do-not-broadcast]
// right: template <class T> __tile__ auto halved(T x) { return x / tile<float, 8>(); }
template <int N> __tile_global__ void calls(float *p) {
  auto x = halved(ct::zeros<ct::tile<float, ct::shape<N>>>());
}
void launches(float *p) {
  scale<4, 8><<<1, 1>>>(p);
//^ note: in scale<4, 8>, launched at broadcast.cu:*
  scale<8, 8><<<1, 1>>>(p);
  calls<8><<<1, 1>>>(p);
//^ note: in halved<tile<float, 8>>, called at broadcast.cu:*, in calls<8>, launched at
//  broadcast.cu:*
}
