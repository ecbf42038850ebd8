// The gradients of TileGym's relu and its kin. references.py gives the checkout.
#include "../run/run.h"

#include <relu.cuh>

template <class T, int Op> void gradient(const char *name) {
  constexpr int n = 700;
  constexpr double alpha = 0.5, lower = 0.125, upper = 0.25;
  run::array<T> x(n, run::small), dx(n);
  run::array<T> dy(n, [](std::size_t i) { return run::small(3 * i + 1); });
  relu_activation_bwd_kernel<T, 256, Op><<<3, 1>>>(dy, x, dx, n, alpha, lower, upper, false);
  run::expect(
      name, dx,
      [&](std::size_t i) {
        constexpr double scale = 1.0507009873554805, slope = 1.6732632423543772;
        const double v = x[i], unit = Op == 3 ? scale : 1;
        const double below[] = {0,
                                alpha * std::exp(v),
                                alpha,
                                scale * slope * std::exp(v),
                                std::exp(v / alpha),
                                (lower + upper) / 2};
        return dy[i] * (v > 0 ? unit : below[Op]);
      },
      run::tolerance<T> * 4);
}

template <class T> void all() {
  gradient<T, 0>("relu");
  gradient<T, 1>("elu");
  gradient<T, 2>("leaky_relu");
  gradient<T, 3>("selu");
  gradient<T, 4>("celu");
  gradient<T, 5>("rrelu");
}

int main() {
  all<float>();
  all<__half>();
  all<__nv_bfloat16>();
  return run::finish();
}
