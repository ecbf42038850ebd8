// The laws of LinearLayout, checked over all coordinates of a family of layouts.
#include "layout/LinearLayout.h"

#include "llvm/Support/MathExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace tessera;

namespace {

struct Thread {
  uint32_t reg, lane, warp;
};

template <class F> void forAll(const LinearLayout &layout, F visit) {
  for (uint32_t warp = 0; warp < 1u << layout.warps().size(); ++warp)
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t reg = 0; reg < layout.registerCount(); ++reg)
        visit(Thread{reg, lane, warp});
}

std::vector<LinearLayout> family() {
  std::vector<LinearLayout> all;
  for (int64_t warps : {1, 2, 4, 8})
    for (LinearLayout::Shape shape :
         {LinearLayout::Shape{4}, {1024}, {1, 4096}, {64, 32}, {8, 4, 16}, {2, 2, 2, 64}})
      for (int64_t vector : {1, 2, 8})
        all.push_back(LinearLayout::blocked(shape, vector, warps));
  for (int64_t warps : {1, 4, 8})
    for (LinearLayout::Shape shape : {LinearLayout::Shape{16, 8}, {64, 64}, {128, 256}})
      all.push_back(LinearLayout::accumulator(shape, warps));
  for (int64_t warps : {1, 4, 8})
    for (LinearLayout::Shape shape : {LinearLayout::Shape{16, 16}, {64, 64}, {128, 256}})
      for (int order : {1, 2, 3})
        all.push_back(LinearLayout::accumulator(shape, warps, {(order & 1) != 0, order > 1}));
  for (unsigned dim : {0u, 1u})
    all.push_back(LinearLayout::runs({16, 64}, dim, 2, 4));
  return all;
}

} // namespace

// The essay's example: register 1, lane 2, warp 1 holds (3, 1). Lanes beyond the drawing hold
// copies.
TEST(LinearLayout, Example) {
  LinearLayout layout({4, 4}, {1}, {2, 4, 0, 0, 0}, {8});
  EXPECT_EQ(layout.element(1, 2, 1), 13u);
  EXPECT_TRUE(layout.coversTile());
  EXPECT_EQ(layout.contiguous(), 2);
}

// Every element of the tile is held by some thread.
TEST(LinearLayout, CoversTile) {
  for (const LinearLayout &layout : family()) {
    std::set<uint32_t> seen;
    forAll(layout, [&](Thread t) { seen.insert(layout.element(t.reg, t.lane, t.warp)); });
    EXPECT_EQ(int64_t(seen.size()), layout.elementCount());
    EXPECT_TRUE(layout.coversTile());
  }
}

// contiguous() registers hold neighbours.
TEST(LinearLayout, Contiguous) {
  for (const LinearLayout &layout : family()) {
    int64_t n = layout.contiguous();
    forAll(layout, [&](Thread t) {
      if (t.reg % n == 0)
        for (uint32_t i = 0; i < n; ++i)
          EXPECT_EQ(layout.element(t.reg + i, t.lane, t.warp),
                    layout.element(t.reg, t.lane, t.warp) + i);
    });
  }
}

// Permuting twice by a transposition is the identity; element (i, j) becomes (j, i).
TEST(LinearLayout, Permute) {
  LinearLayout layout = LinearLayout::blocked({64, 32}, 4, 4), transposed = layout.permuted({1, 0});
  EXPECT_EQ(transposed.permuted({1, 0}), layout);
  forAll(layout, [&](Thread t) {
    uint32_t e = layout.element(t.reg, t.lane, t.warp);
    EXPECT_EQ(transposed.element(t.reg, t.lane, t.warp), (e % 32) * 64 + e / 32);
  });
}

// A thread that needs an element of a broadcast holds its source.
TEST(LinearLayout, BroadcastSource) {
  LinearLayout layout = LinearLayout::accumulator({64, 64}, 4),
               source = layout.broadcastSource({64, 1});
  for (uint32_t warp = 0; warp < 4; ++warp)
    for (uint32_t lane = 0; lane < 32; ++lane) {
      std::set<uint32_t> rows;
      for (uint32_t reg = 0; reg < source.registerCount(); ++reg)
        rows.insert(source.element(reg, lane, warp));
      EXPECT_EQ(int64_t(rows.size()), source.registerCount()) << "no copies in registers";
      for (uint32_t reg = 0; reg < layout.registerCount(); ++reg)
        EXPECT_TRUE(rows.count(layout.element(reg, lane, warp) / 64));
    }
}

