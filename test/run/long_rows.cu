// Rows that no registers hold, of which parts of the columns are computed at a time: cross-entropy
// with its gradient, in a loop over rows, and behind a branch, which keeps it whole; unsigned
// numbers down the first dimension, two results in different orders, a sum of squares.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <algorithm>
#include <vector>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int R, int C, class T> __tile__ auto boxes_of(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}
using one = ct::tile<int, ct::shape<1>>;

// The loss of a row, and its gradient where `isWanted`, a condition that the plan does not know.
template <int C, bool MayBeUnwanted> __tile__ void entropy_of(const bf16 *x, const int *targets,
                                                              float *loss, bf16 *gradient, int row,
                                                              int rows, int columns) {
  const int target = targets[row];
  auto v = ct::reshape(
      ct::element_cast<float>(
          boxes_of<1, C>(x, rows, columns).load_masked(ct::view_padding_negative_inf_t{}, row, 0)),
      ct::shape<C>{});
  auto top = ct::reduce_max<0>(v);
  auto e = ct::exp(v - ct::broadcast<ct::shape<C>>(top));
  auto sum = ct::sum<0>(e);
  auto column = ct::iota<ct::tile<int, ct::shape<C>>>();
  auto zeros = ct::zeros<decltype(v)>();
  auto hit = ct::sum<0>(ct::select(column == target, v, zeros));
  ct::store(loss + row + ct::iota<one>(), ct::log(sum) + top - hit);
  if (MayBeUnwanted && target < 0)
    return;
  auto g = e / ct::broadcast<ct::shape<C>>(sum) -
           ct::select(column == target, ct::full<decltype(v)>(1.0f), zeros);
  boxes_of<1, C>(gradient, rows, columns)
      .store_masked(ct::element_cast<bf16>(ct::reshape(g, ct::shape<1, C>{})), row, 0);
}

template <int C>
__tile_global__ void entropy_or_not(const bf16 *__restrict__ x, const int *__restrict__ targets,
                                    float *__restrict__ loss, bf16 *__restrict__ gradient, int rows,
                                    int columns) {
  entropy_of<C, true>(x, targets, loss, gradient, ct::bid().x, rows, columns);
}

template <int C> __tile_global__ void entropy(const bf16 *__restrict__ x,
                                              const int *__restrict__ targets,
                                              float *__restrict__ loss, bf16 *__restrict__ gradient,
                                              int rows, int columns) {
  for (int row = ct::bid().x; row < rows; row += ct::num_blocks().x)
    entropy_of<C, false>(x, targets, loss, gradient, row, rows, columns);
}

// Of two columns of x: what is above the least, what is below the largest, and the squares' sum.
template <int C>
__tile_global__ void spans(const unsigned *__restrict__ x, unsigned *__restrict__ above,
                           unsigned *__restrict__ below, unsigned *__restrict__ squares, int rows) {
  const int j = ct::bid().x;
  auto v = boxes_of<C, 1>(x, rows, 2).load_masked(0, j);
  auto least = ct::reduce_min<0>(v), largest = ct::reduce_max<0>(v);
  boxes_of<C, 1>(above, rows, 2).store_masked(v - least, 0, j);
  boxes_of<1, C>(below, 2, rows).store_masked(ct::transpose(largest - v), j, 0);
  ct::store(squares + j + ct::iota<ct::tile<int, ct::shape<1, 1>>>(), ct::sum<0>(v * v));
}

int main() {
  const int rows = 3, columns = 50257;
  const std::size_t n = std::size_t(rows) * columns;
  run::array<bf16> x(n, [](auto i) { return run::small(i); }), gradient(n), again(n);
  run::array<int> targets(rows, [](auto i) { return i == 1 ? 20000 : i == 2 ? 50256 : 5; });
  run::array<float> loss(rows), loss_again(rows);
  std::vector<double> sums(rows);
  for (std::size_t i = 0; i < n; ++i)
    sums[i / columns] += std::exp(x[i]);
  auto wanted = [&](auto i) {
    return std::exp(x[i]) / sums[i / columns] - (int(i % columns) == int(targets[i / columns]));
  };
  auto wanted_loss = [&](auto i) {
    return std::log(sums[i]) - x[i * columns + std::size_t(targets[i])];
  };
  entropy<65536><<<2, 1>>>(x, targets, loss, gradient, rows, columns);
  run::expect("gradient", gradient, wanted);
  run::expect("loss", loss, wanted_loss, 1e-4);
  entropy_or_not<65536><<<rows, 1>>>(x, targets, loss_again, again, rows, columns);
  run::expect("gradient, if wanted", again, wanted);
  run::expect("loss", loss_again, wanted_loss, 1e-4);

  const int length = 40001;
  run::array<unsigned> u(std::size_t(2) * length, [](auto i) { return 7 + i * 7919 % 1000; }),
      above(u.size), below(u.size), squares(2);
  std::vector<double> largest(2), total(2);
  for (std::size_t i = 0; i < u.size; ++i) {
    largest[i % 2] = std::max(largest[i % 2], u[i]);
    total[i % 2] += u[i] * u[i];
  }
  spans<65536><<<2, 1>>>(u, above, below, squares, length);
  run::expect("above the least, a 0 beyond the end", above, [&](auto i) { return u[i]; }, 0);
  run::expect(
      "below the largest", below,
      [&](auto i) { return largest[i / length] - u[i % length * 2 + i / length]; }, 0);
  run::expect("squares", squares, [&](auto i) { return std::fmod(total[i], 4294967296.0); }, 0);
  return run::finish();
}
