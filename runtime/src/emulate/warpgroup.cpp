// wgmma: started together, performed when the first thread waits for it, and added to each thread's
// accumulators when that thread waits. A thread that has waited comes behind what all warps of the
// warpgroup read before they started it, but not behind what they wrote.
#include "checked.h"
#include "reporting.h"

#include <tessera/emulate/matrix.h>
#include <tessera/tile/cpu/formats.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tessera::emulate {
namespace {

constexpr int rows = 64, step_bytes = 32;

constexpr int bytes_of(operand_type of) {
  switch (of) {
  case operand_type::half:
  case operand_type::bf16: return 2;
  case operand_type::tf32: return 4;
  default: return 1;
  }
}
constexpr int depth_of(operand_type of) { return step_bytes / bytes_of(of); }
constexpr bool is_integer(operand_type of) {
  return of == operand_type::s8 || of == operand_type::u8;
}

// Every operand is a float; the low 13 bits of a tf32 are ignored.
float widen(unsigned bits, operand_type of) {
  namespace formats = cuda::tiles::__prim::cpu;
  switch (of) {
  case operand_type::half:
    return static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
  case operand_type::bf16: return formats::bfloat16_format::read(bits);
  case operand_type::tf32: return formats::tf32_format::read(bits & ~0x1fffu);
  case operand_type::e4m3: return formats::e4m3_format::read(bits);
  case operand_type::e5m2: return formats::e5m2_format::read(bits);
  case operand_type::s8: return static_cast<float>(static_cast<signed char>(bits));
  case operand_type::u8: return static_cast<float>(bits);
  }
  __builtin_unreachable();
}

// The byte in shared memory of the element (outer, k) of an operand.
std::size_t byte_of(const warpgroup_operand &operand, operand_type of, int outer, int k) {
  const auto start = operand.fields & 0xfffff;
  const auto groups = operand.fields >> 40 & 0xffff, panels = operand.fields >> 20 & 0xfffff;
  const auto row_bytes = operand.fields >> 56;
  const auto along = static_cast<unsigned long long>(operand.is_outer_along_rows ? outer : k) *
                     static_cast<unsigned long long>(bytes_of(of));
  const auto across = static_cast<unsigned long long>(operand.is_outer_along_rows ? k : outer);
  const auto plain = start + along / row_bytes * panels + along % row_bytes + across / 8 * groups +
                     across % 8 * row_bytes;
  return plain ^ ((plain >> 7 & (row_bytes / async_chunk - 1)) << 4);
}

// Calls step(byte) for each run of 16 bytes of an operand.
template <class Step>
void each_chunk(const warpgroup_operand &operand, operand_type of, int outer_extent, Step step) {
  const int per_chunk = async_chunk / bytes_of(of);
  const bool along = operand.is_outer_along_rows;
  for (int outer = 0; outer < outer_extent; outer += along ? per_chunk : 1)
    for (int k = 0; k < depth_of(of); k += along ? 1 : per_chunk)
      step(byte_of(operand, of, outer, k));
}

float element_at(const block_runner &runner, const multiply &m, const warpgroup_operand &operand,
                 int outer, int k) {
  unsigned bits = 0;
  const std::size_t at = byte_of(operand, m.of, outer, k);
  const auto bytes = static_cast<std::size_t>(bytes_of(m.of));
  if (at + bytes <= runner.block().shared_bytes)
    std::memcpy(&bits, runner.block().shared + at, bytes);
  return widen(bits, m.of);
}

void perform(block_runner &runner, multiply &m) {
  observer before = m.by;
  before.more = m.known.get();
  auto check = [&](std::size_t at) { end_read_async(runner, before, at, m.location); };
  if (m.a_elements.empty())
    each_chunk(m.a, m.of, rows, check);
  each_chunk(m.b, m.of, m.n, check);
  auto gather = [&](const warpgroup_operand &operand, int extent) {
    std::vector<float> elements;
    for (int outer = 0; outer != extent; ++outer)
      for (int k = 0; k != depth_of(m.of); ++k)
        elements.push_back(element_at(runner, m, operand, outer, k));
    return elements;
  };
  if (m.a_elements.empty())
    m.a_elements = gather(m.a, rows);
  m.b_elements = gather(m.b, m.n);
}

// Adds the part of the result that `lane` of a warp holds. In integers a step's sum is exact as a
// float.
template <class Acc> void add_product(Acc *d, int warp, int lane, const multiply &m) {
  const int depth = depth_of(m.of);
  for (int r = 0; r != m.n / 2; ++r) {
    position p = element_of_accumulator(lane, r % 4);
    const std::ptrdiff_t row = 16 * warp + p.row, column = 8 * (r / 4) + p.column;
    const float *a = m.a_elements.data() + row * depth;
    const float *b = m.b_elements.data() + column * depth;
    auto sum = std::is_same_v<Acc, int> ? 0.0f : static_cast<float>(d[r]);
    for (int k = 0; k != depth; ++k)
      sum += a[k] * b[k];
    if constexpr (std::is_same_v<Acc, int>)
      d[r] = static_cast<int>(static_cast<unsigned>(d[r]) +
                              static_cast<unsigned>(static_cast<int>(sum)));
    else
      d[r] = sum;
  }
}

// Adds to the running thread's accumulators, after its wait.
void take(const thread &t, multiply &m) {
  const int lane = static_cast<int>(t.lane()), warp = static_cast<int>(t.warp() % 4);
  void *&d = m.accumulators[t.number % warpgroup_size];
  if (is_integer(m.of))
    add_product(static_cast<int *>(d), warp, lane, m);
  else
    add_product(static_cast<float *>(d), warp, lane, m);
  d = nullptr;
  --m.threads;
}

struct started {
  void *d;
  warpgroup_operand a, b;
  int n;
  operand_type of;
  const void *location;
  const unsigned *a_registers = nullptr; // replaces a
};

// The operand in a warpgroup's registers: each word holds neighbours along a row; words 1 and 3 are
// eight rows below, words 2 and 3 after those of a row's four threads.
std::vector<float> elements_of(const crowd &all, operand_type of) {
  const int depth = depth_of(of);
  const auto bytes = static_cast<unsigned>(bytes_of(of)), per_word = 4 / bytes;
  const unsigned mask = 0xffffffffu >> (32 - 8 * bytes);
  std::vector<float> elements(static_cast<std::size_t>(rows * depth));
  for (std::size_t i = 0; i != all.threads.size(); ++i) {
    const unsigned thread = all.threads[i] % warpgroup_size, lane = thread % 32;
    const unsigned *words = static_cast<const started *>(all.operands[i])->a_registers;
    for (unsigned e = 0; e != 4 * per_word; ++e) {
      const unsigned word = e / per_word, within = e % per_word;
      const unsigned row = thread / 32 * 16 + lane / 4 + word % 2 * 8;
      const unsigned k = (lane % 4 + word / 2 * 4) * per_word + within;
      elements[row * static_cast<unsigned>(depth) + k] =
          widen(words[word] >> (within * bytes * 8) & mask, of);
    }
  }
  return elements;
}

// The last thread to arrive checks for all.
void begin(block_runner &runner, const crowd &all) {
  const started &own = *static_cast<const started *>(all.operands.back());
  thread &t = runner.running();
  multiply m{own.a,
             own.b,
             own.n,
             own.of,
             t.multiply_groups,
             runner.now(),
             {},
             own.location,
             {},
             {},
             std::vector<void *>(warpgroup_size),
             warpgroup_size};
  for (std::size_t i = 0; i != all.threads.size(); ++i)
    m.accumulators[all.threads[i] % warpgroup_size] =
        static_cast<const started *>(all.operands[i])->d;
  auto check = [&](std::size_t at) { begin_read_async(runner, at, own.location); };
  if (own.a_registers)
    m.a_elements = elements_of(all, own.of);
  else
    each_chunk(own.a, own.of, rows, check);
  each_chunk(own.b, own.of, own.n, check);
  m.known = t.clock.release(runner.clock(), t.number);
  m.reads_until = runner.step_crowd(all);
  runner.multiplies[static_cast<unsigned>(all.number)].push_back(std::move(m));
}

} // namespace

