#include "tile/SourceNames.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tessera::tile {

std::optional<std::string> sourceName(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName().str();
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return sourceName(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location inner : fused.getLocations())
      if (auto name = sourceName(inner))
        return name;
  return std::nullopt;
}

FileLineColLoc sourcePlace(Location location) {
  if (auto place = dyn_cast<FileLineColLoc>(location))
    return place;
  if (auto named = dyn_cast<NameLoc>(location))
    return sourcePlace(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return sourcePlace(call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location inner : fused.getLocations())
      if (auto place = sourcePlace(inner))
        return place;
  return {};
}

} // namespace tessera::tile
