// The frame of an emitted kernel, its control flow, and the accesses of memory.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"
#include "plan/Facts.h"
#include "plan/Plan.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

namespace {

int64_t integerAttr(func::FuncOp kernel, StringRef name, int64_t otherwise) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}

bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

// A string literal.
std::string quoted(StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', char(c)};
    else if (c == '\n')
      result += "\\n";
    else if (llvm::isPrint(c))
      result += char(c);
    else
      result += {'\\', char('0' + (c >> 6)), char('0' + (c >> 3 & 7)), char('0' + (c & 7))};
  }
  return result + "\"";
}

// Not an enumeration, which computes with nothing.
bool isBuiltinInteger(StringRef type) {
  static const llvm::StringSet<> words = {"const", "volatile", "bool", "char", "short", "int", "long", "signed", "unsigned", "wchar_t", "char8_t", "char16_t", "char32_t"};
  SmallVector<StringRef> parts;
  type.split(parts, ' ', -1, /*KeepEmpty=*/false);
  return llvm::all_of(parts, [](StringRef part) { return words.contains(part); });
}

} // namespace

KernelPrinter::KernelPrinter(func::FuncOp kernel, const PipelineOptions &options)
    : kernel(kernel), options(options), warps(integerAttr(kernel, plan::warpsAttr, 1)),
      sharedBytes(integerAttr(kernel, plan::sharedBytesAttr, 0)) {}

EmittedKernel KernelPrinter::print() {
  auto name = kernel->getAttrOfType<StringAttr>("tile.kernel").str();
  std::string head = headerComment() + signature();
  viewScopes.emplace_back();
  printBlock(kernel.getBody().front());
  std::string frame = head + " {\n";
  for (auto &[alias, type] : aliases)
    frame += "  using " + alias + " = " + type + ";\n";
  return {kernel.getName().str(), name, tables + frame + body + "}\n", unsigned(32 * warps), size_t(sharedBytes)};
}

std::string KernelPrinter::headerComment() {
  FileLineColLoc place = sourcePlace(kernel.getLoc());
  std::string from = place ? (llvm::sys::path::filename(place.getFilename().getValue()) + ":" + llvm::Twine(place.getLine())).str() : options.sourceName;
  return ("// " + kernel->getAttrOfType<StringAttr>("tile.kernel").getValue() + ", from " + from + ", for sm_" + llvm::Twine(options.arch) + ": " +
          llvm::Twine(32 * warps) + " threads, " + llvm::Twine(sharedBytes) + " bytes of shared memory\n")
      .str();
}

std::string KernelPrinter::signature() {
  int64_t minBlocks = integerAttr(kernel, plan::minBlocksAttr, 0);
  std::string bounds = std::to_string(32 * warps) + (minBlocks ? ", " + std::to_string(minBlocks) : "");
  std::string head = "static __global__ void __launch_bounds__(" + bounds + ") " + kernel->getAttrOfType<StringAttr>("tile.kernel").str() + "_simt(";
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto wish = kernel.getArgAttrOfType<StringAttr>(i, "tile.name");
    auto type = kernel.getArgAttrOfType<StringAttr>(i, "tile.type");
    text[argument] = names.fresh(wish && !wish.getValue().empty() ? wish.getValue() : "unused");
    std::string spelled = type ? type.str() : variableType(argument);
    if (StringRef(spelled).contains("(*")) // a declarator would have to go round the name
      spelled = "as_type<" + spelled + ">";
    bool isRestrict = bool(kernel.getArgAttr(i, "tile.restrict"));
    std::string parameter = text[argument];
    if (isa<IntegerType>(argument.getType()) && !isBuiltinInteger(spelled))
      text[argument] = "(" + elementName(argument.getType()) + ")" + parameter;
    bool glued = StringRef(spelled).ends_with("*") || StringRef(spelled).ends_with("&");
    if (kernel.getArgAttr(i, "tile.byval")) {
      head += (i ? ", " : "") + spelled + " " + text[argument];
      text[argument] = "(&" + text[argument] + ")";
      continue;
    }
    head += (i ? ", " : "") + spelled + (isRestrict ? "__restrict__ " : glued ? "" : " ") + parameter;
  }
  return head + ")";
}

