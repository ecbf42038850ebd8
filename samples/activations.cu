// activations: swiglu, y = a sigmoid(a) b for rows that have a and b side by side, and gelu by its
// approximation with tanh, y = x sigmoid(2 u) with u = sqrt(2 / pi) (x + 0.044715 x^3); both with
// their gradients, bf16 in memory, f32 inside. Nothing is kept for the gradients: they are computed
// from the inputs.
//
//   activations [ROWS COLUMNS]
#include "rows.h"

constexpr int width = 2048;

template <class Tile> __tile__ Tile sigmoid(Tile x) {
  return ct::div(1.0f, 1.0f + ct::exp(-x), ct::round_approximate_t{});
}

/// Rows of `vectors` vectors each, in tiles of a part of a vector.
template <class T> __tile__ auto parts_of(T *p, unsigned rows, unsigned vectors, unsigned columns) {
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{rows, vectors, columns}},
      ct::shape<1, 1, width>{}};
}

template <int Divisor> __tile_global__ void swiglu(const bf16 *__restrict__ x, bf16 *__restrict__ y,
                                                   unsigned rows, unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto from = parts_of(x, rows, 2, columns);
  const int part = ct::bid().x, row = ct::bid().y;
  auto a = ct::element_cast<float>(from.load_masked(row, 0, part));
  auto b = ct::element_cast<float>(from.load_masked(row, 1, part));
  parts_of(y, rows, 1, columns)
      .store_masked(ct::element_cast<bf16>(a * sigmoid(a) * b), row, 0, part);
}

template <int Divisor>
__tile_global__ void swiglu_backward(const bf16 *__restrict__ x, const bf16 *__restrict__ dy,
                                     bf16 *__restrict__ dx, unsigned rows, unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto from = parts_of(x, rows, 2, columns);
  auto to = parts_of(dx, rows, 2, columns);
  const int part = ct::bid().x, row = ct::bid().y;
  auto a = ct::element_cast<float>(from.load_masked(row, 0, part));
  auto b = ct::element_cast<float>(from.load_masked(row, 1, part));
  auto gradient = ct::element_cast<float>(parts_of(dy, rows, 1, columns).load_masked(row, 0, part));
  auto gate = sigmoid(a);
  auto da = gradient * b * gate * (1.0f + a * (1.0f - gate));
  to.store_masked(ct::element_cast<bf16>(da), row, 0, part);
  to.store_masked(ct::element_cast<bf16>(gradient * a * gate), row, 1, part);
}

/// sigmoid(2 u)
template <class Tile> __tile__ Tile gate_of_gelu(Tile x) {
  return sigmoid(1.59576912f * x * (1.0f + 0.044715f * x * x));
}

template <int Divisor>
__tile_global__ void gelu(const bf16 *__restrict__ x, bf16 *__restrict__ y, unsigned size) {
  size = ct::assume_divisible<Divisor>(size);
  const int part = ct::bid().x;
  auto value = ct::element_cast<float>(parts_of(x, 1, 1, size).load_masked(0, 0, part));
  parts_of(y, 1, 1, size)
      .store_masked(ct::element_cast<bf16>(value * gate_of_gelu(value)), 0, 0, part);
}

template <int Divisor> __tile_global__ void gelu_backward(const bf16 *__restrict__ x,
                                                          const bf16 *__restrict__ dy,
                                                          bf16 *__restrict__ dx, unsigned size) {
  size = ct::assume_divisible<Divisor>(size);
  const int part = ct::bid().x;
  auto value = ct::element_cast<float>(parts_of(x, 1, 1, size).load_masked(0, 0, part));
  auto gradient = ct::element_cast<float>(parts_of(dy, 1, 1, size).load_masked(0, 0, part));
  auto gate = gate_of_gelu(value);
  auto slope = 1.59576912f * (1.0f + 3 * 0.044715f * value * value);
  auto change = gradient * gate * (1.0f + value * slope * (1.0f - gate));
  parts_of(dx, 1, 1, size).store_masked(ct::element_cast<bf16>(change), 0, 0, part);
}

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::size_argument(argc, argv, 2, 1024);
  const std::size_t size = std::size_t{rows} * columns;
  const auto x = sample::random_vector<bf16>(2 * size, 1);
  const auto dy = sample::random_vector<bf16>(size, 2);
  sample::device_array<bf16> device_x(x), device_dy(dy), device_y(size), device_dx(2 * size);

  const dim3 grid((columns + width - 1) / width, rows);
  const double bytes = double(size) * sizeof(bf16);
  auto report = [&](const char *name, double arrays, double time) {
    sample::report_rows(name, rows, columns, arrays * bytes, time);
  };
  auto at = [](const std::vector<bf16> &array, std::size_t i) { return double(array[i]); };

  double time = sample::median_microseconds([&] {
    sample::launch_by_divisor(columns, [&]<int Divisor>() {
      swiglu<Divisor><<<grid, 1>>>(device_x.get(), device_y.get(), rows, columns);
    });
  });
  auto y = device_y.to_host();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t a = 2 * row * columns, b = a + columns;
    sample::expect_row(&y[row * columns], row, columns, 1e-2, 1e-4, [&](auto i) {
      return at(x, a + i) * sigmoid_of(at(x, a + i)) * at(x, b + i);
    });
  }
  report("swiglu", 3, time);

  time = sample::median_microseconds([&] {
    sample::launch_by_divisor(columns, [&]<int Divisor>() {
      swiglu_backward<Divisor>
          <<<grid, 1>>>(device_x.get(), device_dy.get(), device_dx.get(), rows, columns);
    });
  });
  auto dx = device_dx.to_host();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t a = 2 * row * columns, b = a + columns;
    sample::expect_row(&dx[a], row, 2 * columns, 1e-2, 1e-4, [&](unsigned i) {
      const unsigned column = i % columns;
      const double value = at(x, a + column), gate = sigmoid_of(value),
                   gradient = at(dy, row * columns + column);
      return i < columns ? gradient * at(x, b + column) * gate * (1 + value * (1 - gate))
                         : gradient * value * gate;
    });
  }
  report("swiglu backward", 5, time);

  const unsigned blocks = (size + width - 1) / width;
  time = sample::median_microseconds([&] {
    sample::launch_by_divisor(size, [&]<int Divisor>() {
      gelu<Divisor><<<blocks, 1>>>(device_x.get(), device_y.get(), size);
    });
  });
  y = device_y.to_host();
  const double root = std::sqrt(2 / std::acos(-1.0));
  for (std::size_t i = 0; i < size; ++i) {
    const double value = at(x, i), u = root * (value + 0.044715 * value * value * value);
    sample::expect_near(float(y[i]), 0.5 * value * (1 + std::tanh(u)), 1e-2, 1e-4, i / columns,
                        i % columns);
  }
  report("gelu", 2, time);

  time = sample::median_microseconds([&] {
    sample::launch_by_divisor(size, [&]<int Divisor>() {
      gelu_backward<Divisor><<<blocks, 1>>>(device_x.get(), device_dy.get(), device_dx.get(), size);
    });
  });
  dx = device_dx.to_host();
  for (std::size_t i = 0; i < size; ++i) {
    const double value = at(x, i), t = std::tanh(root * (value + 0.044715 * value * value * value));
    const double slope = root * (1 + 3 * 0.044715 * value * value);
    sample::expect_near(float(dx[i]), at(dy, i) * 0.5 * (1 + t + value * (1 - t * t) * slope), 1e-2,
                        1e-4, i / columns, i % columns);
  }
  report("gelu backward", 3, time);
}
