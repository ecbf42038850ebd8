// The names of values that have none by the program or by the plan: after the array that they come
// from or go to, or after the value that they are a form of.
#include "emit/KernelPrinter.h"

#include "emit/Names.h"
#include "tile/Attributes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::emit {

namespace {

using Name = std::optional<std::string>;

// "mean" of "mean_2", which was the second of its name.
StringRef withoutNumber(StringRef name) {
  StringRef base = name.rtrim("0123456789");
  return (base.size() < name.size() && base.ends_with("_") ? base : name).rtrim('_');
}

Name with(const Name &name, StringRef suffix) {
  return name ? Name(*name + suffix.str()) : std::nullopt;
}

// Of equal elements that the program wrote.
Name nameOfConstant(Value element) {
  if (matchPattern(element, m_AnyZeroFloat()) || matchPattern(element, m_Zero()))
    return "zeros";
  if (matchPattern(element, m_OneFloat()) || matchPattern(element, m_One()))
    return "ones";
  return matchPattern(element, m_Constant()) ? Name("constant") : std::nullopt;
}

} // namespace

// Nothing for a long name: with more around it, it would hide what is computed.
std::optional<std::string> KernelPrinter::nameOfOperand(Value v) {
  constexpr size_t readable = 24;
  auto found = text.find(v);
  StringRef name = found == text.end() ? StringRef() : StringRef(found->second);
  if (!name.empty() && llvm::all_of(name, isOfName) && !llvm::isDigit(name.front())) {
    name = withoutNumber(name);
    return name.empty() || name.size() > readable ? std::nullopt : Name(name.str());
  }
  Operation *op = v.getDefiningOp();
  return op && op->getNumResults() == 1 && inlined.contains(v) ? ownName(*op) : std::nullopt;
}

// The array that an address is in, where its name is one.
std::optional<std::string> KernelPrinter::arrayName(Value address) {
  Name root = rootName(address);
  StringRef name = root ? StringRef(*root) : StringRef();
  if (name.consume_front("(&"))
    name.consume_back(")");
  return !name.empty() && llvm::all_of(name, isOfName) ? Name(name.str()) : std::nullopt;
}

// The array in which a value is stored as it is.
std::optional<std::string> KernelPrinter::nameByStore(Value v) {
  for (Operation *user : v.getUsers()) {
    if (auto store = dyn_cast<tile::ViewStoreOp>(user); store && store.getValue() == v)
      return with(arrayName(store.getBase()), "_tile");
    if (auto store = dyn_cast<tile::StoreOp>(user); store && store.getValue() == v)
      return with(arrayName(store.getPointers()), isTile(v) ? "_tile" : "_element");
  }
  return std::nullopt;
}

std::optional<std::string> KernelPrinter::nameByOther(Operation &op) {
  Value result = op.getResult(0);
  auto nameOfPointers = [&](Value pointers) -> Name {
    const StringRef suffix = isTile(pointers) ? "pointers" : "pointer";
    return with(arrayName(pointers), ("_" + suffix).str()).value_or(suffix.str());
  };
  if (isa<LLVM::LLVMPointerType>(result.getType()))
    return nameOfPointers(result);
  return llvm::TypeSwitch<Operation *, Name>(&op)
      .Case([](tile::BlockMemoryOp) { return "locals"; })
      .Case([&](tile::ViewLoadOp o) {
        return with(arrayName(o.getBase()), "_tile").value_or("tile");
      })
      .Case<tile::LoadOp, tile::AtomicLoadOp>([&](auto o) {
        const bool isOne = !isTile(result);
        return with(arrayName(o.getPointers()), isOne ? "_element" : "_tile")
            .value_or(isOne ? "element" : "tile");
      })
      .Case([&](LLVM::LoadOp o) {
        return with(arrayName(o.getAddr()), "_element").value_or("element");
      })
      .Case<tile::CastOp, tile::BitcastOp, tile::ReshapeOp, tile::BroadcastOp, tile::PermuteOp,
            tile::ConvertLayoutOp>([&](auto o) { return nameOfOperand(o.getX()); })
      .Case([&](tile::Bf16TermOp o) {
        static constexpr StringRef sizes[] = {"_high", "_middle", "_low"};
        return with(nameOfOperand(o.getX()), sizes[o.getTerm()]);
      })
      .Case<tile::PartOp, tile::ExtractOp>(
          [&](auto o) { return with(nameOfOperand(o.getX()), "_part"); })
      .Case<arith::ExtSIOp, arith::ExtUIOp>(
          [&](auto o) { return with(nameOfOperand(o.getIn()), "_wide"); })
      .Case([&](arith::TruncIOp o) { return with(nameOfOperand(o.getIn()), "_narrow"); })
      .Case([&](tile::OffsetOp) { return nameOfPointers(result); })
      .Case([&](tile::SplatOp o) {
        if (isPointer(result))
          return nameOfPointers(result);
        Name constant = nameOfConstant(o.getX());
        return constant ? constant : with(nameOfOperand(o.getX()), "_tile");
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<std::string> KernelPrinter::ownName(Operation &op) {
  if (Name source = sourceName(op.getLoc()))
    return source;
  if (auto planned = op.getAttrOfType<StringAttr>(tile::nameAttr))
    return planned.str();
  return nameByOther(op);
}

std::string KernelPrinter::nameFor(Operation &op) {
  if (Name name = ownName(op))
    return *name;
  Value result = op.getResult(0);
  return nameByStore(result).value_or(isTile(result) ? "x" : "n");
}

} // namespace tessera::emit
