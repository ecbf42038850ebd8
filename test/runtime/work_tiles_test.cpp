// The tile scheduler of work tiles that take different times: each is taken once, and the blocks
// have equal work.
#include "laws.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tessera {
namespace {

struct schedule {
  unsigned blocks, stride, length, lines;

  unsigned count() const { return length * lines; }
  unsigned at(unsigned index, longest which) const {
    return detail::scheduled(index, count(), blocks, stride, length, which);
  }
  // Iterations of a work tile under a causal mask.
  unsigned time(unsigned work_tile, longest which) const {
    const unsigned i = work_tile / stride % length;
    return which == longest::last ? i + 1 : length - i;
  }
  std::vector<unsigned> times_of_blocks(longest which) const {
    std::vector<unsigned> times(blocks);
    for (unsigned i = 0; i < count(); ++i)
      times[i % blocks] += time(at(i, which), which);
    return times;
  }
};

TEST(work_tiles, each_is_taken_once) {
  for (unsigned blocks : {1u, 3u, 8u, 132u})
    for (unsigned stride : {1u, 2u, 5u})
      for (unsigned length : {1u, 2u, 7u, 32u, 200u})
        for (unsigned layers : {1u, 3u, 11u, 64u})
          for (longest which : {longest::first, longest::last}) {
            const schedule s{blocks, stride, length, stride * layers};
            std::vector<unsigned> taken(s.count()), all(s.count());
            for (unsigned i = 0; i < s.count(); ++i)
              taken[i] = s.at(i, which);
            std::sort(taken.begin(), taken.end());
            std::iota(all.begin(), all.end(), 0u);
            ASSERT_EQ(taken, all) << blocks << " blocks, stride " << stride << ", length " << length
                                  << ", " << s.lines << " lines";
          }
}

// A block has at most a ninth more to do than the average, where each has four work tiles or more.
TEST(work_tiles, blocks_have_equal_work) {
  for (unsigned length : {8u, 16u, 32u, 64u, 128u, 40u, 33u, 256u})
    for (unsigned lines : {16u, 20u, 64u, 128u, 256u})
      for (longest which : {longest::first, longest::last}) {
        const schedule s{132, 1, length, lines};
        if (s.count() < 4 * s.blocks)
          continue;
        const std::vector<unsigned> times = s.times_of_blocks(which);
        const double average =
            double(std::accumulate(times.begin(), times.end(), 0u)) / double(s.blocks);
        EXPECT_LE(*std::max_element(times.begin(), times.end()), average * 10 / 9)
            << length << " x " << lines;
      }
}

// The last round is the one of the shortest work tiles.
TEST(work_tiles, short_ones_come_last) {
  const schedule s{132, 1, 32, 128};
  for (longest which : {longest::first, longest::last})
    for (unsigned i = s.count() - 100; i < s.count(); ++i)
      EXPECT_LE(s.time(s.at(i, which), which), 8u);
}

// Lines of a section are side by side: blocks that run at the same time share what they read.
TEST(work_tiles, rounds_take_few_lines) {
  const schedule s{132, 1, 128, 64};
  for (unsigned first = 0; first + s.blocks <= s.count(); first += s.blocks) {
    std::vector<unsigned> lines;
    for (unsigned i = first; i < first + s.blocks; ++i)
      lines.push_back(s.at(i, longest::last) / s.length);
    std::sort(lines.begin(), lines.end());
    EXPECT_LE(std::unique(lines.begin(), lines.end()) - lines.begin(), 8);
  }
}

} // namespace
} // namespace tessera
