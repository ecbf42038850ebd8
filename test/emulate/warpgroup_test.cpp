// What goes on by itself: multiplies of warpgroups, bulk copies and the barriers that they arrive
// at. Each rule has the smallest program that keeps it and one that breaks it.
#include "reports.h"

#include <cuda_fp8.h>

#include <tessera/host/tensor_map.h>
#include <tessera/simt.cuh>

#include <tessera/ops/bulk_copy.cuh>

#include <vector>

namespace tessera::emulate {
namespace {

constexpr int warpgroup = 128, shared_bytes = 64 * 1024;

// One panel each: a is 64 x 64, b is 64 x 64.
using operand_tile = shared_tile<bf16, shape<64, 64>, panels<bf16, 6, 6>>;
using sum_layout = layout<shape<64, 64>, registers<1, 512, 8, 16, 32>, lanes<2, 4, 64, 128, 256>,
                          warps<1024, 2048>>;
using operand_layout = layout<shape<64, 64>, registers<1, 2, 4, 1024, 2048>,
                              lanes<8, 16, 32, 64, 128>, warps<256, 512>>;
constexpr int a_start = 0, b_start = 8192, barriers = 16384;

void fill(operand_tile tile, float x) { store_shared(tile, splat<operand_layout>(cast<bf16>(x))); }
operand_tile a() { return shared_at<operand_tile>(a_start); }
operand_tile b() { return shared_at<operand_tile>(b_start); }

template <class Body> std::vector<std::string> of_warpgroups(unsigned count, Body body) {
  return run_and_report(count * warpgroup, shared_bytes, body);
}

TEST(multiplies, read_what_threads_wrote_and_fenced_before_the_barrier) {
  expect_none(of_warpgroups(1, [] {
    fill(a(), 1);
    fill(b(), 2);
    fence_shared();
    barrier();
    auto sum = splat<sum_layout>(1.0f);
    mma_start(a(), b(), sum);
    mma_wait(sum);
    EXPECT_EQ(sum.r[5], 129.0f);
  }));
}

// Operands in registers of every size of an element: of b(k, j) that of k = 13 alone is 1.
template <class T> void multiply_from_registers() {
  constexpr int k = 128 / static_cast<int>(sizeof(T)), word = 4 / static_cast<int>(sizeof(T));
  constexpr int log_k = tessera::log2(static_cast<unsigned>(k));
  using operand_shape = shape<64, k>;
  using b_tile = shared_tile<T, operand_shape, panels<T, 6, log_k>>;
  // Words of a row over four lanes, rows over eight; then eight rows below, 16 bytes on.
  using of_bytes = layout<operand_shape, registers<1, 2, 8 * k, 16, 32, 64>,
                          lanes<4, 8, k, 2 * k, 4 * k>, warps<16 * k, 32 * k>>;
  using of_words = layout<operand_shape, registers<8 * k, 4, 8, 16>, lanes<1, 2, k, 2 * k, 4 * k>,
                          warps<16 * k, 32 * k>>;
  using operand = std::conditional_t<word == 4, of_bytes, of_words>;
  const auto wanted = [](int row) { return static_cast<float>(row % 4 + row / 8 % 2); };
  expect_none(of_warpgroups(1, [=] {
    const auto b = shared_at<b_tile>(b_start);
    fragment<T, operand> ones;
    for (int i = 0; i < operand::register_count; ++i)
      ones.r[i] =
          cast<T>((operand::thread_element() ^ operand::element(i)) % k == 13 ? 1.0f : 0.0f);
    store_shared(b, ones);
    fence_shared();
    barrier();
    fragment<T, operand> a;
    for (int i = 0; i < operand::register_count; ++i) {
      const int element = operand::thread_element() ^ operand::element(i);
      a.r[i] = cast<T>(wanted(element / k) + (element % k == 13 ? 3.0f : 0.0f));
    }
    auto sum = splat<sum_layout>(1.0f);
    mma_start(a, transposed(b), sum);
    mma_wait(sum);
    for (int i = 0; i < sum_layout::register_count; ++i) {
      const int element = sum_layout::thread_element() ^ sum_layout::element(i);
      EXPECT_EQ(sum.r[i], 4 + wanted(element / 64));
    }
  }));
}

TEST(multiplies, take_operands_from_registers) {
  multiply_from_registers<tf32>();
  multiply_from_registers<fp8_e4m3>();
  multiply_from_registers<fp8_e5m2>();
}

TEST(multiplies, read_what_their_threads_fenced_behind_the_barrier) {
  expect_none(of_warpgroups(1, [] {
    fill(a(), 1);
    fill(b(), 2);
    barrier();
    fence_shared();
    auto sum = splat<sum_layout>(0.0f);
    mma_start(a(), b(), sum);
    mma_wait(sum);
  }));
}

TEST(multiplies, without_a_fence_are_reported) {
  EXPECT_THAT(of_warpgroups(1,
                            [] {
                              fill(a(), 1);
                              fence_shared();
                              fill(b(), 2); // behind the fence
                              barrier();
                              auto sum = splat<sum_layout>(0.0f);
                              mma_start(a(), b(), sum);
                              mma_wait(sum);
                            }),
              testing::Each(testing::HasSubstr(
                  "by the asynchronous proxy, written by thread 0 (warp 0) with no fence")));
}

TEST(multiplies, without_a_barrier_are_reported) {
  EXPECT_THAT(of_warpgroups(1,
                            [] {
                              fill(a(), 1);
                              fill(b(), 2);
                              fence_shared();
                              auto sum = splat<sum_layout>(0.0f);
                              mma_start(a(), b(), sum);
                              mma_wait(sum);
                            }),
              testing::Contains(testing::HasSubstr("with no barrier between them")));
}

// Accumulators have the product when it has been waited for, not earlier.
TEST(multiplies, are_done_when_waited_for) {
  expect_none(of_warpgroups(1, [] {
    fill(a(), 1);
    fill(b(), 1);
    fence_shared();
    barrier();
    auto first = splat<sum_layout>(0.0f), second = first;
    mma_start(a(), b(), first);
    mma_start(a(), b(), second);
    EXPECT_EQ(first.r[0], 0.0f);
    mma_wait<1>();
    EXPECT_EQ(first.r[0], 64.0f);
    EXPECT_EQ(second.r[0], 0.0f);
    mma_wait(second);
    EXPECT_EQ(second.r[0], 64.0f);
  }));
}

// The barrier orders the start of the multiply before the write, not its end.
TEST(multiplies, whose_operand_is_written_before_the_wait_are_reported) {
  EXPECT_THAT(of_warpgroups(2,
                            [] {
                              if (thread_index() < warpgroup) {
                                fill(a(), 1);
                                fill(b(), 1);
                              }
                              fence_shared();
                              barrier();
                              auto sum = splat<sum_layout>(0.0f);
                              if (thread_index() < warpgroup)
                                mma_start(a(), b(), sum);
                              barrier();
                              if (thread_index() == warpgroup)
                                arch::store_shared<4>(shared_memory(), b_start, words<4>{});
                              if (thread_index() < warpgroup)
                                mma_wait(sum);
                            }),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}

// 64 x 100 elements: of the second box half is outside.
struct source {
  std::vector<bf16> elements = std::vector<bf16>(64 * 104);
  tensor_map map;

  source() {
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 104; ++j)
        elements[static_cast<std::size_t>(i * 104 + j)] = cast<bf16>(static_cast<float>(j % 128));
    EXPECT_EQ(host::make_tensor_map(map, elements.data(), 64, 100, 104, 64), cudaSuccess);
  }
};

void begin(int arrivals) {
  if (thread_index() == 0) {
    init(phase_barrier{barriers}, arrivals);
    fence_barriers();
  }
  barrier();
}

void copy(const source &from, int row, int column, int bytes = 8192) {
  if (thread_index() != 0)
    return;
  arrive_for(phase_barrier{barriers}, bytes);
  copy_box(a(), from.map, row, column, phase_barrier{barriers});
}

TEST(bulk_copies, arrive_at_a_barrier_with_zeros_outside) {
  source from;
  expect_none(of_warpgroups(1, [&] {
    begin(1);
    copy(from, 8, 64);
    wait(phase_barrier{barriers}, 0);
    auto x = load_shared<operand_layout>(a());
    for (int i = 0; i < operand_layout::register_count; ++i) {
      const int element = operand_layout::thread_element() ^ operand_layout::element(i);
      const int row = element / 64 + 8, column = element % 64 + 64;
      EXPECT_EQ(cast<float>(x.r[i]), row < 64 && column < 100 ? static_cast<float>(column) : 0.0f);
    }
  }));
}

TEST(bulk_copies, feed_a_multiply_without_a_fence) {
  source from;
  expect_none(of_warpgroups(1, [&] {
    fill(b(), 1);
    fence_shared();
    begin(1);
    copy(from, 0, 0);
    wait(phase_barrier{barriers}, 0);
    auto sum = splat<sum_layout>(0.0f);
    mma_start(a(), b(), sum);
    mma_wait(sum);
    EXPECT_EQ(sum.r[0], 63.0f * 64 / 2);
  }));
}

TEST(bulk_copies, that_nobody_waited_for_are_in_flight) {
  source from;
  EXPECT_THAT(
      of_warpgroups(1,
                    [&] {
                      begin(1);
                      copy(from, 0, 0);
                      barrier();
                      arch::load_shared<4>(shared_memory(), a_start);
                    }),
      testing::ElementsAre(testing::HasSubstr("a bulk copy of thread 0 (warp 0) has not written"),
                           testing::HasSubstr("bulk copies to shared memory were not waited for")));
}

// The source is read when the phase ends.
TEST(bulk_copies, whose_source_is_written_meanwhile_are_reported) {
  source from;
  EXPECT_THAT(of_warpgroups(1,
                            [&] {
                              begin(1);
                              copy(from, 0, 0);
                              if (thread_index() == 32)
                                arch::store_global<4>(from.elements.data(), words<4>{});
                              barrier();
                              wait(phase_barrier{barriers}, 0);
                            }),
              testing::Contains(testing::HasSubstr("race in global memory")));
}

// A ring of one stage: who multiplies gives it back when the multiply is done ...
void refill(const source &from, bool is_late) {
  constexpr phase_barrier full{barriers}, empty{barriers + 8};
  if (thread_index() == 0)
    init(empty, 1);
  begin(1);
  if (thread_index() >= warpgroup) {
    if (thread_index() == warpgroup)
      for (int i = 0; i < 2; ++i) {
        wait(empty, i ^ 1);
        arrive_for(full, 8192);
        copy_box(a(), from.map, 0, 0, full);
      }
    return;
  }
  for (int i = 0; i < 2; ++i) {
    wait(full, i);
    auto sum = splat<sum_layout>(0.0f);
    mma_start(a(), a(), sum);
    if (is_late && thread_index() == 0)
      arrive(empty);
    mma_wait(sum);
    if (!is_late && thread_index() == 0)
      arrive(empty);
  }
}

TEST(rings, are_refilled_behind_the_wait) {
  source from;
  expect_none(of_warpgroups(2, [&] { refill(from, false); }));
}

// ... and not before.
TEST(rings, refilled_before_the_wait_are_reported) {
  source from;
  EXPECT_THAT(of_warpgroups(2, [&] { refill(from, true); }),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}

// A row from which operands are computed is read by all warps before they start the multiply. So
// whoever has waited for it may give back the row, too: not before, nor what is read later,
// nor what others wrote.
enum class row_is { read_before, released_early, read_behind, written_before };
std::vector<std::string> give_back_row(row_is how) {
  return of_warpgroups(2, [=] {
    constexpr int row = barriers + 64;
    const int mine = row + 4 * thread_index();
    if (thread_index() < warpgroup) {
      fill(a(), 1);
      arch::store_shared<4>(shared_memory(), mine, words<4>{});
      fence_shared();
    }
    begin(1);
    if (thread_index() > warpgroup)
      return;
    if (thread_index() == warpgroup) {
      wait(phase_barrier{barriers}, 0);
      for (int t = 0; t < warpgroup; ++t)
        if (how == row_is::written_before)
          arch::load_shared<4>(shared_memory(), row + 4 * t);
        else
          arch::store_shared<4>(shared_memory(), row + 4 * t, words<4>{});
      return;
    }
    if (how == row_is::read_before || how == row_is::released_early)
      arch::load_shared<4>(shared_memory(), mine);
    if (how == row_is::written_before)
      arch::store_shared<4>(shared_memory(), mine, words<4>{});
    auto sum = splat<sum_layout>(0.0f);
    if (how == row_is::released_early && thread_index() == 0)
      arrive(phase_barrier{barriers});
    mma_start(a(), a(), sum);
    if (how == row_is::read_behind)
      arch::load_shared<4>(shared_memory(), mine);
    mma_wait(sum);
    if (how != row_is::released_early && thread_index() == 0)
      arrive(phase_barrier{barriers});
  });
}

TEST(multiplies, come_behind_what_their_warps_have_read) {
  expect_none(give_back_row(row_is::read_before));
  for (const row_is how : {row_is::released_early, row_is::read_behind, row_is::written_before})
    EXPECT_THAT(give_back_row(how), testing::Contains(testing::HasSubstr("race in shared memory")));
}

// ... and a panel that goes out is written again when it has been read.
void send(source &to, bool is_late, bool is_fenced = true) {
  fill(a(), 1);
  if (is_fenced)
    fence_shared();
  barrier();
  if (thread_index() == 0) {
    store_box(a(), 0, to.map, 0, 64);
    commit_stores();
    if (!is_late)
      wait_stores<0>();
  }
  barrier();
  fill(a(), 2);
  if (is_late && thread_index() == 0)
    wait_stores<0>();
}

TEST(bulk_stores, write_what_is_inside) {
  source to;
  expect_none(of_warpgroups(1, [&] { send(to, false); }));
  EXPECT_EQ(cast<float>(to.elements[99]), 1.0f);
  EXPECT_EQ(cast<float>(to.elements[100]), 100.0f);
}

TEST(bulk_stores, of_what_is_written_before_the_wait_are_reported) {
  source to;
  EXPECT_THAT(of_warpgroups(1, [&] { send(to, true); }),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}

TEST(bulk_stores, without_a_fence_are_reported) {
  source to;
  EXPECT_THAT(of_warpgroups(1, [&] { send(to, false, false); }),
              testing::Contains(testing::HasSubstr("with no fence between them")));
}

TEST(bulk_stores, that_nobody_waited_for_are_reported) {
  source to;
  EXPECT_THAT(of_warpgroups(1,
                            [&] {
                              fill(a(), 1);
                              fence_shared();
                              barrier();
                              if (thread_index() == 0) {
                                store_box(a(), 0, to.map, 0, 64);
                                commit_stores();
                              }
                            }),
              testing::ElementsAre(testing::HasSubstr("these stores were not waited for")));
}

TEST(phases, that_never_end_are_reported) {
  source from;
  expect_one(of_warpgroups(1,
                           [&] {
                             begin(1);
                             copy(from, 0, 0, 4096); // half of what the copy brings
                             wait(phase_barrier{barriers}, 0);
                           }),
             "barrier divergence", "a phase of a barrier in shared memory");
}

TEST(phases, of_what_was_not_initialised_are_reported) {
  EXPECT_THAT(of_warpgroups(1,
                            [] {
                              if (thread_index() == 0)
                                arrive(phase_barrier{barriers});
                            }),
              testing::ElementsAre(testing::HasSubstr("that was not initialised")));
}

// An arrival publishes what its thread wrote; a wait learns of it.
TEST(phases, order_memory) {
  expect_none(of_warpgroups(1, [] {
    begin(1);
    if (thread_index() == 40) {
      arch::store_shared<4>(shared_memory(), 0, words<4>{{7}});
      arrive(phase_barrier{barriers});
    }
    wait(phase_barrier{barriers}, 0);
    EXPECT_EQ(arch::load_shared<4>(shared_memory(), 0).w[0], 7u);
  }));
}

TEST(named_barriers, order_the_warps_that_meet) {
  expect_none(of_warpgroups(1, [] {
    if (thread_index() >= 64)
      return;
    if (thread_index() == 0)
      arch::store_shared<4>(shared_memory(), 0, words<4>{{7}});
    arch::named_barrier(1, 64);
    EXPECT_EQ(arch::load_shared<4>(shared_memory(), 0).w[0], 7u);
  }));
}

TEST(named_barriers, do_not_order_the_others) {
  EXPECT_THAT(of_warpgroups(1,
                            [] {
                              if (thread_index() == 0)
                                arch::store_shared<4>(shared_memory(), 0, words<4>{{7}});
                              if (thread_index() < 64)
                                arch::named_barrier(1, 64);
                              if (thread_index() == 64)
                                arch::load_shared<4>(shared_memory(), 0);
                            }),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}

// A producer's warpgroup beside two of consumers.
template <int Consumers, int Producer> std::vector<std::string> of_roles() {
  return of_warpgroups(3, [] {
    if (thread_index() >= 256) {
      arch::setmaxnreg_dec<Producer>();
      return;
    }
    arch::setmaxnreg_inc<Consumers>();
  });
}

TEST(registers, of_all_roles_fit) {
  expect_none(of_roles<240, 24>());
  expect_none(of_roles<232, 40>());
}

TEST(registers, that_the_block_has_not_are_reported) {
  const std::vector<std::string> reports = of_roles<240, 40>();
  EXPECT_THAT(
      reports,
      testing::ElementsAre(testing::HasSubstr(
          "its 3 warpgroups ask for 520 registers per thread in all, and the block has 504")));
}

TEST(registers, that_grow_are_not_given_up) {
  EXPECT_THAT(of_warpgroups(1, [] { arch::setmaxnreg_dec<256>(); }),
              testing::Contains(testing::HasSubstr("decreases them to 256")));
}

} // namespace
} // namespace tessera::emulate