// Partial results: one per warp along the dimension; gathered, each thread has all of its row.
TEST(LinearLayout, Reduction) {
  LinearLayout layout = LinearLayout::blocked({2, 4096}, 8, 8);
  LinearLayout partial = layout.partiallyReduced(1), gathered = layout.gatheredPartials(1);
  EXPECT_EQ(partial.shape()[1], 8);
  EXPECT_TRUE(partial.coversTile());
  EXPECT_TRUE(gathered.coversTile());
  EXPECT_EQ(gathered.warpBitsAlong(1), 0u);
  EXPECT_EQ(gathered.reduced(1), layout.reduced(1));
}

// More than a thread should have: four of a row in registers, the others in lanes that held copies.
TEST(LinearLayout, ReductionOfManyWarps) {
  LinearLayout layout = LinearLayout::blocked({4, 4096}, 8, 16);
  EXPECT_EQ(layout.gatheredPartials(1).registerCount(), 64);
  LinearLayout gathered = layout.gatheredPartials(1, 16);
  EXPECT_EQ(gathered.registerCount(), 16);
  EXPECT_TRUE(gathered.coversTile());
  EXPECT_EQ(gathered.warpBitsAlong(1), 0u);
  EXPECT_EQ(gathered.reduced(1), layout.reduced(1));
  // Lanes that hold other rows hold no partial results.
  LinearLayout rows = LinearLayout::blocked({64, 64}, 2, 16);
  EXPECT_TRUE(rows.gatheredPartials(1, 1).coversTile());
  EXPECT_EQ(rows.gatheredPartials(1, 1).reduced(1), rows.reduced(1));
}

// Lanes along a diagonal move along both dimensions at once.
TEST(LinearLayout, KeepsApart) {
  for (unsigned dim : {0u, 1u}) {
    EXPECT_TRUE(LinearLayout::blocked({64, 64}, 8, 4).keepsApart(dim));
    EXPECT_TRUE(LinearLayout::warpgroupAccumulator({128, 128}, 8).keepsApart(dim));
    EXPECT_FALSE(LinearLayout::transposed({32, 128}, 4, 8).keepsApart(dim));
  }
}

// Two layouts differ in registers only iff every thread holds the same set of elements.
TEST(LinearLayout, DiffersInRegistersOnly) {
  LinearLayout a({8, 8}, {1, 32}, {2, 4, 8, 16, 0}, {}), b({8, 8}, {32, 33}, {2, 4, 8, 16, 0}, {}),
      c({8, 8}, {2, 32}, {1, 4, 8, 16, 0}, {});
  EXPECT_TRUE(a.differsInRegistersOnly(b));
  EXPECT_FALSE(a.differsInRegistersOnly(c));
}

// The accumulator is the fragment of m16n8: registers (0, 1) are neighbours, (0, 2) eight rows
// apart; lane 4 is the next row.
// Striped, what a warp holds stays the same, a register of side-by-side lanes holds neighbours, and
// lane l of the run has what is l behind a multiple of the lanes.
TEST(LinearLayout, Striped) {
  for (int64_t vector : {1, 2, 4, 8})
    for (int64_t columns : {64, 256, 2048}) {
      const LinearLayout wide = LinearLayout::blocked({2, columns}, vector, 4);
      const LinearLayout::Run run = wide.run();
      ASSERT_EQ(wide.contiguous(), int64_t(1) << run.neighbours);
      const uint32_t lanes = 1u << run.lanes;
      ASSERT_LE(int64_t(lanes) * vector, columns);
      const LinearLayout striped = wide.striped(run);
      EXPECT_TRUE(striped.coversTile());
      EXPECT_EQ(striped.warps(), wide.warps());
      for (uint32_t reg = 0; reg < uint32_t(striped.registerCount()); ++reg)
        for (uint32_t lane = 0; lane < 32; ++lane) {
          const uint32_t element = striped.element(reg, lane, 0);
          EXPECT_EQ(element % lanes, lane % lanes);
          EXPECT_EQ(element, striped.element(reg, lane / lanes * lanes, 0) + lane % lanes);
        }
    }
}

