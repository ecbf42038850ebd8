// Equivalence classes of pointers with one type; see PointerTypes.h.
#include "emit/PointerTypes.h"

#include "emit/CTypes.h"
#include "tile/Attributes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::emit {

namespace {

bool isPointers(Value v) {
  if (auto shared = dyn_cast<tile::SharedType>(v.getType()))
    return isa<LLVM::LLVMPointerType>(shared.getElementType());
  return isa<LLVM::LLVMPointerType>(tile::elementType(v.getType()));
}

// The kernel that has this value as a parameter, if it is one.
func::FuncOp kernelOfParameter(Value v) {
  auto argument = dyn_cast<BlockArgument>(v);
  return argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
}

Pointee parameterPointee(func::FuncOp kernel, Value parameter) {
  unsigned number = cast<BlockArgument>(parameter).getArgNumber();
  auto element = kernel.getArgAttrOfType<TypeAttr>(number, tile::pointeeAttr);
  return {element ? element.getValue() : Type(), bool(kernel.getArgAttr(number, tile::constAttr))};
}

// The pointee of a pointer that is in no class.
std::optional<Pointee> ownPointee(Value pointer) {
  if (func::FuncOp kernel = kernelOfParameter(pointer))
    return parameterPointee(kernel, pointer);
  if (auto field = pointer.getDefiningOp<tile::FieldOp>())
    return Pointee{field.getPointee().value_or(Type()), field.getIsConst()};
  if (auto variable = pointer.getDefiningOp<LLVM::AllocaOp>())
    return Pointee{scalarElement(variable.getElemType())};
  return std::nullopt;
}

} // namespace

Type scalarElement(Type type) {
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    type = array.getElementType();
  return type.isIntOrFloat() || isa<LLVM::LLVMPointerType>(type) ? type : Type();
}

std::string Pointee::spelled() const {
  if (element && isa<LLVM::LLVMPointerType>(element))
    return isConst ? "char *const" : "char *";
  return (isConst ? "const " : "") + (element ? elementName(element) : "char");
}

std::string Pointee::pointer() const {
  std::string name = spelled();
  return name + (name.back() == '*' ? "*" : " *");
}

PointerTypes::PointerTypes(func::FuncOp kernel) {
  kernel.walk([&](Operation *op) { collect(op); });
  while (propagateConst())
    ;
}

Pointee PointerTypes::of(Value pointer) const {
  if (std::optional<Pointee> own = ownPointee(pointer))
    return *own;
  auto found = numbers.find(pointer);
  if (found == numbers.end())
    return {};
  const Kind &kind = kinds[root(found->second)];
  bool isScalar = isa<LLVM::LLVMPointerType>(pointer.getType());
  return {kind.isMixed ? Type() : kind.element, kind.isConst && isScalar};
}

unsigned PointerTypes::root(unsigned kind) const {
  while (parents[kind] != kind)
    kind = parents[kind] = parents[parents[kind]];
  return kind;
}

void PointerTypes::flow(ValueRange from, ValueRange to) {
  for (auto [x, y] : llvm::zip(from, to))
    flow(x, y);
}

void PointerTypes::flow(Value from, Value to) {
  if (!isPointers(from) || !isPointers(to))
    return;
  auto number = [&](Value v) {
    auto [entry, isNew] = numbers.try_emplace(v, parents.size());
    if (isNew) {
      parents.push_back(entry->second);
      kinds.emplace_back();
    }
    return root(entry->second);
  };
  if (std::optional<Pointee> own = ownPointee(from)) {
    pointsTo(to, own->element);
    kinds[number(to)].isConst |= own->isConst;
    return;
  }
  unsigned x = number(from), y = number(to);
  if (x == y)
    return;
  parents[y] = x;
  Kind other = kinds[y];
  kinds[x].isConst |= other.isConst;
  kinds[x].isMixed |= other.isMixed;
  pointsTo(from, other.element);
}

void PointerTypes::pointsTo(Value pointer, Type element) {
  flow(pointer, pointer);
  Kind &kind = kinds[root(numbers.at(pointer))];
  kind.isMixed |= kind.element && element && kind.element != element;
  if (element)
    kind.element = element;
}

bool PointerTypes::propagateConst() {
  bool changed = false;
  for (auto [from, to] : steps) {
    Kind &kind = kinds[root(numbers.at(to))];
    changed |= !kind.isConst && of(from).isConst;
    kind.isConst |= of(from).isConst;
  }
  return changed;
}

void PointerTypes::collect(Operation *op) {
  auto step = [&](Value base, Value result, Type element) {
    pointsTo(result, element);
    steps.emplace_back(base, result);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LLVM::GEPOp o) { step(o.getBase(), o, scalarElement(o.getElemType())); })
      .Case([&](tile::OffsetOp o) { step(o.getPointers(), o, o.getPointee()); })
      .Case<LLVM::AllocaOp, tile::FieldOp>([](auto) {})
      .Case([&](LLVM::AddressOfOp o) {
        auto global =
            SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(op, o.getGlobalNameAttr());
        pointsTo(o, global ? scalarElement(global.getGlobalType()) : Type());
        kinds[root(numbers.at(o))].isConst |= global && global.getConstant();
      })
      .Case<tile::AssumeOp, tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp, tile::PermuteOp,
            tile::ConvertLayoutOp, tile::ScalarOp, tile::ExtractOp, tile::PartOp,
            LLVM::AddrSpaceCastOp, LLVM::FreezeOp, tile::SharedSlotOp, tile::SaveOp>(
          [&](auto o) { flow(o->getOperand(0), o->getResult(0)); })
      .Case<arith::SelectOp, tile::SelectOp, LLVM::SelectOp>([&](auto o) {
        flow(o->getOperand(1), o->getResult(0));
        flow(o->getOperand(2), o->getResult(0));
      })
      .Case<tile::CatOp, tile::InsertOp, tile::JoinOp>([&](auto o) {
        flow(o->getOperand(0), o->getResult(0));
        flow(o->getOperand(1), o->getResult(0));
      })
      .Case([&](tile::SharedStoreOp o) { flow(o.getValue(), o.getShared()); })
      .Case([&](tile::SharedLoadOp o) { flow(o.getShared(), o.getResult()); })
      .Case([&](tile::SharedLoadPartOp o) {
        flow(o.getShared(), o.getResult());
        flow(o.getInto(), o.getResult());
      })
      .Case([&](tile::LocalStoreOp o) { flow(o.getValue(), o.getArray()); })
      .Case([&](tile::LocalLoadOp o) { flow(o.getArray(), o.getResult()); })
      .Case([&](scf::ForOp o) {
        flow(o.getInitArgs(), o.getRegionIterArgs());
        flow(o.getYieldedValues(), o.getRegionIterArgs());
        flow(o.getRegionIterArgs(), o.getResults());
      })
      .Case([&](scf::WhileOp o) {
        flow(o.getInits(), o.getBeforeArguments());
        flow(o.getYieldedValues(), o.getBeforeArguments());
        flow(o.getConditionOp().getArgs(), o.getAfterArguments());
        flow(o.getAfterArguments(), o.getResults());
      })
      .Case<scf::IfOp, scf::IndexSwitchOp>([&](auto o) {
        for (Region &region : o->getRegions())
          if (!region.empty())
            flow(region.front().getTerminator()->getOperands(), o->getResults());
      })
      .Default([&](Operation *) {
        for (Value result : op->getResults())
          flow(result, result);
      });
}

} // namespace tessera::emit
