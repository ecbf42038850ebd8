// The hand-written GEMM of test/gpu under the emulator: right, and its ring of stages without a
// race.
#include "../gpu/handwritten_gemm.h"
#include "../gpu/handwritten_wgmma.h"
#include "laws.h"

#include <tessera/host/tensor_map.h>

namespace tessera {
namespace {

// Elements as T has them, of a number that every T holds.
template <class T> T element(int x) {
  if constexpr (std::is_same_v<T, tf32>)
    return {static_cast<float>(x)};
  else
    return cast<T>(static_cast<float>(x));
}

// launch(a, b, c) of a product of m x k and k x n; b is n x k in memory where that says so.
template <class T, class Out, class Launch>
void expect_product(int m, int n, int k, bool is_b_transposed, Launch launch) {
  auto number = [](int i) { return pattern(i) % 4 + (std::is_unsigned_v<T> ? 4 : 0); };
  std::vector<T> a(m * k), b(k * n);
  std::vector<Out> c(m * n);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = element<T>(number(static_cast<int>(i)));
  for (int l = 0; l < k; ++l)
    for (int j = 0; j < n; ++j)
      b[is_b_transposed ? j * k + l : l * n + j] = element<T>(number(l * n + j + 7));
  launch(a.data(), b.data(), c.data());
  EXPECT_THAT(emulate::take_reports(), testing::IsEmpty());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < k; ++l)
        sum += number(i * k + l) * number(l * n + j + 7);
      EXPECT_EQ(static_cast<float>(c[i * n + j]), static_cast<float>(static_cast<Out>(sum)))
          << i << ", " << j;
    }
}

void expect_gemm(int m, int n, int k) {
  expect_product<bf16, bf16>(m, n, k, false, [&](const bf16 *a, const bf16 *b, bf16 *c) {
    const dim3 grid((n + 127) / 128, (m + 127) / 128);
    emulate::run(
        grid, 256, kernels::shared_bytes, [&] { kernels::gemm(a, b, c, m, n, k); }, "gemm");
  });
}

template <class S> void expect_gemm_by_roles(int m, int n, int k) {
  expect_product<typename S::element, typename S::result>(
      m, n, k, S::is_b_transposed, [&](const auto *a, const auto *b, auto *c) {
        tensor_map a_map, b_map, c_map;
        host::make_tensor_map(a_map, a, m, k, k, S::rows);
        if constexpr (S::is_b_transposed)
          host::make_tensor_map(b_map, b, n, k, k, S::columns);
        else
          host::make_tensor_map(b_map, b, k, n, n, S::depth);
        host::make_tensor_map(c_map, c, m, n, n, 64);
        emulate::run(
            2, S::threads, S::shared_bytes,
            [&] { kernels::gemm_by_roles<S>(a_map, b_map, c_map, m, n, k); }, "gemm_by_roles");
      });
}

TEST(gemm, whole_tiles) { expect_gemm(128, 128, 320); }
TEST(gemm, edges) { expect_gemm(136, 144, 72); }
TEST(gemm, unaligned_rows) { expect_gemm(33, 131, 67); }

TEST(gemm_by_roles, whole_tiles) {
  expect_gemm_by_roles<kernels::bf16_tiling<256, 3, false>>(256, 256, 320);
}
TEST(gemm_by_roles, transposed_operand) {
  expect_gemm_by_roles<kernels::bf16_tiling<128, 2, true>>(128, 256, 192);
}
TEST(gemm_by_roles, edges) {
  expect_gemm_by_roles<kernels::bf16_tiling<128, 4, false>>(200, 136, 88);
}
TEST(gemm_by_roles, of_tf32) { expect_gemm_by_roles<kernels::tf32_tiling<128, 3>>(136, 132, 76); }
TEST(gemm_by_roles, of_fp8) {
  expect_gemm_by_roles<kernels::fp8_tiling<fp8_e4m3, 256, 2>>(128, 264, 272);
  expect_gemm_by_roles<kernels::fp8_tiling<fp8_e5m2, 128, 2>>(72, 136, 144);
}
TEST(gemm_by_roles, of_integers) {
  expect_gemm_by_roles<kernels::int8_tiling<signed char, 128, 3>>(136, 132, 272);
  expect_gemm_by_roles<kernels::int8_tiling<unsigned char, 128, 2>>(64, 128, 128);
}

} // namespace
} // namespace tessera
