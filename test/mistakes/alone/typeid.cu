// [tile:classes] typeid without its header.
#include <cuda_tile.h>

__tile__ bool same(int n) {
  auto &b = typeid(n);
  //        ^ error: typeid needs <typeinfo>, but tile code has no run-time type information
  //          [tile:classes/no-type-information]
  // right: constexpr bool b = __is_same(decltype(n), int);
  return true;
}
