// The linear algebra of LinearLayout.h. No MLIR, no Clang.
#include "layout/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <deque>

using namespace llvm;

namespace tessera {

namespace {

constexpr unsigned laneBits = 5;

int64_t product(ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  return n;
}

// Position of the lowest index bit of dimension `dim`.
unsigned bitOffset(ArrayRef<int64_t> shape, unsigned dim) {
  return Log2_64(product(shape.drop_front(dim + 1)));
}

uint32_t maskOf(ArrayRef<int64_t> shape, unsigned dim) {
  return uint32_t(shape[dim] - 1) << bitOffset(shape, dim);
}

// Moves an index from one shape to another dimension by dimension: dimension d of the result is
// dimension from[d] of the index, or 0 for from[d] < 0; bits beyond the new extent are dropped.
uint32_t remap(uint32_t index, ArrayRef<int64_t> oldShape, ArrayRef<int64_t> newShape,
               ArrayRef<int64_t> from) {
  uint32_t result = 0;
  for (auto [d, source] : enumerate(from)) {
    if (source < 0)
      continue;
    uint32_t coordinate = (index & maskOf(oldShape, source)) >> bitOffset(oldShape, source);
    result |= (coordinate & uint32_t(newShape[d] - 1)) << bitOffset(newShape, d);
  }
  return result;
}

// A basis of the span of `vectors`, in reduced form: equal spans give equal results.
SmallVector<uint32_t> reducedSpan(ArrayRef<uint32_t> vectors) {
  SmallVector<uint32_t> rows;
  for (uint32_t v : vectors) {
    for (uint32_t row : rows)
      v = std::min(v, v ^ row);
    if (!v)
      continue;
    for (uint32_t &row : rows)
      row = std::min(row, row ^ v);
    rows.push_back(v);
    llvm::sort(rows, std::greater<>());
  }
  return rows;
}

} // namespace

LinearLayout::LinearLayout(ArrayRef<int64_t> shape, Bases registers, Bases lanes, Bases warps)
    : shape_(shape.begin(), shape.end()), registers_(std::move(registers)),
      lanes_(std::move(lanes)), warps_(std::move(warps)) {
  assert(lanes_.size() == laneBits && "a warp has 32 lanes");
}

LinearLayout LinearLayout::blocked(ArrayRef<int64_t> shape, int64_t vector, int64_t warps) {
  unsigned total = Log2_64(product(shape)), next = 0;
  auto take = [&](unsigned count, Bases &into) {
    for (unsigned i = 0; i < count && next < total; ++i)
      into.push_back(1u << next++);
  };
  Bases registers, lanes, warpBases;
  take(Log2_64(vector), registers);
  take(laneBits, lanes);
  take(Log2_64(warps), warpBases);
  take(total, registers);
  lanes.resize(laneBits, 0);
  warpBases.resize(Log2_64(warps), 0);
  return {shape, registers, lanes, warpBases};
}

LinearLayout LinearLayout::accumulator(ArrayRef<int64_t> shape, int64_t warps, AtomOrder order) {
  const int64_t m = shape[shape.size() - 2], n = shape[shape.size() - 1], atomM = 16,
                atomN = order.pairsColumns ? 16 : 8;
  assert(m >= atomM && n >= atomN && "smaller than one instruction");
  auto row = [&](int64_t r) { return uint32_t(r * n); };
  const uint32_t column = order.pairsColumns ? 2 : 1;
  const int64_t line = order.pairsRows ? 2 : 1, half = order.pairsRows ? 1 : 8;
  Bases registers = {column, row(half)},
        lanes = {2 * column, 4 * column, row(line), row(2 * line), row(4 * line)}, warpBases;
  // The high bits of each dimension go to the warps, so that a warp's part is one dense box.
  int64_t perWarpM = m, perWarpN = n;
  for (int64_t w = 1; w < warps; w *= 2) {
    if (perWarpM > atomM && (perWarpM >= perWarpN || perWarpN == atomN)) {
      perWarpM /= 2;
      warpBases.push_back(row(perWarpM));
    } else if (perWarpN > atomN) {
      perWarpN /= 2;
      warpBases.push_back(uint32_t(perWarpN));
    } else {
      warpBases.push_back(0);
    }
  }
  if (order.pairsColumns)
    registers.push_back(1);
  for (int64_t c = atomN; c < perWarpN; c *= 2)
    registers.push_back(uint32_t(c));
  for (int64_t r = atomM; r < perWarpM; r *= 2)
    registers.push_back(row(r));
  return {shape, registers, lanes, warpBases};
}

LinearLayout LinearLayout::warpgroupAccumulator(ArrayRef<int64_t> shape, int64_t warps) {
  constexpr int64_t rows = 64, minColumns = 64;
  int64_t m = shape[shape.size() - 2], n = shape[shape.size() - 1];
  assert(m >= rows && n >= 8 && warps >= 4 && "smaller than one instruction");
  auto row = [&](int64_t r) { return uint32_t(r * n); };
  Bases registers = {1, row(8)}, lanes = {2, 4, row(1), row(2), row(4)},
        warpBases = {row(16), row(32)};
  int64_t perGroupM = m, perGroupN = n;
  for (int64_t w = 4; w < warps; w *= 2) {
    if (perGroupM > rows) {
      perGroupM /= 2;
      warpBases.push_back(row(perGroupM));
    } else if (perGroupN > minColumns) {
      perGroupN /= 2;
      warpBases.push_back(uint32_t(perGroupN));
    } else {
      warpBases.push_back(0);
    }
  }
  for (int64_t c = 8; c < perGroupN; c *= 2)
    registers.push_back(uint32_t(c));
  for (int64_t r = rows; r < perGroupM; r *= 2)
    registers.push_back(row(r));
  return {shape, registers, lanes, warpBases};
}

LinearLayout LinearLayout::warpgroupOperand(ArrayRef<int64_t> shape, int64_t bytes, int64_t warps) {
  constexpr int64_t rows = 64;
  int64_t m = shape[0], k = shape[1], word = 4 / bytes;
  assert(m >= rows && k >= 8 * word && bytes <= 4 && warps >= 4 && "smaller than one instruction");
  auto row = [&](int64_t r) { return uint32_t(r * k); };
  Bases registers, lanes = {uint32_t(word), uint32_t(2 * word), row(1), row(2), row(4)},
                   warpBases = {row(16), row(32)};
  for (int64_t c = 1; c < word; c *= 2)
    registers.push_back(uint32_t(c));
  registers.push_back(row(8));
  int64_t perGroup = m;
  for (int64_t w = 4; w < warps; w *= 2) {
    if (perGroup > rows)
      warpBases.push_back(row(perGroup /= 2));
    else
      warpBases.push_back(0);
  }
  for (int64_t c = 4 * word; c < k; c *= 2)
    registers.push_back(uint32_t(c));
  for (int64_t r = rows; r < perGroup; r *= 2)
    registers.push_back(row(r));
  return {shape, registers, lanes, warpBases};
}

LinearLayout LinearLayout::transposed(ArrayRef<int64_t> shape, int64_t bytes, int64_t warps) {
  assert(shape.size() == 2 && "a matrix is transposed");
  int64_t rows = shape[0], columns = shape[1], perThread = rows * columns / (32 * warps);
  int64_t edge = std::min(std::min(rows, columns), 16 / bytes);
  while (edge > 1 && edge * edge > perThread)
    edge /= 2;
  Bases registers, lanes, warpBases;
  for (int64_t c = 1; c < edge; c *= 2)
    registers.push_back(uint32_t(c));
  for (int64_t r = 1; r < edge; r *= 2)
    registers.push_back(uint32_t(r * columns));
  // Bits of a block's column and row: both at once along the diagonal, then the rest.
  Bases left;
  int64_t r = edge, c = edge;
  for (; r < rows && c < columns && lanes.size() < laneBits; r *= 2, c *= 2) {
    lanes.push_back(uint32_t(r * columns | c));
    left.push_back(uint32_t(c));
  }
  for (; c < columns; c *= 2)
    (lanes.size() < laneBits ? lanes : left).push_back(uint32_t(c));
  for (; r < rows; r *= 2)
    (lanes.size() < laneBits ? lanes : left).push_back(uint32_t(r * columns));
  while (lanes.size() < laneBits && !left.empty())
    lanes.push_back(left.pop_back_val());
  for (int64_t w = 1; w < warps; w *= 2)
    warpBases.push_back(left.empty() ? 0 : left.pop_back_val());
  llvm::append_range(registers, left);
  lanes.resize(laneBits, 0);
  return {shape, registers, lanes, warpBases};
}

LinearLayout LinearLayout::runs(ArrayRef<int64_t> shape, unsigned dim, int64_t vector,
                                int64_t warps) {
  std::deque<uint32_t> inner, along, outer;
  for (unsigned bit = 0, first = bitOffset(shape, dim); bit < Log2_64(product(shape)); ++bit)
    (bit < first ? inner : maskOf(shape, dim) >> bit & 1 ? along : outer).push_back(1u << bit);
  auto take = [](std::deque<uint32_t> &from, size_t count, Bases &into) {
    for (; into.size() < count && !from.empty(); from.pop_front())
      into.push_back(from.front());
  };
  Bases registers, lanes, warpBases;
  take(inner.empty() ? along : inner, Log2_64(vector), registers);
  for (std::deque<uint32_t> *from : {&inner, &along, &outer})
    take(*from, laneBits, lanes);
  for (std::deque<uint32_t> *from : {&outer, &inner})
    take(*from, Log2_64(warps), warpBases);
  for (; warpBases.size() < Log2_64(warps) && !along.empty(); along.pop_back())
    warpBases.push_back(along.back());
  for (std::deque<uint32_t> *from : {&along, &inner, &outer})
    take(*from, 32, registers);
  lanes.resize(laneBits, 0);
  warpBases.resize(Log2_64(warps), 0);
  return {shape, registers, lanes, warpBases};
}

int64_t LinearLayout::elementCount() const { return product(shape_); }

uint32_t LinearLayout::element(uint32_t reg, uint32_t lane, uint32_t warp) const {
  uint32_t index = 0;
  auto apply = [&](ArrayRef<uint32_t> bases, uint32_t number) {
    for (auto [bit, basis] : enumerate(bases))
      if (number >> bit & 1)
        index ^= basis;
  };
  apply(registers_, reg);
  apply(lanes_, lane);
  apply(warps_, warp);
  return index;
}

uint32_t LinearLayout::dimensionMask(unsigned dim) const { return maskOf(shape_, dim); }

bool LinearLayout::coversTile() const {
  SmallVector<uint32_t> all(registers_.begin(), registers_.end());
  all.append(lanes_.begin(), lanes_.end());
  all.append(warps_.begin(), warps_.end());
  return int64_t(1) << reducedSpan(all).size() == elementCount();
}

int64_t LinearLayout::contiguous() const {
  int64_t n = 1;
  for (uint32_t basis : registers_) {
    if (basis != n || shape_.empty() || n >= shape_.back())
      break;
    n *= 2;
  }
  return n;
}

LinearLayout::Run LinearLayout::run() const {
  const int64_t neighbours = contiguous();
  Run run{llvm::Log2_64(uint64_t(neighbours)), 0};
  for (uint32_t basis : lanes_) {
    if (basis != neighbours << run.lanes || basis >= shape_.back())
      break;
    ++run.lanes;
  }
  return run;
}

LinearLayout LinearLayout::striped(Run run) const {
  const unsigned bits = run.neighbours + run.lanes;
  assert(shape_.back() >= int64_t(1) << bits && "a run goes on in the next row");
  const uint32_t mask = (1u << bits) - 1;
  auto stripe = [&](Bases bases) {
    for (uint32_t &b : bases) {
      const uint32_t in = b & mask;
      b = (b & ~mask) | ((in << run.lanes | in >> run.neighbours) & mask);
    }
    return bases;
  };
  return {shape_, stripe(registers_), stripe(lanes_), stripe(warps_)};
}

std::optional<LinearLayout> LinearLayout::withRunsOfWarps() const {
  if (shape_.empty())
    return std::nullopt;
  const uint32_t row = dimensionMask(unsigned(shape_.size()) - 1);
  uint32_t furthest = 0;
  for (uint32_t b : lanes_)
    furthest = std::max(furthest, b & row);
  // A bit of the row's index that is beyond those of the lanes.
  auto isFar = [&](uint32_t b) { return (b & ~row) == 0 && isPowerOf2_32(b) && b > furthest; };
  if (!llvm::all_of(warps_, isFar))
    return std::nullopt;
  Bases far(warps_), registers(registers_);
  llvm::copy_if(registers_, std::back_inserter(far), isFar);
  llvm::sort(far);
  auto next = far.begin();
  for (uint32_t &b : registers)
    if (isFar(b))
      b = *next++;
  return LinearLayout(shape_, registers, lanes_, Bases(next, far.end()));
}

bool LinearLayout::differsInRegistersOnly(const LinearLayout &to) const {
  return shape_ == to.shape_ && lanes_ == to.lanes_ && warps_ == to.warps_ &&
         reducedSpan(registers_) == reducedSpan(to.registers_);
}

LinearLayout LinearLayout::reshaped(ArrayRef<int64_t> shape) const {
  assert(product(shape) == elementCount());
  return {shape, registers_, lanes_, warps_};
}

LinearLayout LinearLayout::permuted(ArrayRef<int64_t> map) const {
  Shape shape;
  for (int64_t source : map)
    shape.push_back(shape_[source]);
  auto move = [&](Bases bases) {
    for (uint32_t &b : bases)
      b = remap(b, shape_, shape, map);
    return bases;
  };
  return {shape, move(registers_), move(lanes_), move(warps_)};
}

LinearLayout LinearLayout::broadcastSource(ArrayRef<int64_t> sourceShape) const {
  SmallVector<int64_t> same = llvm::to_vector(llvm::seq<int64_t>(0, shape_.size()));
  auto project = [&](Bases bases) {
    for (uint32_t &b : bases)
      b = remap(b, shape_, sourceShape, same);
    return bases;
  };
  Bases registers = project(registers_);
  llvm::erase(registers, 0u);
  return {sourceShape, registers, project(lanes_), project(warps_)};
}

unsigned LinearLayout::warpBitsAlong(unsigned dim) const {
  uint32_t mask = dimensionMask(dim);
  return llvm::count_if(warps_, [&](uint32_t b) { return b & mask; });
}

bool LinearLayout::hasRunsAlong(unsigned dim) const {
  uint32_t mask = dimensionMask(dim), inWarp = 0, lowestOfWarps = ~0u;
  for (const Bases *bases : {&registers_, &lanes_})
    for (uint32_t b : *bases)
      inWarp |= b & mask;
  for (uint32_t b : warps_)
    if (b & mask)
      lowestOfWarps = std::min(lowestOfWarps, b & mask);
  return inWarp < lowestOfWarps;
}

bool LinearLayout::keepsApart(unsigned dim) const {
  uint32_t mask = dimensionMask(dim);
  for (const Bases *bases : {&lanes_, &warps_})
    for (uint32_t b : *bases)
      if ((b & mask) && (b & ~mask))
        return false;
  return true;
}

LinearLayout LinearLayout::reduced(unsigned dim) const {
  Shape shape = shape_;
  shape[dim] = 1;
  return broadcastSource(shape);
}

LinearLayout LinearLayout::partiallyReduced(unsigned dim) const {
  Shape shape = shape_;
  shape[dim] = int64_t(1) << warpBitsAlong(dim);
  LinearLayout result = reduced(dim);
  SmallVector<int64_t> same = llvm::to_vector(llvm::seq<int64_t>(0, shape_.size()));
  auto widen = [&](Bases bases) {
    for (uint32_t &b : bases)
      b = remap(b, result.shape_, shape, same);
    return bases;
  };
  // The order of the partial results is that of the warps' coordinates along the dimension.
  const uint32_t mask = dimensionMask(dim), first = 1u << bitOffset(shape, dim);
  Bases warps = widen(result.warps_);
  for (auto [partial, full] : zip(warps, warps_))
    if (full & mask)
      partial |= first << llvm::count_if(warps_, [&, own = full & mask](uint32_t other) {
                   return (other & mask) && (other & mask) < own;
                 });
  return {shape, widen(result.registers_), widen(result.lanes_), warps};
}

LinearLayout LinearLayout::gatheredPartials(unsigned dim, int64_t maxRegisters) const {
  LinearLayout partial = partiallyReduced(dim);
  uint32_t mask = partial.dimensionMask(dim);
  Bases registers = partial.registers_, lanes = partial.lanes_, warps = partial.warps_, along;
  for (uint32_t &b : warps) {
    if (b & mask)
      along.push_back(b & mask);
    b &= ~mask;
  }
  constexpr size_t bitsOfVector = 2;
  while (along.size() > bitsOfVector &&
         int64_t(1) << (registers.size() + along.size()) > maxRegisters) {
    uint32_t *free = llvm::find(lanes, 0u);
    if (free == lanes.end())
      break;
    uint32_t *farthest = llvm::max_element(along);
    *free = *farthest;
    along.erase(farthest);
  }
  llvm::append_range(registers, along);
  return {partial.shape_, registers, lanes, warps};
}

uint32_t LinearLayout::registerBits() const {
  uint32_t mask = 0;
  for (uint32_t b : registers_)
    mask |= llvm::has_single_bit(b) ? b : 0;
  return mask;
}

LinearLayout LinearLayout::part(uint32_t mask) const {
  auto squeeze = [&](uint32_t index) {
    uint32_t result = 0;
    for (unsigned from = 0, to = 0; from < 32; ++from)
      if (!(mask >> from & 1))
        result |= (index >> from & 1) << to++;
    return result;
  };
  auto remaining = [&](Bases bases) {
    llvm::erase_if(bases, [&](uint32_t b) { return b & mask; });
    for (uint32_t &b : bases)
      b = squeeze(b);
    return bases;
  };
  Shape shape = shape_;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    shape[dim] >>= llvm::popcount(mask & dimensionMask(dim));
  return {shape, remaining(registers_), remaining(lanes_), remaining(warps_)};
}

LinearLayout LinearLayout::wholeOf(llvm::ArrayRef<int64_t> shape, uint32_t mask) const {
  auto spread = [&](Bases bases) {
    for (uint32_t &b : bases) {
      uint32_t index = 0;
      for (unsigned from = 0, to = 0; to < 32; ++to)
        if (!(mask >> to & 1))
          index |= (b >> from++ & 1) << to;
      b = index;
    }
    return bases;
  };
  Bases registers = spread(registers_);
  for (unsigned bit = 0; bit < 32; ++bit)
    if (mask >> bit & 1)
      registers.push_back(1u << bit);
  return {shape, registers, spread(lanes_), spread(warps_)};
}

} // namespace tessera