// With runs of warps, warp after warp has the next elements of a row, whatever the rows are, and
// lanes have the same neighbours as before.
TEST(LinearLayout, RunsOfWarps) {
  for (int64_t rows : {1, 2})
    for (int64_t vector : {1, 4, 8}) {
      constexpr int64_t columns = 4096, warps = 4;
      const LinearLayout one = LinearLayout::blocked({1, columns}, vector, warps);
      LinearLayout::Bases registers(one.registers());
      if (rows == 2)
        registers.push_back(columns);
      const LinearLayout layout({rows, columns}, registers, LinearLayout::Bases(one.lanes()),
                                LinearLayout::Bases(one.warps()));
      const std::optional<LinearLayout> runs = layout.withRunsOfWarps();
      ASSERT_TRUE(runs.has_value());
      EXPECT_TRUE(runs->coversTile());
      EXPECT_EQ(runs->lanes(), layout.lanes());
      EXPECT_EQ(runs->contiguous(), layout.contiguous());
      for (uint32_t reg = 0; reg < uint32_t(runs->registerCount()); ++reg)
        for (uint32_t warp = 0; warp < warps; ++warp)
          EXPECT_EQ(runs->element(reg, 31, warp) % columns / (columns / warps), warp);
      EXPECT_EQ(*runs, runs->withRunsOfWarps());
    }
  // Warps that hold copies, or other rows.
  EXPECT_FALSE(LinearLayout::blocked({1, 64}, 4, 4).withRunsOfWarps());
  EXPECT_FALSE(LinearLayout::blocked({8, 32}, 1, 4).withRunsOfWarps());
}

TEST(LinearLayout, Accumulator) {
  LinearLayout layout = LinearLayout::accumulator({16, 8}, 1);
  EXPECT_EQ(layout.element(1, 0, 0), 1u);
  EXPECT_EQ(layout.element(2, 0, 0), 64u);
  EXPECT_EQ(layout.element(0, 1, 0), 2u);
  EXPECT_EQ(layout.element(0, 4, 0), 8u);
}

// In pairs, row 8 of the instruction is the tile's row 1, and column 0 of the next instruction its
// column 1; a warp has whole pairs of instructions.
TEST(LinearLayout, AccumulatorInPairs) {
  LinearLayout layout = LinearLayout::accumulator({16, 16}, 1, {true, true});
  EXPECT_EQ(layout.element(1, 0, 0), 2u);
  EXPECT_EQ(layout.element(2, 0, 0), 16u);
  EXPECT_EQ(layout.element(4, 0, 0), 1u);
  EXPECT_EQ(layout.element(0, 1, 0), 4u);
  EXPECT_EQ(layout.element(0, 4, 0), 32u);
  LinearLayout divided = LinearLayout::accumulator({16, 64}, 8, {false, true});
  EXPECT_TRUE(divided.warps().equals({32, 16, 0}));
}

// A swizzle is a permutation of the tile's offsets, and the chosen one makes a transposition
// through shared memory free of conflicts.
TEST(Swizzle, Transposition) {
  LinearLayout reads = LinearLayout::blocked({64, 64}, 4, 4), writes = reads.permuted({1, 0});
  Swizzle s = chooseSwizzle({reads, writes}, 4);
  std::set<uint32_t> offsets;
  for (uint32_t i = 0; i < 4096; ++i)
    offsets.insert(s(i));
  EXPECT_EQ(offsets.size(), 4096u);
  EXPECT_LE(*offsets.rbegin(), 4095u);
  EXPECT_LT(bankConflicts(writes, s, 4), bankConflicts(writes, Swizzle{}, 4));
}

