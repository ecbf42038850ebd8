// The hand-written GEMM of test/gpu under the emulator: right, and its ring of stages without a
// race.
#include "../gpu/handwritten_gemm.h"
#include "laws.h"

namespace tessera {
namespace {

void expect_gemm(int m, int n, int k) {
  std::vector<bf16> a(m * k), b(k * n), c(m * n);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = cast<bf16>(pattern(static_cast<int>(i)) % 4);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = cast<bf16>(pattern(static_cast<int>(i) + 7) % 4);
  const dim3 grid((n + 127) / 128, (m + 127) / 128);
  emulate::run(
      grid, 256, kernels::shared_bytes,
      [&] { kernels::gemm(a.data(), b.data(), c.data(), m, n, k); }, "gemm");
  EXPECT_THAT(emulate::take_reports(), testing::IsEmpty());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < k; ++l)
        sum += pattern(i * k + l) % 4 * (pattern(l * n + j + 7) % 4);
      EXPECT_EQ(cast<float>(c[i * n + j]), cast<float>(cast<bf16>(sum))) << i << ", " << j;
    }
}

TEST(gemm, whole_tiles) { expect_gemm(128, 128, 320); }
TEST(gemm, edges) { expect_gemm(136, 144, 72); }
TEST(gemm, unaligned_rows) { expect_gemm(33, 131, 67); }

} // namespace
} // namespace tessera
