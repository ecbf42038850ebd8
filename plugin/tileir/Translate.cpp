// The entries of a module, with what the plan and the printer want to know of each; see
// Translate.h.
#include "tileir/Translate.h"

#include "structure/Finish.h"
#include "tile/Attributes.h"
#include "tile/FreeName.h"
#include "tile/SourceNames.h"
#include "tileir/Kernel.h"
#include "tileir/Provenance.h"
#include "tileir/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

// "softmax": an entry's symbol is mangled, the debug information has the function's name.
std::string sourceNameOf(const Function &function) {
  if (!function.frames->empty() && !function.frames->front().function.empty())
    return function.frames->front().function.str();
  return function.name.str();
}

std::string identifierOf(StringRef name) {
  std::string spelled;
  for (char c : name)
    spelled.push_back(llvm::isAlnum(c) ? c : '_');
  if (spelled.empty() || llvm::isDigit(spelled.front()))
    spelled = "k" + spelled;
  return spelled;
}

// The C++ type of a parameter; empty: there is none.
StringRef spelledType(Element element) {
  switch (element) {
  case Element::I1: return "bool";
  case Element::I8: return "signed char";
  case Element::I16: return "short";
  case Element::I32: return "int";
  case Element::I64: return "long long";
  case Element::F16: return "__half";
  case Element::BF16: return "__nv_bfloat16";
  case Element::F32: return "float";
  case Element::F64: return "double";
  case Element::F8E4M3FN: return "__nv_fp8_e4m3";
  case Element::F8E5M2: return "__nv_fp8_e5m2";
  case Element::F8E8M0FNU: return "__nv_fp8_e8m0";
  default: return "";
  }
}

// The hints of an entry for a target: those of its architecture, else those for all others.
const Attribute *hintsFor(const Function &function, const GpuTarget &target) {
  std::string architecture = "sm_" + std::to_string(target.number);
  const Attribute *hints = function.hints.find(architecture);
  return hints ? hints : function.hints.find("default");
}

// Names for parameters, of which the bytecode has none. Arrays are a, b, c, ...; the extents and
// strides of an array's view are a_0 and a_stride_0; other numbers are p3 by their position.
class ParameterNames {
public:
  explicit ParameterNames(const Function &function) : function(function) {
    unsigned arrays = 0;
    for (auto [i, argument] : llvm::enumerate(function.body.arguments)) {
      bool isPointer = function.typeOf(argument)->isPointerTile();
      names.push_back(isPointer ? nameOfArray(arrays++) : "p" + std::to_string(i));
      origins[argument] = unsigned(i);
    }
    nameExtents(function.body);
  }
  std::string of(unsigned i) const { return names[i]; }

private:
  static std::string nameOfArray(unsigned number) {
    constexpr unsigned letters = 26;
    std::string name(1, char('a' + number % letters));
    return number < letters ? name : name + std::to_string(number / letters);
  }

  // Assumptions pass a parameter on.
  void nameExtents(const Block &block) {
    for (const Op &op : block.ops) {
      if (op.opcode() == Opcode::Assume)
        if (auto origin = origins.find(op.operand("x")[0]); origin != origins.end())
          origins[op.results[0]] = origin->second;
      if (op.opcode() == Opcode::MakeTensorView)
        if (auto base = origins.find(op.operand("base")[0]); base != origins.end()) {
          const Type &type = *function.typeOf(op.results[0]);
          if (type.kind == Type::TensorView) {
            name(op.operand("shape"), type.shape, names[base->second] + "_");
            name(op.operand("strides"), type.strides, names[base->second] + "_stride_");
          }
        }
      for (const Block &region : op.regions)
        nameExtents(region);
    }
  }

  void name(ArrayRef<Value> values, ArrayRef<int64_t> dimensions, const std::string &prefix) {
    for (auto [d, number] : llvm::enumerate(dimensions)) {
      if (number != dynamic || values.empty())
        continue;
      auto origin = origins.find(values.front());
      values = values.drop_front();
      // The first view that says so names it; arrays keep their letters.
      if (origin != origins.end() && names[origin->second].front() == 'p')
        names[origin->second] = prefix + std::to_string(d);
    }
  }

  const Function &function;
  std::vector<std::string> names;
  llvm::DenseMap<Value, unsigned> origins; // of a value that is a parameter
};

class EntryTranslation {
public:
  EntryTranslation(const Module &module, const Function &function, ModuleOp output,
                   const GpuTarget &target, Reports &reports)
      : function(function), target(target), kernel(module, function, output, reports) {}

