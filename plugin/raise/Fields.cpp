// Loads from struct parameters, as the fields that they read.
#include "raise/Translator.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace mlir;

namespace tessera::raising {

namespace {

// An address within a parameter: a number of bytes, and run-time indices times their strides.
struct Address {
  const llvm::Argument *parameter = nullptr;
  int64_t bytes = 0;
  llvm::SmallMapVector<llvm::Value *, APInt, 4> terms;
};

std::optional<Address> locate(const llvm::Value *pointer, const llvm::DataLayout &layout) {
  Address address;
  APInt constant(64, 0);
  while (auto *step = dyn_cast<llvm::GEPOperator>(pointer)) {
    APInt before = constant;
    // A negative constant after a run-time index may lead from one field into another.
    if (!step->collectOffset(layout, 64, address.terms, constant) || constant.slt(before))
      return std::nullopt;
    pointer = step->getPointerOperand();
  }
  address.parameter = dyn_cast<llvm::Argument>(pointer);
  address.bytes = constant.getSExtValue();
  if (!address.parameter || !address.parameter->hasByValAttr() ||
      !address.parameter->onlyReadsMemory())
    return std::nullopt;
  return address;
}

// The name of a field at an address, with its array indices.
struct Named {
  std::string path;                            // ".rows[2].first[#]"
  SmallVector<const llvm::Value *, 2> indices; // one for each #
};

// Null if the address is not the field's.
std::optional<Named> nameOf(const frontend::Field &field, const Address &address) {
  Named named;
  int64_t rest = address.bytes - field.offset;
  StringRef path = field.path;
  for (auto [count, stride] : field.arrays) {
    int64_t number = rest / stride;
    if (rest < 0 || number >= count)
      return std::nullopt;
    rest -= number * stride;
    auto term = llvm::find_if(address.terms, [&](auto &entry) {
      return entry.second == uint64_t(stride) && !llvm::is_contained(named.indices, entry.first);
    });
    auto [before, behind] = path.split('#');
    named.path += before;
    if (term != address.terms.end()) {
      named.indices.push_back(term->first);
      named.path += number ? "# + " + std::to_string(number) : "#";
    } else {
      named.path += std::to_string(number);
    }
    path = behind;
  }
  named.path += path;
  bool isMet = rest == 0 && named.indices.size() == address.terms.size();
  return isMet ? std::optional(named) : std::nullopt;
}

} // namespace

// Null if no field has exactly these bytes.
Value Translator::field(const llvm::LoadInst &instruction) {
  const llvm::DataLayout &layout = function.getDataLayout();
  std::optional<Address> address = locate(instruction.getPointerOperand(), layout);
  Type type = typeOf(&instruction);
  if (!address || instruction.isVolatile())
    return {};
  for (const frontend::Field &field : kernel.parameters[address->parameter->getArgNo()].fields) {
    bool isPointer = field.element.kind == frontend::ElementKind::Pointer;
    std::optional<Named> named = nameOf(field, *address);
    if (!named || field.size != int64_t(layout.getTypeStoreSize(instruction.getType())) ||
        (isa<LLVM::LLVMPointerType>(type) && !isPointer))
      continue;
    MLIRContext *context = builder.getContext();
    SmallVector<Value> indices =
        llvm::map_to_vector(named->indices, [&](const llvm::Value *index) { return value(index); });
    Type pointee = elementType(context, field.element.pointee);
    auto member = create<tile::FieldOp>(
        isPointer ? LLVM::LLVMPointerType::get(context) : elementType(context, field.element.kind),
        value(address->parameter), indices, named->path, field.type,
        pointee ? TypeAttr::get(pointee) : TypeAttr(), field.element.pointeeConst,
        !isPointer && isUnsigned(field.element.kind));
    return toLane(builder, loc, member, type);
  }
  return {};
}

} // namespace tessera::raising
