// The complement of a block's index, also where a branch knows the index: of scalars and of tiles.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void complements(const int *x, int *result, short narrow) {
  const int block = ct::bid().x;
  const int *place = x + ((long long)(~block) & 63ll);
  int *to = result + block * 16;
  if (block == 0) {
    to[0] = place[narrow];
    to[1] = ~block & 31;
    to[2] = short(~short(block)) & 0x7ff;
    const auto tile = ~ct::full<ct::tile<int, ct::shape<8>>>(block) & 127;
    ct::store(to + 8 + ct::iota<ct::tile<int, ct::shape<8>>>(), tile);
  }
  to[3] = ~block;
  to[4] = int(~(long long)block & 1023);
  to[5] = int(~unsigned(block) >> 1);
  to[6] = ~(block == 1) & 7;
}

int main() {
  run::array<int> x(256, [](auto i) { return int(1000 + i); }), result(32);
  complements<<<2, 1>>>(x, result, 60);
  const int first[] = {1123, 31,  0x7ff, -1,  1023, 0x7fffffff, 7,   0,
                       127,  127, 127,   127, 127,  127,        127, 127};
  const int second[] = {0, 0, 0, -2, 1022, 0x7fffffff, 6};
  run::expect("complements", result, [&](auto i) {
    return i < 16 ? double(first[i]) : i < 23 ? double(second[i - 16]) : 0.0;
  });
  return run::finish();
}
