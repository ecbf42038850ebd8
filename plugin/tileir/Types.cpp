// Types, which refer to each other by number, also forward. What a type refers to is checked where
// it is read, so that no later code meets a tile of tiles.
#include "tileir/Tables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tessera::tileir {

namespace {

constexpr unsigned maxDepth = 16;
constexpr size_t maxRank = 32;
// Of a tile, as NVIDIA's compiler has it.
constexpr int64_t maxElements = 1 << 24;

enum TypeTag : uint8_t {
  TagPointer = 12,
  TagTile = 13,
  TagTensorView = 14,
  TagPartitionView = 15,
  TagFunction = 16,
  TagToken = 17,
  TagGatherScatterView = 20,
  TagStridedView = 21
};

std::optional<Element> elementOfTag(uint64_t tag) {
  switch (tag) {
  case 0: return Element::I1;
  case 1: return Element::I8;
  case 2: return Element::I16;
  case 3: return Element::I32;
  case 4: return Element::I64;
  case 5: return Element::F16;
  case 6: return Element::BF16;
  case 7: return Element::F32;
  case 8: return Element::TF32;
  case 9: return Element::F64;
  case 10: return Element::F8E4M3FN;
  case 11: return Element::F8E5M2;
  case 18: return Element::F8E8M0FNU;
  case 19: return Element::F4E2M1FN;
  case 22: return Element::I4;
  case 130: return Element::F8E5M3FNU;
  default: return std::nullopt;
  }
}

SmallVector<int64_t, 4> dimensions(Bytes &from, unsigned size) {
  SmallVector<int64_t, 4> read;
  for (uint64_t i = 0, count = from.count(size); i < count && !from.failed(); ++i)
    read.push_back(size == 4 ? int64_t(int32_t(from.fixed(4))) : int64_t(from.fixed(8)));
  if (read.size() > maxRank)
    from.fail("a type has " + Twine(read.size()) + " dimensions");
  return read;
}

bool isShapeOfTile(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent <= 0 || !isPowerOf2_64(uint64_t(extent)) || extent > maxElements / elements)
      return false;
    elements *= extent;
  }
  return true;
}

} // namespace

const Type *Tables::type(Bytes &from) { return typeOf(from.number(), from, 0); }

const Type *Tables::typeOf(uint64_t number, Bytes &from, unsigned depth) {
  if (from.failed())
    return &fallback;
  if (auto known = types.find(number); known != types.end()) {
    if (!known->second)
      from.fail("type " + Twine(number) + " is a part of itself");
    return known->second ? known->second : &fallback;
  }
  if (number >= rawTypes.size() || depth > maxDepth) {
    from.fail(depth > maxDepth ? Twine("types are nested too deeply")
                               : "there is no type " + Twine(number));
    return &fallback;
  }
  types[number] = nullptr;
  const Entry &entry = rawTypes[number];
  Type read = parseType(Bytes(entry.bytes, entry.origin, problem), depth);
  if (from.failed())
    return &fallback;
  module.types.push_back(std::move(read));
  return types[number] = &module.types.back();
}

Type Tables::parseType(Bytes from, unsigned depth) {
  Type type;
  uint64_t tag = from.number();
  auto inner = [&] { return typeOf(from.number(), from, depth + 1); };
  auto flags = [&](unsigned since) { return module.minor >= since ? from.number() : 0; };
  if (auto element = elementOfTag(tag); element && !from.failed()) {
    type.kind = Type::Number;
    type.element = *element;
    return type;
  }
  switch (tag) {
  case TagToken: type.kind = Type::Token; break;
  case TagPointer: {
    type.kind = Type::Pointer;
    uint64_t attributes = flags(4);
    type.inner = inner();
    if (attributes & 1)
      from.byte(); // says of which memory it is
    break;
  }
  case TagTile:
    type.kind = Type::Tile;
    type.inner = inner();
    type.shape = dimensions(from, 8);
    break;
  case TagTensorView: {
    type.kind = Type::TensorView;
    uint64_t attributes = flags(4);
    type.inner = inner();
    type.shape = dimensions(from, 8);
    type.strides = dimensions(from, 8);
    if (attributes & 1)
      from.byte();
    break;
  }
  case TagFunction:
    type.kind = Type::Function;
    for (std::vector<const Type *> *list : {&type.parameters, &type.results})
      for (uint64_t i = 0, count = from.count(); i < count && !from.failed(); ++i)
        list->push_back(inner());
    break;
  case TagPartitionView:
  case TagGatherScatterView:
  case TagStridedView:
    type.kind = tag == TagPartitionView ? Type::PartitionView
                : tag == TagStridedView ? Type::StridedView
                                        : Type::GatherScatterView;
    parseView(type, from, depth);
    break;
  default: from.fail("a type has the unknown tag " + Twine(tag)); break;
  }
  checkType(type, from);
  return type;
}

