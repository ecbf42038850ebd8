// Valid programs beside a mistake: what converts, broadcasts or fits after all.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void arithmetic(tile<float, 4, 8> x, tile<int, 8> i, tile<__half, 8> h, tile<bool, 8> b,
                         tile<unsigned char, 8> c, tile<double, 8> d, long n, double eps) {
  auto a1 = x * 2.0f;
  auto a2 = x * 2; // an integer beside floating point
  auto a3 = d * 2.0f;
  auto a4 = h + 1;
  auto a5 = i + c; // the common type is int
  auto a6 = +b + 1;
  auto a7 = i < n;
  auto a8 = 2.0 == i;
  auto a9 = x + ct::zeros<tile<float, 4, 1>>() + ct::zeros<tile<float, 8>>();
  auto a10 = i << 3ul;
  auto a11 = (i < 3) && b;
  auto a12 = i && x;
  auto a13 = ct::remainder(x, 2.0f);
  auto a14 = i + 4_ic();
  auto a15 = ct::min(3, 4) + int(eps);
  auto a16 = x + static_cast<float>(eps);
}
__tile__ void conversions(tile<float, 8> x, tile<float> zero, tile<float, 1, 1> one) {
  tile<double, 8> d = x;
  tile<__half, 8> h(x);
  tile<float> r = 1.0f;
  float f(zero);
  float g = static_cast<float>(one);
  if (zero > 0.0f)
    r = 2.0f;
  while (one > 1.0f)
    one = one - 1.0f;
}
__tile__ void pointers(float *p, const int *q, tile<int, 8> n, void *v) {
  auto a1 = p + n;
  auto a2 = n + p;
  auto a3 = (p + n) - 3;
  auto a4 = (p + n) - p;
  auto a5 = (q + n) == nullptr;
  auto a6 = (q + n) != v;
  ct::store(p + n, ct::element_cast<float>(ct::load(q + n)));
  ct::store(p, 1.0f);
}