// Of 16 bits an operand of warpgroups lies as their sum; of others in words that lie as its pairs
// do.
TEST(LinearLayout, WarpgroupOperand) {
  for (int64_t m : {64, 128, 256})
    EXPECT_EQ(LinearLayout::warpgroupOperand({m, 64}, 2, 4),
              LinearLayout::warpgroupAccumulator({m, 64}, 4));
  for (int64_t bytes : {1, 2, 4})
    for (int64_t warps : {4, 8}) {
      int64_t k = 128 / bytes;
      LinearLayout layout = LinearLayout::warpgroupOperand({64, k}, bytes, warps);
      EXPECT_TRUE(layout.coversTile());
      uint32_t word = 4 / bytes;
      // Lane 5 is in the second row's second word; word 1 lies eight rows below, 2 16 bytes on.
      EXPECT_EQ(layout.element(0, 5, 0), k + word);
      EXPECT_EQ(layout.element(word, 0, 0), 8 * k);
      EXPECT_EQ(layout.element(2 * word, 0, 0), 4 * word);
      EXPECT_EQ(layout.element(0, 0, 1), 16 * k);
      if (warps == 8)
        EXPECT_EQ(layout.element(0, 0, 4), 0u); // the other warpgroup has copies
    }
}

// Both ways without a bank conflict in chunks that the row's number exchanges, in whole words, with
// every element in one thread.
TEST(LinearLayout, Transposed) {
  struct Case {
    int64_t rows, columns, bytes, warps, edge;
  };
  for (Case c : {Case{128, 128, 1, 8, 8}, Case{128, 256, 1, 8, 8}, Case{128, 128, 1, 16, 4},
                 Case{32, 128, 4, 8, 4}, Case{32, 256, 4, 8, 4}}) {
    LinearLayout reads = LinearLayout::transposed({c.rows, c.columns}, c.bytes, c.warps);
    LinearLayout writes = reads.permuted({1, 0});
    EXPECT_TRUE(reads.coversTile());
    EXPECT_EQ(reads.contiguous(), c.edge);
    EXPECT_EQ(reads.registerCount() * 32 * c.warps, c.rows * c.columns);
    auto swizzle = [&](int64_t columns) {
      int64_t chunk = llvm::Log2_64(16 / c.bytes), shift = llvm::Log2_64(columns) - chunk;
      return Swizzle{3, chunk, shift};
    };
    int64_t best = 16 / (c.edge * c.bytes); // instructions for 16 bytes
    EXPECT_EQ(bankConflicts(reads, swizzle(c.columns), c.bytes), best);
    EXPECT_EQ(bankConflicts(writes, swizzle(c.rows), c.bytes), best);
  }
  // Smaller than the block: copies.
  EXPECT_TRUE(LinearLayout::transposed({32, 8}, 1, 4).coversTile());
  EXPECT_TRUE(LinearLayout::transposed({8, 64}, 4, 8).coversTile());
}

// A part holds the elements whose bits are fixed, each once; its index is the remaining bits.
TEST(LinearLayout, Part) {
  LinearLayout whole = LinearLayout::accumulator({256, 256}, 8);
  uint32_t mask = llvm::bit_floor(whole.registerBits());
  LinearLayout part = whole.part(mask);
  EXPECT_EQ(2 * part.elementCount(), whole.elementCount());
  EXPECT_EQ(2 * part.registerCount(), whole.registerCount());
  EXPECT_TRUE(part.coversTile());
}

// Any layout is the part of one of a larger tile, of which every thread holds as many parts as
// there are.
TEST(LinearLayout, WholeOf) {
  LinearLayout part = LinearLayout::blocked({64, 32}, 4, 4);
  // Rows of 128 elements, of which columns 32 to 127 are other parts; 128 rows, so are the last 64.
  uint32_t mask = 0b1100000 | 1 << 13;
  LinearLayout whole = part.wholeOf({128, 128}, mask);
  EXPECT_TRUE(whole.coversTile());
  EXPECT_EQ(whole.registerCount(), 8 * part.registerCount());
  EXPECT_EQ(whole.registerBits() & mask, mask);
  EXPECT_EQ(whole.part(mask), part);
}
