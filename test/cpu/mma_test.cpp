// Matrix multiply: every pair of element types that the language has, shapes below and above the
// block sizes, batches.
#include "stand_in.h"

#include <gtest/gtest.h>

#include <memory>

namespace {
using namespace test;

template <class T> double element(const lanes<T> &x, unsigned long long i) {
  return double(prim::cpu::element<typename T::element_type>::read(x.v[i]));
}

// Small integers, which every type holds exactly, so that the order of additions does not matter.
template <class T> void fill(lanes<T> &x, int step, int low, int span) {
  using E = prim::cpu::element<typename T::element_type>;
  for (unsigned long long i = 0; i < T::shape_type::static_size(); i++)
    x.v[i] = E::write(typename E::value(int(i * step % span) + low));
}

template <class AE, class BE, class RE, int M, int N, int K> void check(int low) {
  using A = tile<AE, M, K>;
  using B = tile<BE, K, N>;
  using R = tile<RE, M, N>;
  auto a = std::make_unique<lanes<A>>();
  auto b = std::make_unique<lanes<B>>();
  auto c = std::make_unique<lanes<R>>(), r = std::make_unique<lanes<R>>();
  fill<A>(*a, 7, low, 5);
  fill<B>(*b, 11, low, 3);
  fill<R>(*c, 3, low, 4);
  *r = prim::mma<R, A, B>(*a, *b, *c);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double sum = element<R>(*c, i * N + j);
      for (int k = 0; k < K; k++)
        sum += element<A>(*a, i * K + k) * element<B>(*b, k * N + j);
      ASSERT_EQ(element<R>(*r, i * N + j), sum)
          << M << "x" << N << "x" << K << " at " << i << ", " << j;
    }
}
template <class A, class B, class R> void every_shape(int low) {
  check<A, B, R, 16, 16, 16>(low);
  check<A, B, R, 1, 1, 1>(low);
  check<A, B, R, 2, 4, 8>(low);
  check<A, B, R, 1, 64, 32>(low);
  check<A, B, R, 64, 8, 32>(low);
  check<A, B, R, 64, 2, 32>(low);
}

TEST(Mma, ElementTypes) {
  every_shape<float, float, float>(-1);
  every_shape<double, double, double>(-1);
  every_shape<__half, __half, float>(-1);
  every_shape<__half, __half, __half>(-1);
  every_shape<__nv_bfloat16, __nv_bfloat16, float>(-1);
  every_shape<__nv_tf32, __nv_tf32, float>(-1);
  every_shape<__nv_fp8_e4m3, __nv_fp8_e4m3, float>(-1);
  every_shape<__nv_fp8_e5m2, __nv_fp8_e5m2, __half>(-1);
  every_shape<signed char, signed char, int>(-2);
  every_shape<unsigned char, signed char, int>(0);
  every_shape<bool, bool, int>(0);
}
TEST(Mma, LargerThanABlock) {
  check<float, float, float, 256, 64, 512>(-1);
  check<__half, __half, float, 256, 32, 512>(-1);
  check<float, float, float, 512, 16, 16>(-1);
  check<float, float, float, 16, 2, 512>(-1);
}

// One matrix of a or b serves every matrix of the batch.
TEST(Mma, BatchOfOneServesAll) {
  using A = tile<float, 1, 2, 2>;
  using B = tile<float, 2, 2, 2>;
  const auto a = of<A>(1.f, 2.f, 3.f, 4.f);
  const auto b = of<B>(1.f, 0.f, 0.f, 1.f, 2.f, 0.f, 0.f, 2.f);
  const auto r = prim::mma<B, A, B>(a, b, prim::splat<B>(0.f));
  const float want[] = {1, 2, 3, 4, 2, 4, 6, 8};
  for (int i = 0; i < 8; i++)
    EXPECT_EQ(r.v[i], want[i]);
}

} // namespace
