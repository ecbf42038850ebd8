// reshape, transpose, permute and broadcast: where each element goes.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class Tile> __tile__ void keep(int *y, Tile tile) {
  auto flat = ct::reshape(tile, ct::shape<512>{});
  ct::store(y + ct::iota<ct::tile<int, ct::shape<512>>>(), flat);
}

__tile_global__ void rearranged(int *y) {
  auto matrix = ct::iota<ct::tile<int, ct::shape<16, 32>>>();
  auto cube = ct::reshape<ct::shape<4, 8, 16>>(matrix);
  keep(y, ct::transpose(matrix));
  keep(y + 512, ct::permute(cube, ct::dimension_map<2, 0, 1>{}));
  keep(y + 1024, ct::permute(cube, ct::dimension_map<0, 2, 1>{}));
  keep(y + 1536, ct::transpose(ct::reshape(matrix, ct::shape<2, 256>{})));
}

__tile_global__ void broadcasts(int *y) {
  auto column = ct::iota<ct::tile<int, ct::shape<16, 1>>>();
  auto row = ct::iota<ct::tile<int, ct::shape<32>>>();
  keep(y, ct::broadcast<ct::shape<16, 32>>(column));
  keep(y + 512, ct::broadcast(row, ct::shape<16, 32>{}));
  keep(y + 1024, column * 100 + row);
  keep(y + 1536, ct::broadcast<ct::shape<16, 32>>(7));
}

int main() {
  run::array<int> y(2048), z(2048);
  rearranged<<<1, 1>>>(y);
  run::expect("rearranged", y, [](auto i) {
    int k = int(i % 512);
    switch (i / 512) {
    case 0: return k % 16 * 32 + k / 16;
    case 1: return k / 8 % 4 * 128 + k % 8 * 16 + k / 32;
    case 2: return k / 128 * 128 + k % 8 * 16 + k / 8 % 16;
    default: return k % 2 * 256 + k / 2;
    }
  });
  broadcasts<<<1, 1>>>(z);
  run::expect("broadcasts", z, [](auto i) {
    int row = int(i % 512 / 32), column = int(i % 32);
    const int results[] = {row, column, row * 100 + column, 7};
    return results[i / 512];
  });
  return run::finish();
}