void Tables::parseView(Type &type, Bytes &from, unsigned depth) {
  uint64_t flags = module.minor >= 3 ? from.number() : 0;
  type.shape = dimensions(from, 4);
  if (type.kind == Type::StridedView)
    type.steps = dimensions(from, 4);
  type.inner = typeOf(from.number(), from, depth + 1);
  if (type.kind == Type::GatherScatterView)
    type.sparse = from.number();
  else
    type.dimMap = dimensions(from, 4);
  bool isPadded = module.minor >= 3 ? flags & 1 : from.number() != 0;
  if (!isPadded)
    return;
  uint8_t padding = from.byte();
  if (padding > uint8_t(Padding::NegativeInf))
    return from.fail("padding " + Twine(padding) + " is unknown");
  // In the bytes: zero, negative zero, NaN, infinity, negative infinity.
  type.padding = Padding(padding);
}

void Tables::checkType(const Type &type, Bytes &from) {
  if (from.failed())
    return;
  switch (type.kind) {
  case Type::Pointer:
    if (type.inner->kind != Type::Number)
      from.fail("a pointer points to something that is no number");
    return;
  case Type::Tile:
    if (type.inner->kind != Type::Number && type.inner->kind != Type::Pointer)
      return from.fail("the elements of a tile are neither numbers nor pointers");
    if (!isShapeOfTile(type.shape))
      from.fail("a tile has a dimension that is no power of two, or too many elements");
    return;
  case Type::TensorView:
    if (type.inner->kind != Type::Number)
      return from.fail("the elements of a view are no numbers");
    if (type.shape.size() != type.strides.size())
      return from.fail("a view has " + Twine(type.shape.size()) + " extents and " +
                       Twine(type.strides.size()) + " strides");
    for (int64_t n : concat<const int64_t>(type.shape, type.strides))
      if (n != dynamic && n <= 0)
        return from.fail("a view has the extent or stride " + Twine(n));
    return;
  case Type::PartitionView:
  case Type::StridedView:
  case Type::GatherScatterView: return checkView(type, from);
  default: return;
  }
}

void Tables::checkView(const Type &type, Bytes &from) {
  if (type.inner->kind != Type::TensorView)
    return from.fail("a view is of something that is no tensor view");
  size_t rank = type.inner->shape.size();
  if (type.shape.size() != rank || !isShapeOfTile(type.shape))
    return from.fail("the tile of a view does not fit its tensor view of rank " + Twine(rank));
  if (type.kind == Type::StridedView &&
      (type.steps.size() != rank || any_of(type.steps, [](int64_t n) { return n <= 0; })))
    return from.fail("a strided view needs a step for each of its dimensions");
  if (type.sparse && *type.sparse >= rank)
    return from.fail("a view indexes dimension " + Twine(*type.sparse) + " of " + Twine(rank));
  SmallVector<int64_t, 4> sorted = type.dimMap;
  llvm::sort(sorted);
  if (!type.dimMap.empty() && !equal(sorted, seq<int64_t>(0, int64_t(rank))))
    from.fail("the dim_map of a view is no permutation of its dimensions");
}

} // namespace tessera::tileir