void KernelPrinter::line(const llvm::Twine &statement) { body += (std::string(2 * indent, ' ') + statement + "\n").str(); }

// A #line wherever the source line changes, so that debuggers and compilers speak of the programmer's text.
void KernelPrinter::markPlace(Location location) {
  FileLineColLoc place = sourcePlace(location);
  if (!place || place.getLine() == 0 || place.getLine() == lastLine)
    return;
  lastLine = place.getLine();
  body += ("#line " + llvm::Twine(lastLine) + " \"" + place.getFilename().getValue() + "\"\n").str();
}

// ---- Statements ---------------------------------------------------------------------------------------------------------

void KernelPrinter::printBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    printStatement(op);
}

void KernelPrinter::printStatement(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](scf::ForOp o) { printFor(o); })
      .Case([&](scf::WhileOp o) { printWhile(o); })
      .Case([&](scf::IfOp o) { printIf(o); })
      .Case([&](scf::IndexSwitchOp o) { printSwitch(o); })
      .Case([&](tile::ViewStoreOp o) {
        Type element = tile::elementType(o.getValue().getType());
        std::string target = viewOf(o.getBase(), o.getExtents(), o.getStrides(), element, false);
        std::string value = use(o.getValue());
        markPlace(op.getLoc());
        line("store<" + accessName(*o.getAccess()) + ">(" + target + ", " + box(o.getStarts()) + ", " + value + ");");
      })
      .Case([&](tile::CopyAsyncOp o) {
        auto type = cast<tile::SharedType>(o.getShared().getType());
        std::string from = viewOf(o.getBase(), o.getExtents(), o.getStrides(), type.getElementType(), true);
        std::string condition = o.getWhen() ? use(o.getWhen()) : "true";
        std::string copy = "copy_async<" + accessName(o.getAccess()) + ", " + std::to_string(32 * warps) + ">(" + sharedTile(o.getShared()) + ", " +
                           from + ", " + box(o.getStarts()) + ");";
        markPlace(op.getLoc());
        line(condition == "true" ? copy : "if (" + condition + ") " + copy);
      })
      .Case([&](tile::StoreOp o) {
        markPlace(op.getLoc());
        std::string target = pointer(o.getPointers(), tile::elementType(o.getValue().getType()));
        if (isTile(o.getPointers()))
          line("store<" + llvm::Twine(o.getVector()) + ">(" + target + ", " + use(o.getValue()) + (o.getMask() ? ", " + use(o.getMask()) : "") + ");");
        else
          line((o.getMask() ? "if (" + use(o.getMask()) + ") " : "") + "store_once(" + target + ", " + use(o.getValue()) + ");");
      })
      .Case([&](tile::AtomicStoreOp o) {
        markPlace(op.getLoc());
        bool conditional = !isTile(o.getPointers()) && !matchPattern(o.getMask(), m_One());
        line((conditional ? "if (" + use(o.getMask()) + ") " : std::string()) + "atomic_store<order::" + stringifyMemoryOrder(o.getOrder()) + ", scope::" + stringifyScope(o.getScope()) + ">(" +
             pointer(o.getPointers(), tile::elementType(o.getValue().getType())) + ", " + use(o.getValue()) +
             (isTile(o.getPointers()) ? ", " + use(o.getMask()) : std::string()) + ");");
      })
      .Case([&](LLVM::StoreOp o) {
        markPlace(op.getLoc());
        Value base = plan::baseOf(o.getAddr());
        bool local = base && base.getDefiningOp<LLVM::AllocaOp>();
        std::string target = pointer(o.getAddr(), o.getValue().getType());
        line(local ? "*(" + target + ") = " + use(o.getValue()) + ";" : "store_once(" + target + ", " + use(o.getValue()) + ");");
      })
      .Case([&](tile::SharedStoreOp o) {
        markPlace(op.getLoc());
        std::string value = use(o.getValue());
        if (o.getStarts().empty())
          line("store_shared(" + sharedTile(o.getShared()) + ", " + value + ");");
        else
          line("store_shared_box(" + sharedTile(o.getShared()) + ", " + box(o.getStarts()) + ", " + value + ");");
      })
      .Case([&](tile::CommitGroupOp) { line("commit_group();"); })
      .Case([&](tile::WaitGroupOp o) { line("wait_group<" + llvm::Twine(o.getPending()) + ">();"); })
      .Case([&](tile::BarrierOp) { line("barrier();"); })
      .Case([&](tile::TrapOp o) {
        markPlace(op.getLoc());
        line("trap(" + quoted(o.getMessage()) + ");");
      })
      .Case([&](tile::PrintOp o) {
        markPlace(op.getLoc());
        std::string arguments;
        for (Value v : o.getValues())
          arguments += ", " + use(v);
        line("if (thread_index() == 0) printf(" + quoted(o.getFormat()) + arguments + ");");
      })
      .Case([&](LLVM::AllocaOp o) {
        std::string name = names.fresh(sourceName(op.getLoc()).value_or("local"));
        int64_t count = plan::constantOf(o.getArraySize()).value_or(1);
        Type element = o.getElemType();
        while (auto array = dyn_cast<LLVM::LLVMArrayType>(element)) {
          count *= array.getNumElements();
          element = array.getElementType();
        }
        line(elementName(element) + " " + name + "[" + llvm::Twine(count) + "];");
        text[o.getResult()] = name;
      })
      .Case([&](tile::LocalAllocOp o) {
        // All accesses of an array are of one type, which the pass layouts gave them.
        Value tile;
        for (Operation *user : o->getUsers())
          if (!tile || isa<tile::LocalLoadOp>(user))
            tile = isa<tile::LocalLoadOp>(user) ? user->getResult(0) : cast<tile::LocalStoreOp>(user).getValue();
        text[o.getResult()] = names.fresh(sourceName(op.getLoc()).value_or("tiles"));
        if (tile)
          line(variableType(tile) + " " + text[o.getResult()] + "[" + llvm::Twine(o.getCount()) + "];");
      })
      .Case([&](tile::LocalStoreOp o) {
        markPlace(op.getLoc());
        line(use(o.getArray()) + "[" + use(o.getIndex()) + "] = " + use(o.getValue()) + ";");
      })
      .Case([&](LLVM::InlineAsmOp o) { printInlineAsm(o); })
      .Case<tile::SharedAllocOp, tile::SharedSlotOp>([](auto) {})
      .Default([&](Operation *) { printValue(op); });
}

