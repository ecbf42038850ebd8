// A matrix product agrees with three loops: for every way the operands lie, every arrangement of
// warps, every type.
#include "laws.h"

namespace tessera {
namespace {

// Rows x columns of small numbers in a shared tile.
template <class Tile> void fill(Tile tile, int seed) {
  using T = typename Tile::element_type;
  for (int e = thread_index(); e < Tile::shape::size; e += static_cast<int>(blockDim.x)) {
    const T x = cast<T>(pattern(e + seed) % 8);
    arch::store_shared<sizeof(T)>(tile.pointer, Tile::offset(e), to_words<1>(&x));
  }
}

int filled(int e, int seed) { return pattern(e + seed) % 8; }

// The operand M x K: as it is, or a K x M tile transposed.
template <bool Transposed, class T, int M, int K, class Swizzle> struct operand {
  using tile = shared_tile<T, std::conditional_t<Transposed, shape<K, M>, shape<M, K>>, Swizzle>;
  static int at(int i, int k, int seed) { return filled(Transposed ? k * M + i : i * K + k, seed); }
  static auto of(tile t) {
    if constexpr (Transposed)
      return transposed(t);
    else
      return t;
  }
};

// Multiplies with tensor cores (Fma = false) or without and compares with the loop. Bytes may be
// read as unsigned.
template <bool Fma, class L, class T, class Acc, int K, bool TransposeA, bool TransposeB,
          class SwizzleA, class SwizzleB, bool AUnsigned = false, bool BUnsigned = false>
void expect_product() {
  constexpr int M = L::shape::extent(0), N = L::shape::extent(1);
  using a = operand<TransposeA, T, M, K, SwizzleA>;
  using b = operand<TransposeB, T, K, N, SwizzleB>;
  in_block_of<L>([] {
    const typename a::tile a_tile{reinterpret_cast<T *>(shared_memory())};
    const typename b::tile b_tile{reinterpret_cast<T *>(shared_memory() + sizeof(T) * M * K)};
    fill(a_tile, 3);
    fill(b_tile, 5);
    barrier();
    auto c = make<L>([](int e) { return cast<Acc>(e % 5); });
    if constexpr (Fma)
      c = mma_fma<AUnsigned, BUnsigned>(a::of(a_tile), b::of(b_tile), c);
    else
      c = mma<AUnsigned, BUnsigned>(a::of(a_tile), b::of(b_tile), c);
    expect_elements(cast<float>(c), [](int e) {
      const int i = e / N, j = e % N;
      int sum = e % 5;
      for (int k = 0; k < K; ++k)
        sum += a::at(i, k, 3) * b::at(k, j, 5);
      return sum;
    });
  });
}

template <bool Fma, class L, class T, class Acc, int K, class SwizzleA, class SwizzleB>
void expect_products() {
  expect_product<Fma, L, T, Acc, K, false, false, SwizzleA, SwizzleB>();
  expect_product<Fma, L, T, Acc, K, true, false, SwizzleA, SwizzleB>();
  expect_product<Fma, L, T, Acc, K, false, true, SwizzleA, SwizzleB>();
  expect_product<Fma, L, T, Acc, K, true, true, SwizzleA, SwizzleB>();
}

// 64 x 64: warps 2 x 2, 4 x 1, 1 x 4, two of them copies, one warp; atoms in any order.
using square = layout<shape<64, 64>, registers<1, 512, 8, 16, 1024>, lanes<2, 4, 64, 128, 256>,
                      warps<32, 2048>>;
using along_m = layout<shape<64, 64>, registers<1, 512, 32, 16, 8>, lanes<2, 4, 64, 128, 256>,
                       warps<1024, 2048>>;
using along_n = layout<shape<64, 64>, registers<1, 512, 8, 2048, 1024>, lanes<2, 4, 64, 128, 256>,
                       warps<16, 32>>;
using spread = layout<shape<64, 64>, registers<1, 512, 2048, 1024, 32>, lanes<2, 4, 64, 128, 256>,
                      warps<8, 16>>;
using copied = layout<shape<64, 64>, registers<1, 512, 8, 1024, 16, 2048>,
                      lanes<2, 4, 64, 128, 256>, warps<0, 32>>;
using small = layout<shape<16, 8>, registers<1, 64>, lanes<2, 4, 8, 16, 32>, warps<>>;

template <class T, class Acc> void expect_all_warps() {
  using wide = swizzle<3, 3, 3>;
  expect_products<false, square, T, Acc, 64, wide, wide>();
  expect_products<false, along_m, T, Acc, 64, wide, wide>();
  expect_products<false, along_n, T, Acc, 64, wide, wide>();
  expect_products<false, spread, T, Acc, 64, wide, wide>();
  expect_products<false, copied, T, Acc, 64, wide, wide>();
}

TEST(mma, bf16) { expect_all_warps<bf16, float>(); }
TEST(mma, half) { expect_all_warps<half, float>(); }
TEST(mma, half_accumulators) {
  expect_product<false, square, half, half, 16, false, true, no_swizzle, no_swizzle>();
}

TEST(mma, other_depths_and_swizzles) {
  expect_products<false, square, bf16, float, 16, no_swizzle, no_swizzle>();
  expect_products<false, square, bf16, float, 32, swizzle<2, 3, 3>, swizzle<2, 3, 2>>();
  expect_products<false, small, bf16, float, 32, no_swizzle, no_swizzle>();
}

TEST(mma, tf32) {
  expect_products<false, square, tf32, float, 32, swizzle<3, 2, 3>, swizzle<3, 2, 3>>();
  expect_products<false, spread, tf32, float, 8, no_swizzle, no_swizzle>();
  expect_products<false, small, tf32, float, 16, no_swizzle, no_swizzle>();
}

// Operands of bytes that lie across k are neighbouring rows, or columns, of the sum. 64 x 64, warps
// 2 x 2; 16 x 16 of one warp; 32 x 32 with atoms in another order and copies.
template <bool PairsRows, bool PairsColumns> struct of_bytes {
  static constexpr int c = PairsColumns ? 2 : 1, r = PairsRows ? 2 : 1;
  template <int N> static constexpr int half = PairsRows ? N : 8 * N;
  static constexpr int next = PairsColumns ? 1 : 8;
  using large = layout<shape<64, 64>, registers<c, half<64>, next, 16, 1024>,
                       lanes<2 * c, 4 * c, 64 * r, 128 * r, 256 * r>, warps<32, 2048>>;
  using least = layout<shape<16, 16>, registers<c, half<16>, next>,
                       lanes<2 * c, 4 * c, 16 * r, 32 * r, 64 * r>, warps<>>;
  using other = layout<shape<32, 32>, registers<c, half<32>, next, 512>,
                       lanes<2 * c, 4 * c, 32 * r, 64 * r, 128 * r>, warps<0, 16>>;
};

template <bool TransposeA, bool TransposeB, class T, class Acc> void expect_bytes_lying() {
  using l = of_bytes<TransposeA, !TransposeB>;
  using wide = swizzle<3, 4, 3>;
  expect_product<false, typename l::large, T, Acc, 128, TransposeA, TransposeB, wide, wide>();
  expect_product<false, typename l::large, T, Acc, 64, TransposeA, TransposeB, swizzle<2, 4, 3>,
                 swizzle<2, 4, 3>>();
  expect_product<false, typename l::least, T, Acc, 32, TransposeA, TransposeB, no_swizzle,
                 no_swizzle>();
  expect_product<false, typename l::other, T, Acc, 64, TransposeA, TransposeB, swizzle<1, 4, 3>,
                 swizzle<1, 4, 3>>();
  // Element by element where they are not in pairs.
  expect_product<false, square, T, Acc, 32, TransposeA, TransposeB, swizzle<1, 4, 3>,
                 swizzle<1, 4, 3>>();
  expect_product<false, small, T, Acc, 64, TransposeA, TransposeB, no_swizzle, no_swizzle>();
}

template <class T, class Acc> void expect_bytes() {
  expect_bytes_lying<false, false, T, Acc>();
  expect_bytes_lying<true, false, T, Acc>();
  expect_bytes_lying<false, true, T, Acc>();
  expect_bytes_lying<true, true, T, Acc>();
}

TEST(mma, bytes) { expect_bytes<signed char, int>(); }
TEST(mma, fp8) {
  expect_bytes<fp8_e4m3, float>();
  expect_bytes<fp8_e5m2, float>();
}

// Iterations whose last steps of k wait in registers give what products one after the other give,
// in the same order; what is in shared memory may change behind an iteration and a barrier.
template <class L, class T, class Acc, int K, class Swizzle> void expect_delayed(int iterations) {
  constexpr int M = L::shape::extent(0), N = L::shape::extent(1);
  in_block_of<L>([=] {
    const shared_tile<T, shape<M, K>, Swizzle> a{reinterpret_cast<T *>(shared_memory())};
    const shared_tile<T, shape<N, K>, Swizzle> b{a.pointer + M * K};
    auto expected = make<L>([](int e) { return cast<Acc>(e % 5); });
    auto sum = delay_last_step<T>(expected);
    for (int iteration = 0; iteration < iterations; ++iteration) {
      barrier();
      fill(a, iteration);
      fill(b, 5 * iteration);
      barrier();
      expected = mma(a, transposed(b), expected);
      mma_start(a, transposed(b), sum);
    }
    barrier();
    fill(a, 99);
    mma_finish(sum);
    for (int i = 0; i < L::register_count; ++i)
      EXPECT_EQ(cast<float>(sum.accumulator.r[i]), cast<float>(expected.r[i])) << "register " << i;
  });
}

TEST(mma, the_last_step_waits_in_registers) {
  expect_delayed<square, bf16, float, 64, swizzle<3, 3, 3>>(3);
  expect_delayed<spread, half, float, 16, no_swizzle>(2);
  expect_delayed<square, half, half, 32, no_swizzle>(1);
  expect_delayed<square, tf32, float, 32, swizzle<3, 2, 3>>(2);
  expect_delayed<square, signed char, int, 64, swizzle<2, 4, 3>>(2);
  expect_delayed<square, fp8_e4m3, float, 32, swizzle<1, 4, 3>>(3);
}

// What a sum begins with comes back as it was, 0 with its sign.
TEST(mma, a_sum_without_iterations) {
  in_block_of<small>([] {
    auto zeros = delay_last_step<bf16>(splat<small>(0.0f)),
         minus_zeros = delay_last_step<bf16>(splat<small>(-0.0f));
    mma_finish(zeros);
    mma_finish(minus_zeros);
    for (int i = 0; i < small::register_count; ++i) {
      EXPECT_FALSE(std::signbit(zeros.accumulator.r[i]));
      EXPECT_TRUE(std::signbit(minus_zeros.accumulator.r[i]));
    }
  });
}

using tiles = layout<shape<32, 32>, registers<1, 2, 32, 64>, lanes<4, 8, 16, 128, 256>, warps<512>>;

TEST(mma_fma, every_type) {
  expect_products<true, tiles, float, float, 16, no_swizzle, no_swizzle>();
  expect_products<true, tiles, double, double, 16, no_swizzle, no_swizzle>();
  expect_products<true, tiles, bf16, float, 16, swizzle<2, 2, 2>, no_swizzle>();
  expect_products<true, tiles, signed char, int, 32, no_swizzle, swizzle<2, 2, 3>>();
  expect_products<true, tiles, fp8_e4m3, float, 4, no_swizzle, no_swizzle>();
}

TEST(mma_fma, unsigned_bytes) {
  using L = layout<shape<8, 8>, registers<1>, lanes<2, 4, 8, 16, 32>, warps<>>;
  in_block_of<L>([] {
    const shared_tile<signed char, shape<8, 8>> a{reinterpret_cast<signed char *>(shared_memory())};
    const shared_tile<signed char, shape<8, 8>> b{
        reinterpret_cast<signed char *>(shared_memory() + 64)};
    store_shared(a, splat<L>(static_cast<signed char>(-1)));
    store_shared(b, splat<L>(static_cast<signed char>(-2)));
    barrier();
    expect_elements(mma_fma<true, false>(a, b, splat<L>(0)), [](int) { return 8 * 255 * -2; });
    expect_elements(mma_fma<false, true>(a, b, splat<L>(0)), [](int) { return 8 * -1 * 254; });
  });
}

// Products of four batches, of which the first operand has `Batches`: four, or one that serves all.
template <int Batches> void expect_batches() {
  using L = layout<shape<4, 8, 16>, registers<1, 128, 16>, lanes<2, 4, 8, 32, 64>, warps<256>>;
  in_block_of<L>([] {
    const shared_tile<float, shape<Batches, 8, 4>> a{reinterpret_cast<float *>(shared_memory())};
    const shared_tile<float, shape<4, 4, 16>> b{
        reinterpret_cast<float *>(shared_memory() + 4 * 32 * Batches)};
    fill(a, 1);
    fill(b, 2);
    barrier();
    expect_elements(mma_fma(a, b, splat<L>(0.0f)), [](int e) {
      const int batch = e / 128, i = e / 16 % 8, j = e % 16;
      int sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += filled(batch % Batches * 32 + i * 4 + k, 1) * filled(batch * 64 + k * 16 + j, 2);
      return sum;
    });
  });
}

TEST(mma_fma, batches) { expect_batches<4>(); }
TEST(mma_fma, broadcast_batch) { expect_batches<1>(); }

} // namespace
} // namespace tessera
