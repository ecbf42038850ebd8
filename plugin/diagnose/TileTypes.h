// Types as the user writes them: `tile<float, 4x8>` and not `cuda::tiles::tile<float,
// extents<unsigned, 4, 8>>`.
#pragma once

#include "diagnose/Elements.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace clang {
class ClassTemplateSpecializationDecl;
class TemplateArgument;
} // namespace clang

namespace tessera::diagnose {

using Extents = llvm::SmallVector<uint64_t, 4>;

inline constexpr uint64_t dynamicExtent = ~uint64_t(0);
inline constexpr uint64_t maxTileSize = uint64_t(1) << 24;

// A tile, or a scalar (like a tile of rank 0), or neither.
struct TileType {
  Element element;
  Extents shape;
  bool isTile = false;

  bool isTileLike() const { return isTile || element.isScalar(); }
  uint64_t size() const;
};
TileType tileTypeOf(clang::QualType type, const clang::ASTContext &context);

// cuda::tiles::NAME<...>, or null.
const clang::ClassTemplateSpecializationDecl *libraryClass(clang::QualType type,
                                                           llvm::StringRef name);
// The extents of shape<...>, extents<...> or strides<...>.
std::optional<Extents> extentsOf(clang::QualType type);

// A view of the library: its name, its span's element type with cv, its tile's shape.
struct ViewType {
  llvm::StringRef name;
  clang::QualType element;
  unsigned spanRank = 0;
  Extents shape;
  std::optional<unsigned> gathered; // the dimension of a gather_scatter_view
};
std::optional<ViewType> viewTypeOf(clang::QualType type);

// The index of a block, and the extents of the grid: x, y and z.
bool isBlockIndex(clang::QualType type);

// The value of an integral_constant.
std::optional<int64_t> constantOf(clang::QualType type);
// A mode tag with its name: "round_toward_zero_t" of "rounding_mode".
struct Mode {
  std::string kind, name;
};
std::optional<Mode> modeOf(clang::QualType type);

std::string print(llvm::ArrayRef<uint64_t> shape); // 4x8
std::string print(clang::QualType type, const clang::ASTContext &context);
std::string print(const TileType &type, const clang::ASTContext &context);
std::string print(const clang::TemplateArgument &argument, const clang::ASTContext &context);
// <float, 4>
std::string print(llvm::ArrayRef<clang::TemplateArgument> arguments,
                  const clang::ASTContext &context);

} // namespace tessera::diagnose
