// Multiplies of warpgroups: begun together, done when the first thread waits for them, in each
// thread's accumulators when it does.
#include "checked.h"
#include "reporting.h"

#include <tessera/emulate/matrix.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tessera::emulate {
namespace {

constexpr int rows = 64, depth = 16, row_bytes = 128;
constexpr unsigned warpgroup_size = 128;
constexpr std::size_t element_bytes = 2;

float widen(std::uint16_t bits, bool is_half) {
  return is_half ? static_cast<float>(std::bit_cast<_Float16>(bits))
                 : std::bit_cast<float>(static_cast<unsigned>(bits) << 16);
}

// The byte in shared memory of the element (outer, k) of an operand.
std::size_t byte_of(const warpgroup_operand &operand, int outer, int k) {
  const auto start = operand.place & 0xfffff;
  const auto groups = operand.place >> 40, panels = operand.place >> 20 & 0xfffff;
  const auto along = static_cast<unsigned long long>(operand.is_outer_along_rows ? outer : k) * 2;
  const auto across = static_cast<unsigned long long>(operand.is_outer_along_rows ? k : outer);
  const auto plain = start + along / row_bytes * panels + along % row_bytes + across / 8 * groups +
                     across % 8 * row_bytes;
  return plain ^ ((plain >> 7 & 7) << 4);
}

// Calls step(byte) for each run of 16 bytes of an operand.
template <class Step>
void each_chunk(const warpgroup_operand &operand, int outer_extent, Step step) {
  constexpr int per_chunk = async_chunk / static_cast<int>(element_bytes);
  const bool along = operand.is_outer_along_rows;
  for (int outer = 0; outer < outer_extent; outer += along ? per_chunk : 1)
    for (int k = 0; k < depth; k += along ? 1 : per_chunk)
      step(byte_of(operand, outer, k));
}

float element_at(const block_runner &runner, const multiply &m, const warpgroup_operand &operand,
                 int outer, int k) {
  std::uint16_t bits = 0;
  std::size_t at = byte_of(operand, outer, k);
  if (at + element_bytes <= runner.block().shared_bytes)
    std::memcpy(&bits, runner.block().shared + at, element_bytes);
  return widen(bits, m.are_half);
}

void perform(block_runner &runner, multiply &m) {
  observer before = m.by;
  before.more = m.known.get();
  auto check = [&](std::size_t at) { end_read_async(runner, before, at, m.place); };
  each_chunk(m.a, rows, check);
  each_chunk(m.b, m.n, check);
  auto gather = [&](const warpgroup_operand &operand, int extent) {
    std::vector<float> elements;
    for (int outer = 0; outer != extent; ++outer)
      for (int k = 0; k != depth; ++k)
        elements.push_back(element_at(runner, m, operand, outer, k));
    return elements;
  };
  m.a_elements = gather(m.a, rows);
  m.b_elements = gather(m.b, m.n);
}

// Adds to the running thread's accumulators, as it has waited for them.
void take(const thread &t, multiply &m) {
  const int lane = static_cast<int>(t.lane()), warp = static_cast<int>(t.warp() % 4);
  float *&d = m.accumulators[t.number % warpgroup_size];
  for (int r = 0; r != m.n / 2; ++r) {
    position p = element_of_accumulator(lane, r % 4);
    const std::ptrdiff_t row = 16 * warp + p.row, column = 8 * (r / 4) + p.column;
    const float *a = m.a_elements.data() + row * depth;
    const float *b = m.b_elements.data() + column * depth;
    for (int k = 0; k != depth; ++k)
      d[r] += a[k] * b[k];
  }
  d = nullptr;
  --m.threads;
}

struct started {
  float *d;
  warpgroup_operand a, b;
  int n;
  bool are_half;
  const void *place;
};

// The last thread to come checks for all.
void begin(block_runner &runner, const crowd &all) {
  const started &own = *static_cast<const started *>(all.operands.back());
  thread &t = runner.running();
  multiply m{own.a,
             own.b,
             own.n,
             own.are_half,
             t.multiply_groups,
             runner.now(),
             {},
             own.place,
             {},
             {},
             std::vector<float *>(warpgroup_size),
             warpgroup_size};
  for (std::size_t i = 0; i != all.threads.size(); ++i)
    m.accumulators[all.threads[i] % warpgroup_size] =
        static_cast<const started *>(all.operands[i])->d;
  auto check = [&](std::size_t at) { begin_read_async(runner, at, own.place); };
  each_chunk(own.a, rows, check);
  each_chunk(own.b, own.n, check);
  m.known = t.clock.release(runner.clock(), t.number);
  runner.multiplies[static_cast<unsigned>(all.number)].push_back(std::move(m));
}

} // namespace

void start_multiply(float *d, warpgroup_operand a, warpgroup_operand b, int n, bool are_half) {
  started own{d, a, b, n, are_half, __builtin_return_address(0)};
  running_block().crowd_meeting("a multiply of a warpgroup",
                                static_cast<int>(current->warp() & ~3u), warpgroup_size, &own,
                                begin, false);
}

void commit_multiplies() { ++running_block().running().multiply_groups; }

void wait_multiplies(unsigned pending) {
  block_runner &runner = running_block();
  thread &t = runner.running();
  const std::uint32_t end = t.multiply_groups - std::min(t.multiply_groups, pending);
  const unsigned warpgroup = t.warp() & ~3u;
  std::deque<multiply> &begun = runner.multiplies[warpgroup];
  knowledge_ref &done = runner.done_multiplies[warpgroup];
  for (multiply &m : begun) {
    if (m.group >= end)
      break;
    if (m.a_elements.empty()) {
      perform(runner, m);
      const observer by = runner.now();
      const fact read[] = {{m.by.block, fact::thread(m.by.thread), m.by.now},
                           {by.block, fact::thread(by.thread), by.now}};
      done = knowledge::join(done, nullptr, read);
    }
    if (m.accumulators[t.number % warpgroup_size])
      take(t, m);
  }
  while (!begun.empty() && begun.front().threads == 0)
    begun.pop_front();
  // The reads of operands are behind this thread, whoever noted them.
  t.clock.acquire(runner.clock(), done);
}

} // namespace tessera::emulate
