// persistent_matmul: C = A B with as many blocks as the GPU runs at a time, each of which computes
// tile after tile of C. The tiles are taken in bands of eight rows, so that the blocks that run at
// the same time read the same rows of A and columns of B while the L2 cache has them. Sizes are
// template arguments here: the compiler knows every stride.
//
//   persistent_matmul [SIZE]      512, 1024, 2048, 4096 or 8192
#include "product.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <unsigned Size, int TileM, int TileN, int TileK> __tile_global__ void
matmul(const bf16 *__restrict__ a, const bf16 *__restrict__ b, bf16 *__restrict__ c) {
  using size = ct::extents<unsigned, Size, Size>;
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  auto a_tiles = ct::partition_view{ct::tensor_span{a, size{}}, ct::shape<TileM, TileK>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, size{}}, ct::shape<TileK, TileN>{}};
  auto c_tiles = ct::partition_view{ct::tensor_span{c, size{}}, ct::shape<TileM, TileN>{}};

  constexpr int rows = Size / TileM, columns = Size / TileN, band = rows < 8 ? rows : 8;
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int row = tile / (band * columns) * band + tile % band;
    const int column = tile % (band * columns) / band;
    auto sum = ct::zeros<ct::tile<float, ct::shape<TileM, TileN>>>();
    for (auto i : ct::irange(0, int(Size / TileK)))
      sum = ct::mma(a_tiles.load(row, i), b_tiles.load(i, column), sum);
    c_tiles.store(ct::element_cast<bf16>(sum), row, column);
  }
}

template <unsigned Size> void run() {
  constexpr unsigned tile_m = 128, tile_n = 256, tile_k = 64;
  const auto a = sample::random_vector<bf16>(std::size_t{Size} * Size, 1),
             b = sample::random_vector<bf16>(std::size_t{Size} * Size, 2);
  sample::device_array<bf16> device_a(a), device_b(b), device_c(std::size_t{Size} * Size);
  const unsigned tiles = (Size / tile_m) * (Size / tile_n);
  const unsigned blocks = std::min(tiles, sample::multiprocessors());
  const double time = sample::median_microseconds([&] {
    matmul<Size, tile_m, tile_n, tile_k>
        <<<blocks, 1>>>(device_a.get(), device_b.get(), device_c.get());
  });

  sample::expect_product(device_c.to_host(), Size, Size, Size, 1e-2, [&](auto row, auto column) {
    double wanted = 0;
    for (std::size_t i = 0; i < Size; ++i)
      wanted += double(float(a[row * Size + i])) * float(b[i * Size + column]);
    return wanted;
  });
  sample::report_product("persistent_matmul", Size, Size, Size, 2.0 * Size * Size * Size, time);
}

int main(int argc, char **argv) {
  switch (sample::size_argument(argc, argv, 1, 1024)) {
  case 512: return run<512>(), 0;
  case 1024: return run<1024>(), 0;
  case 2048: return run<2048>(), 0;
  case 4096: return run<4096>(), 0;
  case 8192: return run<8192>(), 0;
  }
  return std::fprintf(stderr, "error: persistent_matmul has sizes 512 to 8192, powers of two\n"), 1;
}
