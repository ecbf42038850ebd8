// Loads, stores and atomics by pointers, and the pointers themselves.
#include "tileir/Memory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::tileir {

tile::MemoryOrder orderOf(const Op &op) {
  switch (op.word<Memory>("memory")) {
  case Memory::Acquire: return tile::MemoryOrder::acquire;
  case Memory::Release: return tile::MemoryOrder::release;
  case Memory::AcqRel: return tile::MemoryOrder::acq_rel;
  default: return tile::MemoryOrder::relaxed;
  }
}

tile::Scope scopeOf(const Op &op) {
  if (op.attribute("scope").tag == Attribute::Absent)
    return tile::Scope::device;
  return tile::Scope(op.attribute("scope").number); // in the same order
}

bool isWeak(const Op &op) { return op.word<Memory>("memory") == Memory::Weak; }

namespace {

MlirValue maskOf(Kernel &kernel, const Access &access) {
  return access.mask ? access.mask : kernel.allTrue(tile::shapeOf(access.pointers.getType()));
}

// The bytecode leaves open what stands where a mask is false.
MlirValue zeroOf(Kernel &kernel, mlir::Type type) {
  mlir::Type element = tile::elementType(type);
  if (isa<FloatType>(element))
    return kernel.constantFloat(type, 0);
  if (isa<IntegerType>(element))
    return kernel.constant(type, 0);
  MlirValue null = LLVM::ZeroOp::create(kernel.builder, element);
  return kernel.splat(null, tile::shapeOf(type));
}

} // namespace

MlirValue load(Kernel &kernel, const Op &op, const Access &access, mlir::Type type,
               MlirValue padding) {
  if (!isWeak(op)) {
    MlirValue mask = maskOf(kernel, access);
    MlirValue loaded = tile::AtomicLoadOp::create(kernel.builder, type, access.pointers, mask,
                                                  orderOf(op), scopeOf(op));
    return padding && access.mask
               ? tile::SelectOp::create(kernel.builder, mask, loaded, padding).getResult()
               : loaded;
  }
  if (!access.mask)
    return tile::LoadOp::create(kernel.builder, type, access.pointers);
  return tile::LoadOp::create(kernel.builder, type, access.pointers, access.mask,
                              padding ? padding : zeroOf(kernel, type));
}

void store(Kernel &kernel, const Op &op, const Access &access, MlirValue value) {
  if (isWeak(op))
    tile::StoreOp::create(kernel.builder, value, access.pointers, access.mask);
  else
    tile::AtomicStoreOp::create(kernel.builder, value, access.pointers, maskOf(kernel, access),
                                orderOf(op), scopeOf(op));
}

std::optional<MlirValue> atomicRmw(Kernel &kernel, const Op &op, const Access &access,
                                   MlirValue value) {
  using tile::AtomicKind;
  AtomicKind kind = AtomicKind::add;
  Mode mode = op.word<Mode>("mode");
  switch (mode) {
  case Mode::And: kind = AtomicKind::bit_and; break;
  case Mode::Or: kind = AtomicKind::bit_or; break;
  case Mode::Xor: kind = AtomicKind::bit_xor; break;
  case Mode::Add:
  case Mode::AddF: kind = AtomicKind::add; break;
  case Mode::Max:
  case Mode::UMax: kind = AtomicKind::max; break;
  case Mode::Min:
  case Mode::UMin: kind = AtomicKind::min; break;
  case Mode::Xchg: kind = AtomicKind::xchg; break;
  }
  bool isFloat = isa<FloatType>(tile::elementType(value.getType()));
  if (mode != Mode::Xchg && isFloat != (mode == Mode::AddF))
    return kernel.reject(op, "has a mode that its elements do not have");
  bool isUnsigned = mode == Mode::UMax || mode == Mode::UMin;
  return tile::AtomicRmwOp::create(kernel.builder, value.getType(), kind, access.pointers, value,
                                   maskOf(kernel, access), orderOf(op), scopeOf(op), isUnsigned)
      .getResult();
}

