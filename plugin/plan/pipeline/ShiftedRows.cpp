#include "plan/pipeline/ShiftedRows.h"

#include "plan/analysis/Accesses.h"

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t lanes = 32;

int64_t lengthOfRow(const PipelinedLoad &pipelined) {
  tile::ViewLoadOp load = pipelined.load;
  return cast<RankedTensorType>(load.getType()).getShape().back();
}

} // namespace

tile::SharedType endsOf(const PipelinedLoad &pipelined) {
  tile::ViewLoadOp load = pipelined.load;
  if (!load)
    return {};
  auto tensor = cast<RankedTensorType>(load.getType());
  tile::SharedAllocOp buffer = pipelined.buffer;
  auto type = cast<tile::SharedType>(buffer.getType());
  int64_t bits = tile::storageBits(tensor.getElementType());
  if (bits != 8 && bits != 16)
    return {};
  int64_t perChunk = bytesPerInstruction * 8 / bits, length = lengthOfRow(pipelined);
  if (length < perChunk || tensor.getNumElements() / perChunk < lanes)
    return {};
  bool keepsChunks = type.getPanels() || !type.getBits() || 1 << type.getBase() >= perChunk;
  if (!keepsChunks)
    return {};
  const Box box = boxBeforeLayouts(load);
  // The end of a row only determines how much of its last group is copied. Rows whose stride is a
  // multiple of 16 bytes also begin at one, unless a program moves its array: chunks are then
  // joined. Every iteration of a loop pays for ends (256x128x64 of known extents lost 7 to 11 %).
  if (llvm::none_of(unprovenOf(box, perChunk, tile::Bounds::inside),
                    [](const Unproven &u) { return u.kind == Unproven::Stride; }))
    return {};
  Builder b(load.getContext());
  int64_t parts = tensor.getNumElements() / std::min(length, lanes * perChunk),
          words = parts * bytesPerInstruction / 4;
  return tile::SharedType::get(b.getContext(), {words}, b.getI32Type(), 0, 0, 0);
}

SmallVector<tile::SharedType> endsOf(ArrayRef<SmallVector<PipelinedLoad>> parts) {
  SmallVector<tile::SharedType> ends;
  for (auto [i, first] : llvm::enumerate(parts.front())) {
    tile::SharedType wanted;
    bool haveOneLength = true;
    for (ArrayRef<PipelinedLoad> part : parts) {
      haveOneLength &=
          bool(part[i].load) && bool(first.load) && lengthOfRow(part[i]) == lengthOfRow(first);
      if (tile::SharedType own = endsOf(part[i]))
        wanted = own;
    }
    ends.push_back(haveOneLength ? wanted : tile::SharedType());
  }
  return ends;
}

} // namespace tessera::plan