// Where a slot is read often its index is a variable already; the tile itself is spelled at each use.
std::string KernelPrinter::sharedTile(Value shared) {
  std::string index;
  auto type = cast<tile::SharedType>(shared.getType());
  if (auto slot = shared.getDefiningOp<tile::SharedSlotOp>()) {
    index = operand(slot.getIndex());
    shared = slot.getRing();
  }
  auto [found, isNew] = text.try_emplace(shared);
  if (isNew) {
    auto alloc = shared.getDefiningOp<tile::SharedAllocOp>();
    std::string alias = aliasOf[sharedName(type)];
    if (alias.empty()) {
      alias = names.fresh("shared_" + llvm::join(llvm::map_range(type.getShape(), [](int64_t n) { return std::to_string(n); }), "x"));
      aliasOf[sharedName(type)] = alias;
      aliases.emplace_back(alias, sharedName(type));
    }
    std::string offset = std::to_string(alloc.getOffset().value_or(0));
    text[shared] = alloc.getStages() > 1 ? "shared_slot<" + alias + ">(" + offset + ", " : "shared_at<" + alias + ">(" + offset;
  }
  return text[shared] + (index.empty() ? "" : index) + ")";
}

std::string KernelPrinter::viewOf(Value base, ValueRange extents, ValueRange strides, Type element, bool readOnly) {
  auto numbers = [&](ValueRange values) {
    std::string list;
    for (Value v : values)
      list += (list.empty() ? "" : ", ") + extent(v);
    return "{" + list + "}";
  };
  // A tile of pointers is loaded as pointers to char and cast where it is used.
  std::string spelled = isa<LLVM::LLVMPointerType>(element) ? (readOnly ? "char *const" : "char *") : (readOnly ? "const " : "") + elementName(element);
  std::string type = "view<" + spelled + ", " + std::to_string(extents.size()) + ">";
  std::string init = "{" + pointer(base, element, readOnly) + ", " + numbers(extents) + ", " + numbers(strides) + "}";
  for (auto &scope : viewScopes)
    if (auto found = scope.find(type + init); found != scope.end())
      return found->second;
  Value root = plan::baseOf(base);
  std::string name = names.fresh((root && text.count(root) ? text[root] : std::string("memory")) + "_view");
  line("const " + type + " " + name + init + ";");
  viewScopes.back()[type + init] = name;
  return name;
}