namespace {

// The pointers and the mask of an op, which must be of the shape of `value`.
std::optional<Access> accessOf(Kernel &kernel, const Op &op, const Type &value) {
  const Type &pointers = kernel.operandType(op, "pointers");
  Access access{kernel.operand(op, "pointers"), {}};
  if (op.has("mask"))
    access.mask = kernel.operand(op, "mask");
  bool isMask = !op.has("mask") || (kernel.operandType(op, "mask").isNumberTile() &&
                                    kernel.operandType(op, "mask").elementOf() == Element::I1 &&
                                    kernel.operandType(op, "mask").shape == value.shape);
  if (!pointers.isPointerTile() || !value.isTile() || pointers.shape != value.shape || !isMask)
    return kernel.reject(op, "needs a pointer, and a truth value as its mask, for each element");
  if (value.isNumberTile() && value.elementOf() == Element::F4E2M1FN) {
    (void)kernel.refuse(op, "numbers of 4 bits in memory");
    return std::nullopt;
  }
  return access;
}

LogicalResult loadByPointers(Kernel &kernel, const Op &op) {
  const Type &result = kernel.resultOf(op);
  std::optional<Access> access = accessOf(kernel, op, result);
  mlir::Type type = kernel.typeOf(result, op);
  if (!access || !type)
    return failure();
  MlirValue padding;
  if (op.has("padding"))
    padding = kernel.operand(op, "padding");
  if (padding && padding.getType() != type)
    return kernel.reject(op, "has a padding of another type");
  kernel.define(op, load(kernel, op, *access, type, padding));
  return success();
}

LogicalResult storeByPointers(Kernel &kernel, const Op &op) {
  std::optional<Access> access = accessOf(kernel, op, kernel.operandType(op, "x"));
  if (!access)
    return failure();
  store(kernel, op, *access, kernel.operand(op, "x"));
  return success();
}

LogicalResult atomicByPointers(Kernel &kernel, const Op &op) {
  std::optional<Access> access = accessOf(kernel, op, kernel.operandType(op, "x"));
  if (!access)
    return failure();
  std::optional<MlirValue> old = atomicRmw(kernel, op, *access, kernel.operand(op, "x"));
  if (old)
    kernel.define(op, *old);
  return success(old.has_value());
}

// Where the mask is false the result is what was compared.
LogicalResult compareAndExchange(Kernel &kernel, const Op &op) {
  std::optional<Access> access = accessOf(kernel, op, kernel.operandType(op, "compared"));
  if (!access)
    return failure();
  MlirValue compared = kernel.operand(op, "compared"), desired = kernel.operand(op, "new");
  if (compared.getType() != desired.getType())
    return kernel.reject(op, "has operands of two types");
  MlirValue mask = maskOf(kernel, *access);
  MlirValue was =
      tile::AtomicCompareExchangeOp::create(kernel.builder, compared.getType(), access->pointers,
                                            compared, desired, mask, orderOf(op), scopeOf(op));
  kernel.define(op, op.has("mask")
                        ? MlirValue(tile::SelectOp::create(kernel.builder, mask, was, compared))
                        : was);
  return success();
}

LogicalResult offset(Kernel &kernel, const Op &op) {
  const Type &type = kernel.resultOf(op);
  if (!type.isPointerTile() || !kernel.operandType(op, "pointer").isPointerTile() ||
      !kernel.operandType(op, "offset").isNumberTile() ||
      !isInteger(kernel.operandType(op, "offset").elementOf()))
    return kernel.reject(op, "needs pointers and integers");
  mlir::Type pointee = kernel.elementOf(*type.inner->inner, op);
  if (!pointee)
    return failure();
  kernel.define(op, tile::OffsetOp::create(kernel.builder, kernel.operand(op, "pointer"),
                                           kernel.operand(op, "offset"), pointee));
  return success();
}

LogicalResult getGlobal(Kernel &kernel, const Op &op) {
  const Global *global = kernel.module.findGlobal(op.attribute("name").text);
  if (!global)
    return kernel.reject(op, "names no global");
  if (!kernel.resultOf(op).isPointerTile() || !kernel.resultOf(op).shape.empty())
    return kernel.reject(op, "gives something that is no pointer");
  size_t size = std::max(1u, bitsOf(global->type->elementOf()) / 8);
  auto count = size_t(ShapedType::getNumElements(global->type->shape));
  if (!global->type->isNumberTile() || global->type->elementOf() == Element::TF32 ||
      (global->bytes.size() != size && global->bytes.size() != size * count))
    return kernel.refuse(op, "the type or the value of the global '" + global->name + "'");
  kernel.define(op,
                addressOfArray(kernel, global->name, *global->type, global->bytes,
                               /*isConstant=*/false, std::max<uint64_t>(global->alignment, size)));
  return success();
}

// One that is in a loop gives the same memory in each iteration.
LogicalResult allocate(Kernel &kernel, const Op &op) {
  if (!kernel.resultOf(op).isPointerTile() || !kernel.resultOf(op).shape.empty())
    return kernel.reject(op, "gives something that is no pointer");
  MlirValue offset =
      kernel.constant(kernel.builder.getI64Type(), kernel.offsetsInBlockMemory.lookup(&op));
  MlirValue address = arith::AddIOp::create(kernel.builder, kernel.blockMemoryStart, offset);
  kernel.define(
      op, LLVM::IntToPtrOp::create(
              kernel.builder, LLVM::LLVMPointerType::get(kernel.builder.getContext()), address));
  return success();
}

// Program order satisfies every order that tokens state.
LogicalResult nothing(Kernel &, const Op &) { return success(); }

} // namespace