  LogicalResult run() {
    entry.format = findFormat(uint64_t(Opcode::Return)); // for messages about the entry itself
    entry.frames = function.frames;
    kernel.values.resize(function.values.size());
    kernel.builder.setLoc(kernel.locationOf(*function.frames));
    SmallVector<mlir::Type> types;
    if (failed(checkParameters(types)))
      return failure();
    kernel.builder.setInsertionPointToEnd(kernel.output.getBody());
    auto made = func::FuncOp::create(kernel.builder, function.name,
                                     kernel.builder.getFunctionType(types, {}));
    declare(made);
    kernel.builder.setInsertionPointToStart(made.addEntryBlock());
    for (auto [value, argument] : llvm::zip(function.body.arguments, made.getBody().getArguments()))
      kernel.define(value, argument);
    if (failed(allocateBlockMemory(kernel)) || failed(kernel.translateOps(function.body)))
      return failure();
    // What follows an if of which both arms leave the loop.
    IRRewriter rewriter(kernel.output.getContext());
    (void)eraseUnreachableBlocks(rewriter, made->getRegions());
    return verified(made);
  }

private:
  LogicalResult checkParameters(SmallVectorImpl<mlir::Type> &types) {
    for (Value argument : function.body.arguments) {
      const Type &type = *function.typeOf(argument);
      if (!type.isTile() || !type.shape.empty())
        return kernel.refuse(entry, "an entry with a parameter of type " + textOf(type));
      if (spelledType(type.elementOf()).empty())
        return kernel.refuse(entry, "an entry with a parameter of type " + textOf(*type.inner));
      types.push_back(kernel.typeOf(type, entry));
    }
    return success();
  }

  void declare(func::FuncOp made) {
    Builder &builder = kernel.builder;
    std::string name =
        tile::freeName(kernel.output, tile::kernelAttr, identifierOf(sourceNameOf(function)), 1);
    made->setAttr(tile::kernelAttr, builder.getStringAttr(name));
    auto follow = [&](StringRef hint, StringRef attribute) {
      const Attribute *hints = hintsFor(function, target);
      if (const Attribute *found = hints ? hints->find(hint) : nullptr;
          found && found->number > 0 && found->number <= 32)
        made->setAttr(attribute, builder.getI64IntegerAttr(int64_t(found->number)));
    };
    follow("occupancy", tile::occupancyAttr);
    follow("num_worker_warps_per_cta", tile::workerWarpsAttr);
    std::vector<ParameterFacts> facts = factsOfParameters(function);
    ParameterNames names(function);
    sayIgnoredHints();
    for (auto [i, argument] : llvm::enumerate(function.body.arguments)) {
      const Type &type = *function.typeOf(argument);
      bool isPointer = type.isPointerTile();
      std::string spelled = spelledType(type.elementOf()).str() + (isPointer ? " *" : "");
      auto set = [&](StringRef attribute, mlir::Attribute value) {
        made.setArgAttr(unsigned(i), attribute, value);
      };
      set(tile::parameterNameAttr, builder.getStringAttr(names.of(unsigned(i))));
      if (isPointer && facts[i].isConst)
        spelled.insert(0, "const ");
      set(tile::typeAttr, builder.getStringAttr(spelled));
      if (!isPointer)
        continue;
      set(tile::pointeeAttr, TypeAttr::get(kernel.elementOf(*type.inner->inner, entry)));
      if (facts[i].isConst)
        set(tile::constAttr, builder.getUnitAttr());
      if (facts[i].isRestrict)
        set(tile::restrictAttr, builder.getUnitAttr());
    }
  }

  void sayIgnoredHints() {
    const Attribute *hints = hintsFor(function, target);
    if (hints && hints->find("num_cta_in_cga"))
      kernel.reports({Diagnostic::Remark, tile::fileLocation(kernel.builder.getLoc()),
                      "the hint num_cta_in_cga is not followed: the plan decides it"});
  }

  // What is wrong here is the bytecode: it has types that its operations do not take.
  LogicalResult verified(func::FuncOp made) {
    ScopedDiagnosticHandler handler(made.getContext(), [&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        kernel.reports({Diagnostic::Error, tile::fileLocation(diagnostic.getLocation()),
                        "the bytecode is not valid: " + diagnostic.str()});
      return success();
    });
    return verify(made);
  }

  const Function &function;
  const GpuTarget &target;
  Kernel kernel;
  Op entry;
};

} // namespace

Result<OwningOpRef<ModuleOp>> translate(const Module &module, MLIRContext &context,
                                        const GpuTarget &target, Reports &reports) {
  structuring::loadDialects(context);
  OwningOpRef<ModuleOp> output = ModuleOp::create(UnknownLoc::get(&context));
  llvm::StringSet<> symbols;
  for (const Function &function : module.functions) {
    if (!function.isEntry) // nothing calls it
      continue;
    Step step("translate", function.name);
    if (function.name.empty() || !symbols.insert(function.name).second)
      reports({Diagnostic::Error, {}, "the entry '" + function.name.str() + "' occurs twice"});
    else if (failed(EntryTranslation(module, function, *output, target, reports).run()))
      reports.failure("translate, entry '" + function.name + "'");
  }
  if (reports.any())
    return reports.failure("translate");
  return output;
}

std::map<std::string, std::string, std::less<>> namesOfEntries(const Module &module) {
  std::map<std::string, std::string, std::less<>> names;
  for (const Function &function : module.functions)
    names[function.name.str()] = sourceNameOf(function);
  return names;
}

} // namespace tessera::tileir