// Extents, strides and starts are unsigned; a constant needs no suffix to say so.
std::string KernelPrinter::extent(Value v) {
  std::optional<int64_t> constant = plan::constantOf(v);
  if (constant)
    return std::to_string(*constant);
  return use(v, v.getType().getIntOrFloatBitWidth() < 64);
}

std::string KernelPrinter::box(ValueRange starts) {
  std::string list;
  for (Value v : starts)
    list += (list.empty() ? "" : ", ") + extent(v);
  return "{" + list + "}";
}

void KernelPrinter::declareResult(Value v, StringRef wish) {
  text[v] = names.fresh(sourceName(v.getLoc()).value_or(wish.str()));
  line(variableType(v) + " " + text[v] + ";");
}

std::string KernelPrinter::initializedVariable(Value variable, Value init, StringRef wish) {
  std::string name = names.fresh(sourceName(variable.getLoc()).value_or(wish.str()));
  std::string value = use(init);
  line((isTile(variable) ? "auto" : variableType(variable)) + " " + name + " = " + value + ";");
  return name;
}

// All at once: a target that a later value still reads is kept aside first.
void KernelPrinter::assign(ArrayRef<std::string> targets, ValueRange values) {
  SmallVector<std::pair<std::string, std::string>> moves;
  for (auto [target, value] : llvm::zip(targets, values)) {
    std::string source = use(value);
    if (source != target)
      moves.push_back({target, source});
  }
  auto reads = [](StringRef expression, StringRef name) {
    for (size_t at = expression.find(name); at != StringRef::npos; at = expression.find(name, at + 1)) {
      auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
      bool startsWord = at == 0 || !isWord(expression[at - 1]);
      size_t end = at + name.size();
      if (startsWord && (end == expression.size() || !isWord(expression[end])))
        return true;
    }
    return false;
  };
  for (size_t i = 0; i < moves.size(); ++i)
    for (size_t j = i + 1; j < moves.size(); ++j)
      if (reads(moves[j].second, moves[i].first)) {
        std::string kept = names.fresh("next");
        line("const auto " + kept + " = " + moves[j].second + ";");
        moves[j].second = kept;
      }
  for (auto &[target, source] : moves)
    line(target + " = " + source + ";");
}

void KernelPrinter::printFor(scf::ForOp loop) {
  markPlace(loop.getLoc());
  SmallVector<std::string> carried;
  for (auto [argument, init, result] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getResults())) {
    std::string name = initializedVariable(sourceName(argument.getLoc()) ? Value(argument) : Value(result), init, "carried");
    text[argument] = name;
    text[result] = name;
    carried.push_back(name);
  }
  Value i = loop.getInductionVar();
  bool isUnsignedLoop = loop.getUnsignedCmp();
  std::string name = names.fresh(sourceName(i.getLoc()).value_or("i"));
  text[i] = name;
  std::string step = use(loop.getStep(), isUnsignedLoop);
  line("for (" + variableType(i) + " " + name + " = " + use(loop.getLowerBound(), isUnsignedLoop) + "; " + name + " < " +
       operand(loop.getUpperBound(), isUnsignedLoop) + "; " + (step == "1" || step == "1u" || step == "1ll" ? "++" + name : name + " += " + step) + ") {");
  ++indent;
  viewScopes.emplace_back();
  printBlock(*loop.getBody());
  assign(carried, loop.getYieldedValues());
  viewScopes.pop_back();
  --indent;
  line("}");
}

void KernelPrinter::printWhile(scf::WhileOp loop) {
  markPlace(loop.getLoc());
  SmallVector<std::string> carried, results;
  for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits())) {
    text[argument] = initializedVariable(argument, init, "carried");
    carried.push_back(text[argument]);
  }
  for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getAfterArguments())) {
    declareResult(result, "result");
    std::string name = text[result];
    text[argument] = name;
    results.push_back(name);
  }
  line("while (true) {");
  ++indent;
  viewScopes.emplace_back();
  printBlock(*loop.getBeforeBody());
  assign(results, loop.getConditionOp().getArgs());
  line("if (!(" + use(loop.getConditionOp().getCondition()) + ")) break;");
  printBlock(*loop.getAfterBody());
  assign(carried, loop.getYieldedValues());
  viewScopes.pop_back();
  --indent;
  line("}");
}

