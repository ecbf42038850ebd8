// `b = c ? a : b` of tiles, of structs of them, of elements of arrays, on both sides of `=`, in
// straight lines and in loops: the choice is of variables, the copy of what they hold.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<1, 4>>;

struct pair {
  row first;
  ct::tile<float, ct::shape<4>> second;
  int count;
};

__tile_global__ void tiles(int *o, int n) {
  row a = ct::iota<row>(), b = ct::full<row>(n);
  b = n < 3 ? a : b;
  ct::store(o + ct::iota<row>(), b);
  for (int i = 0; i < n; ++i) {
    a = a + 1;
    b = ((i < 3 || n > 5) ? a : b);
  }
  ct::store(o + 4 + ct::iota<row>(), b);
  (n & 1 ? a : b) = ct::full<row>(-n);
  ct::store(o + 8 + ct::iota<row>(), a);
  ct::store(o + 12 + ct::iota<row>(), b);
}

__tile_global__ void structs(int *o, int n) {
  pair a{ct::iota<row>(), ct::full<ct::tile<float, ct::shape<4>>>(1.5f), 3};
  pair b{ct::full<row>(n), ct::element_cast<float>(ct::iota<ct::tile<int, ct::shape<4>>>()), 4};
  pair c = n > 2 ? a : b;
  b = n == 2 ? a : n == 4 ? b : c;
  ct::store(o + ct::iota<row>(), c.first + c.count);
  ct::store(o + 4 + ct::iota<ct::tile<int, ct::shape<4>>>(),
            ct::element_cast<int>(b.second * 2.0f) + b.count);
}

__tile_global__ void elements(int *o, int n) {
  row rows[2] = {ct::iota<row>(), ct::full<row>(n)};
  rows[0] = n > 1 ? rows[1] : rows[0];
  const row &seen = n & 1 ? rows[0] : rows[1];
  ct::store(o + ct::iota<row>(), seen + rows[0]);
}

int main() {
  for (int n = 1; n < 7; ++n) {
    run::array<int> o(16), p(8), q(4);
    tiles<<<1, 1>>>(o, n);
    structs<<<1, 1>>>(p, n);
    elements<<<1, 1>>>(q, n);
    int a[4], b[4], first[4];
    for (int i = 0; i < 4; ++i) {
      a[i] = i;
      first[i] = b[i] = n < 3 ? i : n;
      for (int j = 0; j < n; ++j) {
        ++a[i];
        b[i] = j < 3 || n > 5 ? a[i] : b[i];
      }
    }
    run::expect("tiles", o, [&](auto i) {
      return i < 4    ? first[i]
             : i < 8  ? b[i - 4]
             : i < 12 ? (n & 1 ? -n : a[i - 8])
                      : (n & 1 ? b[i - 12] : -n);
    });
    bool isA = n > 2, isThenA = n == 2 || (n != 4 && isA);
    run::expect("structs", p, [&](auto i) {
      if (i < 4)
        return isA ? int(i) + 3 : n + 4;
      return isThenA ? 3 + 3 : 2 * (int(i) - 4) + 4;
    });
    run::expect("elements", q, [&](auto i) {
      int zeroth = n > 1 ? n : int(i);
      return (n & 1 ? zeroth : n) + zeroth;
    });
  }
  return run::finish();
}
