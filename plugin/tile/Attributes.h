// The names of Attributes.def: tile::configAttr is "tile.config".
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tessera::tile {

#define TILE_ATTRIBUTE(CONSTANT, NAME, TYPE, ON, MEANING)                                          \
  inline constexpr llvm::StringLiteral CONSTANT = "tile." NAME;
#include "tile/Attributes.def"

} // namespace tessera::tile
