// [tile:tile_conversion] Two types where C++ has one: of one auto, of one function, of one name.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void declarations(tile<float, 64> x, tile<float, 64> y) {
  auto row = ct::reshape(x, ct::shape<1, 64>{}), column = ct::reshape(y, ct::shape<64, 1>{});
//^ error: auto makes 'row' a tile<float, 1x64> and 'column' a tile<float, 64x1>, but variables of
//  one auto have the same type; write auto for each [tile:tile_conversion/one-auto]
  // right: auto row = ct::reshape(x, ct::shape<1, 64>{});
  auto same = x + y, other = 1.0f;
//^ error: auto makes 'same' a tile<float, 64> and 'other' a float, but variables of one auto have
//  the same type; write auto for each [tile:tile_conversion/one-auto]
  // right: auto same = x + y;
  tile<float, 64> again = x;
  tile<float, 1> again = ct::sum<0>(x);
  //             ^ error: 'again' is tile<float, 64>, and is declared again as tile<float, 1>; use
  //               another name [tile:tile_conversion/declared-again]
  // right: tile<float, 1> summed = ct::sum<0>(x);
}
__tile__ auto returned(tile<float, 64> x, bool b) {
  if (b)
    return ct::reshape(x, ct::shape<1, 64>{});
  return ct::reshape(x, ct::shape<64, 1>{});
//^ error: this return gives tile<float, 64x1>, and an earlier return gives tile<float, 1x64>; a
//  function with return type auto must return one type [tile:tile_conversion/one-result]
  // right: return ct::reshape(x, ct::shape<1, 64>{});
}
__tile__ void lambdas(tile<float, 64> x, bool b) {
  auto pick = [=] {
    if (b)
      return x;
    return ct::sum<0>(x);
 // ^ error: this return gives tile<float, 1>, and an earlier return gives tile<float, 64>; a
 //   function with return type auto must return one type [tile:tile_conversion/one-result]
    // right: return x;
  };
}
