// What the samples about norms share: the backward kernel, which leaves the gradients by weight and
// bias as partial sums of its blocks, the kernel that adds these, and the check of both.
#pragma once
#include "rows.h"

/// Gradients of y = (x - mean) * rstd * weight + bias by all of its inputs; without HasMean of
/// y = x * rstd * weight. mean, rstd: of each row. Block b takes rows b, b + num_blocks().x, and so
/// on; it writes its sums for weight to row b of partial, those for bias num_blocks().x rows below.
template <int Width, int Divisor, bool HasMean>
__tile_global__ void norm_backward(const bf16 *__restrict__ x, const bf16 *__restrict__ dy,
                                   const bf16 *__restrict__ weight, const float *__restrict__ mean,
                                   const float *__restrict__ rstd, bf16 *__restrict__ dx,
                                   float *__restrict__ partial, unsigned rows, unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto inputs = rows_of<Width>(x, rows, columns), gradients = rows_of<Width>(dy, rows, columns);
  auto to = rows_of<Width>(dx, rows, columns);
  auto scale = load_row<Width>(weight, columns);
  auto dweight = ct::zeros<decltype(scale)>(), dbias = dweight;

  const int block = ct::bid().x, blocks = ct::num_blocks().x;
  for (int row = block; row < int(rows); row += blocks) {
    auto normed = ct::element_cast<float>(inputs.load_masked(row, 0));
    if constexpr (HasMean)
      normed = normed - mean[row];
    normed = normed * rstd[row];
    auto gradient = ct::element_cast<float>(gradients.load_masked(row, 0));
    dweight = dweight + gradient * normed;
    if constexpr (HasMean)
      dbias = dbias + gradient;

    // Behind the end of the row the gradient is 0: nothing there counts in the sums.
    auto scaled = gradient * scale;
    auto change = scaled - normed * (ct::sum<1>(scaled * normed) / float(columns));
    if constexpr (HasMean)
      change = change - ct::sum<1>(scaled) / float(columns);
    to.store_masked(ct::element_cast<bf16>(change * rstd[row]), row, 0);
  }
  auto sums = rows_of<Width>(partial, (1 + HasMean) * blocks, columns);
  sums.store_masked(dweight, block, 0);
  if constexpr (HasMean)
    sums.store_masked(dbias, blocks + block, 0);
}

/// out[i, :] = the sum of rows i * summed to (i + 1) * summed - 1 of partial; i is bid.y. A block
/// has 64 columns.
template <int Divisor> __tile_global__ void sum_of_rows(const float *__restrict__ partial,
                                                        bf16 *__restrict__ out, unsigned summed,
                                                        unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  const int column = ct::bid().x, i = ct::bid().y;
  auto parts = ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(partial),
                      ct::extents{unsigned(ct::num_blocks().y), summed, columns}},
      ct::shape<1, 32, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, 32, 64>>>();
  for (auto step : ct::irange(0, int(summed + 31) / 32))
    sum = sum + parts.load_masked(i, step, column);
  auto to = ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(out), ct::extents{ct::num_blocks().y, columns}},
      ct::shape<1, 64>{}};
  to.store_masked(ct::element_cast<bf16>(ct::reshape(ct::sum<1>(sum), ct::shape<1, 64>{})), i,
                  column);
}

/// Ends the program unless dx, and the gradients by weight and, behind these, by bias are right.
template <bool HasMean>
void check_norm_backward(const std::vector<bf16> &x, const std::vector<bf16> &dy,
                         const std::vector<bf16> &weight, const std::vector<float> &mean,
                         const std::vector<float> &rstd, const std::vector<bf16> &dx,
                         const std::vector<bf16> &dparameters) {
  const unsigned columns = weight.size();
  std::vector<double> wanted(dparameters.size()), normed(columns), scaled(columns);
  for (std::size_t row = 0; row < rstd.size(); ++row) {
    for (unsigned i = 0; i < columns; ++i) {
      const double gradient = dy[row * columns + i];
      normed[i] = (double(x[row * columns + i]) - (HasMean ? mean[row] : 0)) * rstd[row];
      scaled[i] = gradient * float(weight[i]);
      wanted[i] += gradient * normed[i];
      if (HasMean)
        wanted[columns + i] += gradient;
    }
    const double dot = sample::sum_of(columns, [&](auto i) { return scaled[i] * normed[i]; }),
                 sum = HasMean ? sample::sum_of(columns, [&](auto i) { return scaled[i]; }) : 0;
    sample::expect_row(&dx[row * columns], row, columns, 1e-2, 1e-2, [&](auto i) {
      return (scaled[i] - (normed[i] * dot + sum) / columns) * rstd[row];
    });
  }
  for (std::size_t i = 0; i < 1 + HasMean; ++i)
    sample::expect_row(&dparameters[i * columns], rstd.size() + i, columns, 1e-2,
                       1e-3 * std::sqrt(double(rstd.size())),
                       [&](auto column) { return wanted[i * columns + column]; });
}

/// Runs, times and checks the backward pass of a norm of x. mean, rstd: of each row, as the forward
/// pass leaves them; a norm without mean has none.
template <bool HasMean> void run_norm_backward(const char *name, const std::vector<bf16> &x,
                                               const std::vector<bf16> &weight,
                                               const std::vector<float> &mean,
                                               const std::vector<float> &rstd) {
  const unsigned rows = rstd.size(), columns = weight.size(), outputs = 1 + HasMean;
  const auto dy = sample::random_vector<bf16>(x.size(), 4);
  // Each block adds up many rows.
  const unsigned blocks = std::min(rows, 2 * sample::multiprocessors());
  sample::device_array<bf16> device_x(x), device_dy(dy), device_weight(weight), device_dx(x.size()),
      device_dparameters(outputs * columns);
  sample::device_array<float> device_mean(mean), device_rstd(rstd),
      device_partial(std::size_t{outputs} * blocks * columns);
  const double time = sample::median_microseconds([&] {
    sample::launch_by_width(columns, [&]<int Width, int Divisor>() {
      norm_backward<Width, Divisor, HasMean>
          <<<blocks, 1>>>(device_x.get(), device_dy.get(), device_weight.get(), device_mean.get(),
                          device_rstd.get(), device_dx.get(), device_partial.get(), rows, columns);
    });
    const dim3 grid((columns + 63) / 64, outputs);
    sample::launch_by_divisor(columns, [&]<int Divisor>() {
      sum_of_rows<Divisor>
          <<<grid, 1>>>(device_partial.get(), device_dparameters.get(), blocks, columns);
    });
  });

  check_norm_backward<HasMean>(x, dy, weight, mean, rstd, device_dx.to_host(),
                               device_dparameters.to_host());
  sample::report_rows(name, rows, columns, 3.0 * x.size() * sizeof(bf16), time);
}
