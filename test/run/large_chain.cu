// Two multiplies of a loop, the result of the first a factor of the second: with the factor that
// the loop does not change they are more than a block's shared memory holds.
#include "run.h"
#include <cuda_tile.h>
#include <vector>
namespace ct = cuda::tiles;

constexpr int rows = 256, width = 128, blocks = 2;
template <int R, int C> using floats = ct::tile<float, ct::shape<R, C>>;

__tile_global__ void chain(const __half *q, const __half *k, const __half *v, float *out) {
  auto all =
      ct::reshape(ct::iota<ct::tile<int, ct::shape<rows * width>>>(), ct::shape<rows, width>{});
  auto queries = ct::load(q + all);
  auto sum = ct::zeros<floats<rows, width>>();
  for (int block = 0; block < blocks; ++block) {
    auto here = all + block * rows * width;
    auto scores =
        ct::mma(queries, ct::transpose(ct::load(k + here)), ct::zeros<floats<rows, rows>>());
    sum = ct::mma(ct::element_cast<__half>(scores), ct::load(v + here), sum);
  }
  ct::store(out + all, sum);
}

int main() {
  auto sign = [](auto i) { return int(i * 7 % 13 % 3) - 1; }; // sums stay exact in half
  run::array<__half> q(rows * width, sign);
  run::array<__half> k(blocks * rows * width, [&](auto i) { return sign(i * 5 + 1); });
  run::array<__half> v(blocks * rows * width, [&](auto i) { return sign(i * 3 + i / 17); });
  run::array<float> out(rows * width);
  chain<<<1, 1>>>(q, k, v, out);
  std::vector<double> wanted(rows * width);
  for (int row = 0; row < rows; ++row)
    for (int key = 0; key < blocks * rows; ++key) {
      double score = 0;
      for (int at = 0; at < width; ++at)
        score += q[row * width + at] * k[key * width + at];
      for (int at = 0; at < width; ++at)
        wanted[row * width + at] += score * v[key * width + at];
    }
  run::expect("out", out, [&](auto i) { return wanted[i]; });
  return run::finish();
}