void KernelPrinter::printIf(scf::IfOp branch) {
  markPlace(branch.getLoc());
  std::string condition = use(branch.getCondition());
  SmallVector<std::string> results;
  for (Value result : branch.getResults()) {
    declareResult(result, "result");
    results.push_back(text[result]);
  }
  auto printRegion = [&](Region &region) {
    ++indent;
    viewScopes.emplace_back();
    printBlock(region.front());
    assign(results, region.front().getTerminator()->getOperands());
    viewScopes.pop_back();
    --indent;
  };
  line("if (" + condition + ") {");
  printRegion(branch.getThenRegion());
  if (!branch.getElseRegion().empty() && !(branch.elseBlock()->without_terminator().empty() && results.empty())) {
    line("} else {");
    printRegion(branch.getElseRegion());
  }
  line("}");
}

void KernelPrinter::printSwitch(scf::IndexSwitchOp branch) {
  markPlace(branch.getLoc());
  std::string selector = use(branch.getArg());
  SmallVector<std::string> results;
  for (Value result : branch.getResults()) {
    declareResult(result, "result");
    results.push_back(text[result]);
  }
  line("switch (" + selector + ") {");
  auto printCase = [&](const llvm::Twine &label, Region &region) {
    line(label + ": {");
    ++indent;
    viewScopes.emplace_back();
    printBlock(region.front());
    assign(results, region.front().getTerminator()->getOperands());
    line("break;");
    viewScopes.pop_back();
    --indent;
    line("}");
  };
  for (auto [value, region] : llvm::zip(branch.getCases(), branch.getCaseRegions()))
    printCase("case " + llvm::Twine(value), region);
  printCase("default", branch.getDefaultRegion());
  line("}");
}

// A value that only becomes the next value of a loop-carried variable which nothing reads any more is computed straight into it.
std::string KernelPrinter::carriedVariable(Value result) {
  if (!result.hasOneUse())
    return "";
  OpOperand &use = *result.use_begin();
  auto yield = dyn_cast<scf::YieldOp>(use.getOwner());
  auto loop = yield ? dyn_cast<scf::ForOp>(yield->getParentOp()) : scf::ForOp();
  Operation *op = result.getDefiningOp();
  if (!loop || op->getBlock() != loop.getBody())
    return "";
  BlockArgument variable = loop.getRegionIterArg(use.getOperandNumber());
  // The text of a value that is used once may stand in its user, and so on: the variable is read where the last of them is.
  bool readLater = llvm::any_of(variable.getUsers(), [&](Operation *user) {
    Operation *reader = loop.getBody()->findAncestorOpInBlock(*user);
    while (reader != op && reader->getNumResults() == 1 && reader->getResult(0).hasOneUse())
      reader = loop.getBody()->findAncestorOpInBlock(**reader->getResult(0).user_begin());
    return reader != op && !reader->isBeforeInBlock(op);
  });
  return readLater || !isTile(result) ? "" : text[variable];
}

// A name for a value that the programmer gave none.
std::string KernelPrinter::describe(Operation &op) {
  return llvm::TypeSwitch<Operation *, std::string>(&op)
      .Case([&](tile::ViewLoadOp o) {
        Value root = plan::baseOf(o.getBase());
        return root && text.count(root) ? text[root] + "_tile" : std::string("tile");
      })
      .Case([](tile::ReduceOp o) {
        bool partial = cast<RankedTensorType>(o.getType()).getDimSize(o.getDim()) > 1;
        return std::string(partial ? "partial_" : "") + tile::stringifyReduceKind(o.getKind()).str();
      })
      .Case([](tile::SharedLoadOp) { return "shared"; })
      .Case([](tile::SharedMmaOp) { return "product"; })
      .Case([](tile::CompareOp) { return "mask"; })
      .Case([](tile::OffsetOp) { return "pointers"; })
      .Case<tile::CastOp, tile::BitcastOp>([&](auto o) {
        auto found = text.find(o.getX());
        bool named = found != text.end() && StringRef(found->second).find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == StringRef::npos;
        return named ? found->second : std::string("x");
      })
      .Case([](arith::CmpIOp) { return "condition"; })
      .Default([&](Operation *) { return isTile(op.getResult(0)) ? "x" : "n"; });
}

