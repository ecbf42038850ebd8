#include "explain/Study.h"

#include "emit/Names.h"
#include "explain/Shared.h"
#include "explain/Words.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Plan.h"
#include "plan/Config.h"
#include "tile/Attributes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;

namespace tessera::explain {

llvm::json::Value locationData(const FileLocation &location) {
  if (location.file.empty() || !location.line)
    return nullptr;
  return llvm::json::Array{llvm::json::fixUTF8(location.file), location.line, location.column};
}

namespace {

using llvm::json::Array;
using llvm::json::Object;

// The line, then its lines of the program, its statement's first.
Array linesData(const emit::Listing &listing) {
  Array lines;
  for (const emit::Listing::Line &line : listing.lines) {
    Array data{llvm::json::fixUTF8(line.text)};
    std::set<std::pair<std::string, unsigned>> known;
    for (Operation *op : line.ops) {
      FileLocation location = locationOf(op);
      if (location.line && known.insert({location.file, location.line}).second)
        data.push_back(locationData(location));
    }
    lines.push_back(std::move(data));
  }
  return lines;
}

Array remarksData(ArrayRef<Remark> remarks) {
  Array data;
  for (const Remark &remark : remarks) {
    Object one{{"location", locationData(remark.location)},
               {"topic", remark.topic},
               {"text", llvm::json::fixUTF8(remark.text)}};
    if (!remark.advice.empty())
      one["advice"] = llvm::json::fixUTF8(remark.advice);
    data.push_back(std::move(one));
  }
  return data;
}

// Tiles of one type, which share one figure.
struct TilesOfType {
  std::vector<std::string> names; // the program's names for them
  llvm::SmallSetVector<unsigned, 8> lines;
};

// Every layout of a tile of the kernel, in order of occurrence.
Array tilesData(func::FuncOp kernel, const emit::Listing &listing) {
  auto lineOf = listing.lineOfOp();
  llvm::MapVector<Type, TilesOfType> tiles;
  auto meet = [&](Value value, Operation *op) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.getEncoding())
      return;
    TilesOfType &entry = tiles[type];
    auto name = emit::sourceName(value.getLoc());
    if (name && !llvm::is_contained(entry.names, *name))
      entry.names.push_back(*name);
    if (auto line = lineOf.find(op); line != lineOf.end())
      entry.lines.insert(line->second);
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      meet(result, op);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        meet(argument, op);
  });
  Array data;
  for (auto &[type, entry] : tiles) {
    auto tensor = cast<RankedTensorType>(type);
    LinearLayout layout = plan::toLinear(tensor);
    Array names;
    for (const std::string &name : entry.names)
      names.push_back(llvm::json::fixUTF8(name));
    data.push_back(Object{{"element", elementWords(tensor.getElementType())},
                          {"bits", tile::storageBits(tensor.getElementType())},
                          {"shape", Array(tensor.getShape())},
                          {"registers", Array(layout.registers())},
                          {"lanes", Array(layout.lanes())},
                          {"warps", Array(layout.warps())},
                          {"names", std::move(names)},
                          {"lines", Array(entry.lines.getArrayRef())}});
  }
  return data;
}

int64_t numberOf(func::FuncOp kernel, StringRef name) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

} // namespace

llvm::json::Value studyOf(func::FuncOp kernel, StringRef name, const emit::Listing &listing) {
  const GpuTarget &target = plan::targetOf(kernel);
  int64_t threads = plan::threadsOf(kernel), bytes = numberOf(kernel, tile::sharedBytesAttr);
  return Object{{"name", llvm::json::fixUTF8(name)},
                {"id", kernel->getAttrOfType<StringAttr>(tile::kernelAttr).str()},
                {"target", target.name},
                {"location", locationData(locationOf(kernel))},
                {"warps", plan::configOf(kernel).getWarps()},
                {"threads", threads},
                {"sharedBytes", bytes},
                {"sharedOfBlock", target.sharedOfBlock},
                {"wishedBlocks", numberOf(kernel, tile::minBlocksAttr)},
                {"blocks", plan::blocksOfMultiprocessor(target, threads, bytes)},
                {"lines", linesData(listing)},
                {"remarks", remarksData(remarksOf(kernel, name))},
                {"tiles", tilesData(kernel, listing)},
                {"shared", sharedData(kernel, listing)},
                {"loops", loopsData(kernel, listing)}};
}

} // namespace tessera::explain
