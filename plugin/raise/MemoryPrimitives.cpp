// A single pointer is a scalar of LLVM, and a view's access to one element is an access through it.
#include "raise/MemoryPrimitives.h"

using namespace mlir;

namespace tessera::raising::primitive {

// ---- tiles of pointers ----

// A single pointer is offset by an LLVM address computation, whose index is signed.
static Value offsetScalar(const Call &call) {
  Value count = call[1];
  if (call.isUnsigned("A") && count.getType().getIntOrFloatBitWidth() < 64)
    count = call.create<arith::ExtUIOp>(call.builder.getI64Type(), count);
  return call.create<LLVM::GEPOp>(call[0].getType(), call.pointee("P"), call[0],
                                  ArrayRef<LLVM::GEPArg>{count});
}

Value offset(const Call &call) {
  if (!isTile(call[0].getType()))
    return offsetScalar(call);
  return call.create<tile::OffsetOp>(call.type("P"), call[0], call[1], call.pointee("P"),
                                     call.isUnsigned("A"));
}

Value difference(const Call &call) {
  return call.create<tile::DifferenceOp>(call.type("R"), call[0], call[1], call.pointee("P"));
}

Value inside(const Call &call) {
  return call.keepsPromises() ? call.create<tile::InsideOp>(call.type("P"), call[0], call[1])
                              : call[0];
}

Value load(const Call &call) {
  return call.create<tile::LoadOp>(call.type("R"), call[0], Value(), Value());
}
Value loadMasked(const Call &call) {
  return call.create<tile::LoadOp>(call.type("R"), call[0], call[1], call[2]);
}

Value store(const Call &call) {
  call.create<tile::StoreOp>(call[1], call[0], Value());
  return {};
}
Value storeMasked(const Call &call) {
  call.create<tile::StoreOp>(call[1], call[0], call[2]);
  return {};
}

Value atomicLoad(const Call &call) {
  return call.create<tile::AtomicLoadOp>(call.type("R"), call[0], call[1],
                                         call.mode<tile::MemoryOrder>("order"),
                                         call.mode<tile::Scope>("scope"));
}
Value atomicStore(const Call &call) {
  call.create<tile::AtomicStoreOp>(call[1], call[0], call[2], call.mode<tile::MemoryOrder>("order"),
                                   call.mode<tile::Scope>("scope"));
  return {};
}
Value atomicRmw(const Call &call) {
  return call.create<tile::AtomicRmwOp>(call.type("R"), call.mode<tile::AtomicKind>("op"), call[0],
                                        call[1], call[2], call.mode<tile::MemoryOrder>("order"),
                                        call.mode<tile::Scope>("scope"), call.isUnsigned("R"));
}
Value atomicCompareExchange(const Call &call) {
  return call.create<tile::AtomicCompareExchangeOp>(call.type("R"), call[0], call[1], call[2],
                                                    call[3], call.mode<tile::MemoryOrder>("order"),
                                                    call.mode<tile::Scope>("scope"));
}

// ---- views ----

// The run-time operands of a view: rank extents, rank strides, rank starts.
struct Box {
  ValueRange extents, strides, starts;
};
static Box box(ArrayRef<Value> operands) {
  size_t rank = operands.size() / 3;
  return {operands.take_front(rank), operands.slice(rank, rank), operands.take_back(rank)};
}

// Accesses without a mask respect the extents, too; only checks read the mark.
static void markUnmasked(const Call &call, Operation *access) {
  if (call.keepsPromises() && !call.integer("masked"))
    access->setAttr(tile::unmaskedAttr, call.builder.getUnitAttr());
}

Value viewLoad(const Call &call) {
  Type type = call.type("R");
  if (!isTile(type))
    return call.create<tile::LoadOp>(type, call[0], Value(), Value());
  auto [extents, strides, starts] = box(call.operands.drop_front());
  auto load = call.create<tile::ViewLoadOp>(type, call[0], extents, strides, starts,
                                            call.dimensions("extents"), call.dimensions("strides"),
                                            call.mode<tile::Padding>("padding"), tile::AccessAttr(),
                                            tile::WaitReasonAttr());
  return markUnmasked(call, load), load;
}

Value viewStore(const Call &call) {
  if (!isTile(call[0].getType())) {
    call.create<tile::StoreOp>(call[0], call[1], Value());
    return {};
  }
  auto [extents, strides, starts] = box(call.operands.drop_front(2));
  markUnmasked(call, call.create<tile::ViewStoreOp>(
                         call[0], call[1], extents, strides, starts, call.dimensions("extents"),
                         call.dimensions("strides"), tile::AccessAttr()));
  return {};
}

} // namespace tessera::raising::primitive
