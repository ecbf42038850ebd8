// Operations on shapes: reshape, broadcast, permute, cat, extract, insert.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tessera::diagnose {

std::optional<uint64_t> oddExtent(const Extents &shape) {
  for (uint64_t extent : shape)
    if (extent == 0 || (extent & (extent - 1)) != 0)
      return extent;
  return std::nullopt;
}

std::string neighbours(uint64_t extent) {
  if (static_cast<int64_t>(extent) <= 0)
    return "the smallest is 1";
  uint64_t below = 1;
  while (below <= extent / 2)
    below *= 2;
  return "the nearest are " + std::to_string(below) + " and " + std::to_string(below * 2);
}

std::string countOf(size_t number, StringRef what) {
  if (number != 1 && what == "index")
    return std::to_string(number) + " indices";
  return (std::to_string(number) + " " + what + (number == 1 ? "" : "s")).str();
}

Explanation explainDimension(const Case &given, unsigned operand, int64_t dimension) {
  int64_t rank = given.tiles[operand].shape.size();
  if (dimension >= 0 && dimension < rank)
    return std::nullopt;
  std::string known = rank == 0   ? "no dimensions"
                      : rank == 1 ? "only dimension 0"
                                  : "dimensions 0 to " + std::to_string(rank - 1);
  return given.say(Row::NoDimension,
                   {given.name(), given.print(operand), std::to_string(dimension), known});
}

Explanation explainTileShape(const Case &given, const Extents &shape) {
  if (auto extent = oddExtent(shape))
    return given.say(
        Row::ExtentOfShape,
        {print(shape), std::to_string(static_cast<int64_t>(*extent)), neighbours(*extent)});
  uint64_t size = 1;
  for (uint64_t extent : shape) {
    size *= std::min(extent, maxTileSize * 2);
    if (size > maxTileSize)
      return given.say(Row::TileTooLarge, {"a tile of shape " + print(shape)});
  }
  return std::nullopt;
}

Explanation explainBroadcastTo(const Case &given, unsigned operand, const Extents &shape) {
  const Extents &from = given.tiles[operand].shape;
  if (from.size() > shape.size())
    return given.say(Row::BroadcastToFewer, {given.name(), given.print(operand), print(shape)});
  size_t first = shape.size() - from.size();
  for (size_t k = 0; k < from.size(); ++k)
    if (from[k] != 1 && from[k] != shape[first + k])
      return given.say(Row::BroadcastTo,
                       {given.name(), given.print(operand), print(shape), std::to_string(from[k]),
                        std::to_string(k), std::to_string(shape[first + k])});
  return std::nullopt;
}

Explanation explainReshape(const Case &given) {
  auto shape = given.shape(1);
  if (!shape || !given.isTileLike(0))
    return std::nullopt;
  if (auto found = explainTileShape(given, *shape))
    return found;
  uint64_t size = 1;
  for (uint64_t extent : *shape)
    size *= extent;
  if (size == given.tiles[0].size())
    return std::nullopt;
  return given.say(Row::ReshapeSize,
                   {given.name(), given.print(0), shape->empty() ? "shape<>" : print(*shape),
                    std::to_string(given.tiles[0].size()), std::to_string(size)});
}

Explanation explainBroadcasting(const Case &given) {
  auto shape = given.shape(1);
  if (!shape || !given.isTileLike(0))
    return std::nullopt;
  if (auto found = explainTileShape(given, *shape))
    return found;
  return explainBroadcastTo(given, 0, *shape);
}

Explanation explainPermute(const Case &given) {
  if (given.size() == 0 || !given.isTile(0))
    return std::nullopt;
  QualType type =
      given.givenType(0).isNull() && given.size() > 1 ? given.type(1) : given.givenType(0);
  const ClassTemplateSpecializationDecl *map = libraryClass(type, "dimension_map");
  if (!map)
    return std::nullopt;
  size_t count = map->getTemplateArgs()[0].pack_size(), rank = given.tiles[0].shape.size();
  if (count == rank)
    return std::nullopt;
  return given.say(Row::PermuteRank, {given.name(), given.print(0), countOf(rank, "dimension"),
                                      countOf(count, "dimension")});
}

Explanation explainCat(const Case &given) {
  if (given.size() < 2 || !given.isTileLike(0) || !given.isTileLike(1))
    return std::nullopt;
  const TileType &x = given.tiles[0], &y = given.tiles[1];
  if (!x.isTile || !y.isTile || x.element.type != y.element.type || x.shape != y.shape)
    return given.say(Row::CatTypes, {given.name(), given.print(0), given.print(1)});
  auto dimension = given.number(2);
  if (!dimension)
    return std::nullopt;
  if (auto found = explainDimension(given, 0, *dimension))
    return found;
  if (x.size() * 2 > maxTileSize)
    return given.say(Row::TileTooLarge, {"the result"});
  return std::nullopt;
}

namespace {

// A piece of a tile: its shape divides the tile's, and an index counts pieces in each dimension.
Explanation explainPiece(const Case &given, const Extents &piece, unsigned firstIndex) {
  const Extents &whole = given.tiles[0].shape;
  std::string text = piece.empty() ? "shape<>" : print(piece);
  if (auto found = explainTileShape(given, piece))
    return found;
  if (piece.size() != whole.size())
    return given.say(Row::PieceRank,
                     {given.name(), given.print(0), text, countOf(whole.size(), "dimension"),
                      std::to_string(piece.size())});
  for (size_t k = 0; k < whole.size(); ++k)
    if (piece[k] > whole[k])
      return given.say(Row::PieceExtent, {given.name(), given.print(0), text, std::to_string(k),
                                          std::to_string(piece[k]), std::to_string(whole[k])});
  size_t count = given.size() - firstIndex;
  if (count != whole.size())
    return given.say(Row::IndexCount,
                     {given.name(), given.print(0), countOf(whole.size(), "dimension"),
                      countOf(count, "index")});
  return std::nullopt;
}

} // namespace

Explanation explainExtract(const Case &given) {
  if (given.size() < 2 || !given.isTile(0))
    return std::nullopt;
  auto piece = extentsOf(given.type(1));
  return piece ? explainPiece(given, *piece, 2) : std::nullopt;
}

Explanation explainInsert(const Case &given) {
  if (given.size() < 2 || !given.isTile(0))
    return std::nullopt;
  if (!given.isTile(1))
    return std::nullopt;
  if (auto found = explainPiece(given, given.tiles[1].shape, 2))
    return found;
  return explainNarrowing(given, 1, given.element(0), given.print(0));
}

} // namespace tessera::diagnose