// A value becomes a variable, or waits to be put into its only use.
void KernelPrinter::printValue(Operation &op) {
  if (isa<tile::ViewLoadOp>(op))
    markPlace(op.getLoc());
  std::optional<std::string> computed = expression(&op);
  if (!computed) {
    mlir::emitError(op.getLoc()) << "the emitter has no text for '" << op.getName() << "'";
    return;
  }
  if (op.getNumResults() == 0) {
    line(*computed + ";");
    return;
  }
  Value result = op.getResult(0);
  if (canInline(&op, *computed)) {
    text[result] = *computed;
    return;
  }
  compound.erase(result);
  if (result.use_empty() && isMemoryEffectFree(&op))
    return;
  markPlace(op.getLoc());
  if (result.use_empty()) {
    line(*computed + ";");
    return;
  }
  if (std::string carried = carriedVariable(result); !carried.empty()) {
    line(carried + " = " + *computed + ";");
    text[result] = carried;
    return;
  }
  std::string name = names.fresh(sourceName(op.getLoc()).value_or(describe(op)));
  std::string type = isTile(result) ? "auto" : variableType(result);
  line((StringRef(type).ends_with("*") ? type + "const " : "const " + type + " ") + name + " = " + *computed + ";");
  text[result] = name;
}

// Only where it is pure, used once, in the same block, and does not make the using line too long to read.
bool KernelPrinter::canInline(Operation *op, StringRef computed) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tile::BlockIndexOp, tile::GridSizeOp, tile::AssumeOp>(op))
    return true;
  constexpr size_t readable = 60;
  Value result = op->getResult(0);
  if (!isMemoryEffectFree(op) || !result.hasOneUse() || computed.size() > readable)
    return false;
  Operation *user = *result.user_begin();
  if (user->getBlock() != op->getBlock() || user->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (sourceName(op->getLoc()) && !isa<tile::SplatOp>(op))
    return false;
  bool cheapTile = isa<tile::SplatOp, tile::IotaOp, tile::CastOp, tile::BroadcastOp, tile::ReshapeOp, tile::PermuteOp, tile::CompareOp, tile::UnaryOp, tile::BinaryOp>(op);
  return isTile(result) ? cheapTile : true;
}

void KernelPrinter::printInlineAsm(LLVM::InlineAsmOp op) {
  SmallVector<StringRef> constraints;
  StringRef(op.getConstraints()).split(constraints, ',');
  llvm::erase_if(constraints, [](StringRef c) { return c.starts_with("~"); });
  std::string outputs, inputs;
  size_t firstInput = op->getNumResults();
  if (op->getNumResults()) {
    declareResult(op->getResult(0), "bits");
    outputs = "\"" + constraints.front().str() + "\"(" + text[op->getResult(0)] + ")";
  }
  for (auto [i, v] : llvm::enumerate(op.getOperands()))
    inputs += (i ? ", \"" : "\"") + constraints[firstInput + i].str() + "\"(" + use(v) + ")";
  std::string escaped;
  // LLVM counts operands with $, CUDA with %.
  for (size_t i = 0; i < op.getAsmString().size(); ++i) {
    char c = op.getAsmString()[i];
    if (c == '%')
      escaped += "%%";
    else if (c == '$' && i + 1 < op.getAsmString().size() && op.getAsmString()[i + 1] == '$')
      escaped += '$', ++i;
    else if (c == '$')
      escaped += '%';
    else if (c == '\n')
      escaped += "\\n";
    else if (c == '\t')
      escaped += ' ';
    else
      escaped += c;
  }
  line("asm" + std::string(op.getHasSideEffects() ? " volatile" : "") + "(\"" + escaped + "\" : " + outputs + " : " + inputs + ");");
}

EmittedKernel emit(func::FuncOp kernel, const PipelineOptions &options) { return KernelPrinter(kernel, options).print(); }

} // namespace tessera::emit
