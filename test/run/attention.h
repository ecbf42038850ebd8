// Attention of one head in doubles, which tests hold results against.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace run {

/// Row i of `wanted` from `first` on, a matrix of [rows, D] as q, k and v have it there, becomes
/// softmax2(scale q k^T) v over the keys from begin(i) to i, or to the last one if `sees_all`.
template <int D, class T, class Begin>
void attention_of_head(std::vector<double> &wanted, const T &q, const T &k, const T &v,
                       std::size_t first, int rows, double scale, bool sees_all, Begin begin) {
  const auto at = [&](int row, int d) { return first + std::size_t(row) * D + d; };
  for (int i = 0; i < rows; ++i) {
    double weight = 0;
    for (int d = 0; d < D; ++d)
      wanted[at(i, d)] = 0;
    for (int j = begin(i); j < (sees_all ? rows : i + 1); ++j) {
      double score = 0;
      for (int d = 0; d < D; ++d)
        score += double(float(q[at(i, d)])) * float(k[at(j, d)]) * scale;
      const double p = std::exp2(score);
      weight += p;
      for (int d = 0; d < D; ++d)
        wanted[at(i, d)] += p * float(v[at(j, d)]);
    }
    for (int d = 0; d < D; ++d)
      wanted[at(i, d)] /= weight;
  }
}

} // namespace run
