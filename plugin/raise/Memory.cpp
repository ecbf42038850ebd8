// Memory: local variables, address arithmetic, loads and stores of scalars and of whole tiles,
// small copies.
//
// Addresses are single steps over elements (`p + i`): paths through structs and arrays become byte
// and element steps here, so that later stages do not depend on the layout of C++ objects. A tile
// in memory is row-major and contiguous.
#include "raise/Translator.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace mlir;

namespace tessera::raising {

// ---- addresses ----

Value Translator::step(Value base, int64_t bytes, Type element) {
  if (!bytes)
    return base;
  int64_t size = tile::storageBits(element) / 8;
  if (bytes % size) {
    element = builder.getI8Type();
    size = 1;
  }
  return create<LLVM::GEPOp>(base.getType(), element, base,
                             ArrayRef<LLVM::GEPArg>{integer(bytes / size)});
}

Value Translator::address(const llvm::GEPOperator &gep) {
  // An address within an array of tiles becomes a tile number at its uses.
  if (localTiles.access(gep))
    return create<LLVM::ZeroOp>(LLVM::LLVMPointerType::get(builder.getContext()));
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  llvm::SmallMapVector<llvm::Value *, APInt, 4> terms;
  APInt constant(64, 0);
  Value base = value(gep.getPointerOperand());
  if (gep.getType()->isVectorTy() || !gep.collectOffset(layout, 64, terms, constant)) {
    bug(gep, "an address computation of this kind");
    return base;
  }
  Type element = scalarType(builder.getContext(), gep.getResultElementType());
  if (!element)
    element = builder.getI8Type();
  base = step(base, constant.getSExtValue(), element);
  for (auto &[index, scale] : terms) {
    int64_t bytes = scale.getSExtValue();
    Value count = value(index);
    Type unit = bytes == tile::storageBits(element) / 8 ? element : builder.getI8Type();
    if (bytes != tile::storageBits(unit) / 8) {
      if (count.getType().getIntOrFloatBitWidth() < 64)
        count = create<arith::ExtSIOp>(builder.getI64Type(), count);
      count = create<arith::MulIOp>(count, integer(bytes));
    }
    base = create<LLVM::GEPOp>(base.getType(), unit, base, ArrayRef<LLVM::GEPArg>{count});
  }
  return base;
}

// ---- local variables ----

// At the kernel's entry, for all variables in block memory.
void Translator::allocateBlockMemory() {
  if (!blockMemory.bytes())
    return;
  builder.setInsertionPointToStart(&result.front());
  addressOfBlockMemory = create<tile::BlockMemoryOp>(blockMemory.bytes());
}

void Translator::allocate(const llvm::AllocaInst &instruction) {
  auto *count = dyn_cast<llvm::ConstantInt>(instruction.getArraySize());
  if (!count)
    return bug(instruction, "local memory of a size that is not known");
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (std::optional<int64_t> offset = blockMemory.offsetOf(instruction)) {
    Value memory = create<LLVM::IntToPtrOp>(pointer, addressOfBlockMemory);
    return define(instruction, step(memory, *offset, builder.getI8Type()));
  }
  if (const LocalArray *array = localTiles.array(instruction))
    return define(instruction, create<tile::LocalAllocOp>(pointer, array->count, array->tile));
  // An array of scalars, or of bytes.
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  llvm::Type *unit = instruction.getAllocatedType();
  int64_t size = layout.getTypeAllocSize(unit);
  while (auto *array = llvm::dyn_cast<llvm::ArrayType>(unit))
    unit = array->getElementType();
  Type element = scalarType(builder.getContext(), unit);
  if (!element)
    element = builder.getI8Type();
  auto type = LLVM::LLVMArrayType::get(element, size / (tile::storageBits(element) / 8));
  define(instruction, create<LLVM::AllocaOp>(pointer, type, integer(count->getZExtValue(), 32),
                                             instruction.getAlign().value()));
}

Value Translator::localIndex(const LocalAccess &access) {
  Value index = access.constant || access.terms.empty() ? integer(access.constant) : Value();
  for (auto [value, factor] : access.terms) {
    Value term = this->value(value);
    if (term.getType().getIntOrFloatBitWidth() < 64)
      term = create<arith::ExtSIOp>(builder.getI64Type(), term);
    if (factor != 1)
      term = create<arith::MulIOp>(term, integer(factor));
    index = index ? create<arith::AddIOp>(index, term) : term;
  }
  return index;
}

// ---- loads and stores ----

// The operands of a view of exactly one row-major tile.
struct Translator::Contiguous {
  Contiguous(Translator &translator, ArrayRef<int64_t> shape) : staticStrides(shape.size(), 1) {
    for (size_t i = shape.size(); i-- > 1;)
      staticStrides[i - 1] = staticStrides[i] * shape[i];
    for (auto [extent, stride] : llvm::zip_equal(shape, staticStrides)) {
      extents.push_back(translator.integer(extent));
      strides.push_back(translator.integer(stride));
      starts.push_back(translator.integer(0));
    }
  }
  SmallVector<int64_t> staticStrides;
  SmallVector<Value> extents, strides, starts;
};

Value Translator::loadTile(const llvm::Value &pointer, Type type) {
  if (auto access = localTiles.access(pointer)) {
    Type element = localTiles.array(*access->base)->tile;
    Value tile = create<tile::LocalLoadOp>(element, value(access->base), localIndex(*access));
    return reinterpret(builder, loc, tile, type);
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return create<tile::LoadOp>(type, value(&pointer), Value(), Value());
  Contiguous box(*this, tensor.getShape());
  return create<tile::ViewLoadOp>(type, value(&pointer), box.extents, box.strides, box.starts,
                                  tensor.getShape(), box.staticStrides, tile::Padding::zero,
                                  tile::AccessAttr(), tile::WaitReasonAttr());
}

void Translator::storeTile(const llvm::Value &pointer, Value tile) {
  if (auto access = localTiles.access(pointer)) {
    tile = reinterpret(builder, loc, tile, localTiles.array(*access->base)->tile);
    create<tile::LocalStoreOp>(tile, value(access->base), localIndex(*access));
    return;
  }
  auto tensor = dyn_cast<RankedTensorType>(tile.getType());
  if (!tensor) {
    create<tile::StoreOp>(tile, value(&pointer), Value());
    return;
  }
  Contiguous box(*this, tensor.getShape());
  create<tile::ViewStoreOp>(tile, value(&pointer), box.extents, box.strides, box.starts,
                            tensor.getShape(), box.staticStrides, tile::AccessAttr());
}

namespace {

// A volatile access of memory that others see is atomic: every thread of a block must see the same
// value, and each access is performed. In PTX it is relaxed and of system scope. Atomic accesses
// are of numbers.
Type volatileType(Type type) {
  return isa<LLVM::LLVMPointerType>(type) ? IntegerType::get(type.getContext(), 64) : type;
}

} // namespace

Value Translator::load(const llvm::LoadInst &instruction) {
  if (instruction.isAtomic()) {
    unsupported(instruction, Refusal::Atomic);
    return {};
  }
  const llvm::Value &pointer = *instruction.getPointerOperand();
  Type type = typeOf(&instruction);
  if (!type) {
    unexpected(instruction, "a load of a whole struct");
    return {};
  }
  if (instruction.getType()->isVectorTy())
    return loadTile(pointer, type);
  if (Value member = field(instruction))
    return member;
  if (instruction.isVolatile() && !spaces.mayBeLocal(&pointer)) {
    Value loaded = create<tile::AtomicLoadOp>(volatileType(type), value(&pointer), integer(1, 1),
                                              tile::MemoryOrder::relaxed, tile::Scope::system);
    return fromLane(builder, loc, loaded, type);
  }
  return loadScalar(type, value(&pointer), instruction.getAlign().value(), instruction.isVolatile(),
                    spaces.of(&pointer) == MemorySpaces::Local);
}

void Translator::store(const llvm::StoreInst &instruction) {
  if (instruction.isAtomic())
    return unsupported(instruction, Refusal::Atomic);
  const llvm::Value *stored = instruction.getValueOperand();
  SmallVector<Value> leaves = values(stored);
  if (leaves.size() != 1)
    return unexpected(instruction, "a store of a whole struct");
  if (isa<RankedTensorType>(leaves[0].getType()) && !stored->getType()->isVectorTy())
    return; // the placeholder of a tile among the arguments of printf, which finds the tile itself
  const llvm::Value *address = instruction.getPointerOperand();
  if (stored->getType()->isVectorTy())
    return storeTile(*address, leaves[0]);
  bool isLocal = spaces.mayBeLocal(address);
  if (instruction.isVolatile() && !isLocal) {
    Value number = toLane(builder, loc, leaves[0], volatileType(leaves[0].getType()));
    create<tile::AtomicStoreOp>(number, value(address), integer(1, 1), tile::MemoryOrder::relaxed,
                                tile::Scope::system);
    return;
  }
  storeScalar(leaves[0], value(address), instruction.getAlign().value(), instruction.isVolatile(),
              isLocal);
}

namespace {

// The size of an access, and of its parts: hardware accesses are naturally aligned.
int64_t bytesOf(Type type) {
  return isa<LLVM::LLVMPointerType>(type) ? 8 : tile::storageBits(type) / 8;
}
bool isAligned(Type type, int64_t alignment) {
  return alignment >= bytesOf(type) || bytesOf(type) > 8;
}

} // namespace

Value Translator::loadScalar(Type type, Value address, int64_t alignment, bool isVolatile,
                             bool isLocal) {
  if (!isAligned(type, alignment)) {
    Type whole = builder.getIntegerType(8 * bytesOf(type)),
         part = builder.getIntegerType(8 * alignment);
    Value bits;
    for (int64_t at = 0; at < bytesOf(type); at += alignment) {
      Value piece = loadScalar(part, step(address, at, part), alignment, isVolatile, isLocal);
      piece = create<arith::ExtUIOp>(whole, piece);
      if (at)
        piece = create<arith::ShLIOp>(piece, integer(8 * at, 8 * bytesOf(type)));
      bits = bits ? create<arith::OrIOp>(bits, piece) : piece;
    }
    return fromLane(builder, loc, bits, type);
  }
  auto load = create<LLVM::LoadOp>(type, address, alignment, isVolatile);
  if (isLocal)
    load->setAttr(tile::localAttr, builder.getUnitAttr());
  return load;
}

void Translator::storeScalar(Value value, Value address, int64_t alignment, bool isVolatile,
                             bool isLocal) {
  Type type = value.getType();
  if (!isAligned(type, alignment)) {
    Type whole = builder.getIntegerType(8 * bytesOf(type)),
         part = builder.getIntegerType(8 * alignment);
    Value bits = toLane(builder, loc, value, whole);
    for (int64_t at = 0; at < bytesOf(type); at += alignment) {
      Value piece = bits;
      if (at)
        piece = create<arith::ShRUIOp>(piece, integer(8 * at, 8 * bytesOf(type)));
      storeScalar(create<arith::TruncIOp>(part, piece), step(address, at, part), alignment,
                  isVolatile, isLocal);
    }
    return;
  }
  auto store = create<LLVM::StoreOp>(value, address, alignment, isVolatile);
  if (isLocal)
    store->setAttr(tile::localAttr, builder.getUnitAttr());
}

// ---- copies ----

namespace {

// Sizes of the pieces of a copy of `bytes` bytes at this alignment.
SmallVector<int64_t> pieces(int64_t bytes, int64_t alignment) {
  SmallVector<int64_t> sizes;
  for (int64_t size = std::min<int64_t>(alignment, 8); bytes > 0; bytes -= size) {
    while (size > bytes)
      size /= 2;
    sizes.push_back(size);
  }
  return sizes;
}

} // namespace

void Translator::copy(const llvm::MemTransferInst &instruction) {
  auto *length = cast<llvm::ConstantInt>(instruction.getLength()); // longer ones are loops
  bool isLocal = spaces.mayBeLocal(instruction.getDest());
  bool isFromLocal = spaces.of(instruction.getSource()) == MemorySpaces::Local;
  int64_t alignment = std::min(instruction.getDestAlign().valueOrOne().value(),
                               instruction.getSourceAlign().valueOrOne().value());
  Value to = value(instruction.getDest()), from = value(instruction.getSource());
  int64_t offset = 0;
  SmallVector<std::pair<Value, int64_t>> loaded; // all loads come first: memmove may overlap
  for (int64_t size : pieces(length->getSExtValue(), alignment)) {
    Type type = builder.getIntegerType(8 * size);
    loaded.emplace_back(loadScalar(type, step(from, offset, type), size, false, isFromLocal),
                        offset);
    offset += size;
  }
  for (auto [piece, at] : loaded)
    storeScalar(piece, step(to, at, piece.getType()), piece.getType().getIntOrFloatBitWidth() / 8,
                /*isVolatile=*/false, isLocal);
}

void Translator::fill(const llvm::MemSetInst &instruction) {
  auto *length = cast<llvm::ConstantInt>(instruction.getLength());
  auto *byte = cast<llvm::ConstantInt>(instruction.getValue());
  bool isLocal = spaces.mayBeLocal(instruction.getDest());
  Value to = value(instruction.getDest());
  int64_t offset = 0;
  for (int64_t size :
       pieces(length->getSExtValue(), instruction.getDestAlign().valueOrOne().value())) {
    APInt pattern = APInt::getSplat(8 * size, byte->getValue());
    Value piece = create<arith::ConstantOp>(
        builder.getIntegerAttr(builder.getIntegerType(8 * size), pattern));
    storeScalar(piece, step(to, offset, piece.getType()), size, /*isVolatile=*/false, isLocal);
    offset += size;
  }
}

} // namespace tessera::raising