namespace {

// The bytes of all `alloca` of a block, with room to align them.
LogicalResult reserve(Kernel &kernel, const Block &block, uint64_t &bytes, uint64_t &alignment) {
  constexpr uint64_t maxBytes = 1 << 30, maxAlignment = 4096;
  for (const Op &op : block.ops) {
    for (const Block &region : op.regions)
      if (failed(reserve(kernel, region, bytes, alignment)))
        return failure();
    if (op.opcode() != Opcode::Alloca)
      continue;
    uint64_t size = std::max(1u, bitsOf(kernel.resultOf(op).elementOf()) / 8);
    uint64_t count = op.attribute("count").number;
    uint64_t own = std::max(op.attribute("alignment").number, size);
    if (count > maxBytes / size || !llvm::isPowerOf2_64(own) || own > maxAlignment)
      return kernel.refuse(op, "an 'alloca' of this size or alignment");
    bytes = llvm::alignTo(bytes, own);
    kernel.offsetsInBlockMemory[&op] = int64_t(bytes);
    bytes += count * size;
    alignment = std::max(alignment, own);
    if (bytes > maxBytes)
      return kernel.refuse(op, "so much memory of a block");
  }
  return success();
}

} // namespace

LogicalResult allocateBlockMemory(Kernel &kernel) {
  uint64_t bytes = 0, alignment = 1;
  if (failed(reserve(kernel, kernel.function.body, bytes, alignment)))
    return failure();
  if (kernel.offsetsInBlockMemory.empty())
    return success();
  auto start = kernel.builder.getI64Type();
  auto mask = int64_t(alignment - 1);
  kernel.blockMemory = tile::BlockMemoryOp::create(kernel.builder, start, bytes + alignment);
  MlirValue above =
      arith::AddIOp::create(kernel.builder, kernel.blockMemory, kernel.constant(start, mask));
  kernel.blockMemoryStart =
      arith::AndIOp::create(kernel.builder, above, kernel.constant(start, ~mask));
  return success();
}

ArrayRef<HandlerRow> memoryHandlers() {
  static const HandlerRow rows[] = {
      {Opcode::LoadPtrTko, loadByPointers},
      {Opcode::StorePtrTko, storeByPointers},
      {Opcode::AtomicRmwTko, atomicByPointers},
      {Opcode::AtomicCasTko, compareAndExchange},
      {Opcode::Offset, offset},
      {Opcode::GetGlobal, getGlobal},
      {Opcode::Alloca, allocate},
      {Opcode::MakeToken, nothing},
      {Opcode::JoinTokens, nothing},
      {Opcode::MemoryFenceAliasTko, nothing},
  };
  return rows;
}

} // namespace tessera::tileir