void start_multiply(void *d, warpgroup_operand a, warpgroup_operand b, int n, operand_type of) {
  started own{d, a, b, n, of, __builtin_return_address(0)};
  running_block().crowd_meeting("a multiply of a warpgroup",
                                static_cast<int>(current->warp() & ~3u), warpgroup_size, &own,
                                begin, false);
}

void start_multiply(float *d, const unsigned *a, warpgroup_operand b, int n, operand_type of) {
  started own{d, {}, b, n, of, __builtin_return_address(0), a};
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
    if (m.b_elements.empty()) {
      perform(runner, m);
      const observer by = runner.now();
      std::vector<fact> read = {{m.by.block, fact::thread(m.by.thread), m.by.now},
                                {by.block, fact::thread(by.thread), by.now}};
      // All warps have started it, and so have read what they computed its operands from.
      for (unsigned warp = warpgroup; warp != warpgroup + 4; ++warp)
        read.push_back({by.block, fact::reads_of_warp(warp), m.reads_until});
      done = knowledge::join(done, nullptr, read);
    }
    if (m.accumulators[t.number % warpgroup_size])
      take(t, m);
  }
  while (!begun.empty() && begun.front().threads == 0)
    begun.pop_front();
  // The reads of operands are ordered before this thread, whichever thread recorded them.
  t.clock.acquire(runner.clock(), done);
}

} // namespace tessera::emulate
