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

FileLineColLoc sourceLocation(Location location) {
  if (auto loc = dyn_cast<FileLineColLoc>(location))
    return loc;
  if (auto named = dyn_cast<NameLoc>(location))
    return sourceLocation(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location)) { // the innermost one
    FileLineColLoc callee = sourceLocation(call.getCallee());
    return callee ? callee : sourceLocation(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location inner : fused.getLocations())
      if (auto loc = sourceLocation(inner))
        return loc;
  return {};
}

FileLocation fileLocation(Location location) {
  FileLineColLoc loc = sourceLocation(location);
  return loc ? FileLocation{loc.getFilename().str(), loc.getLine(), loc.getColumn()}
             : FileLocation();
}

} // namespace tessera::tile
