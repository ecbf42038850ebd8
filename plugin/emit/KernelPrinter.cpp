// The frame of an emitted kernel and its statements, one after the other.
#include "emit/KernelPrinter.h"

#include "support/Counted.h"
#include "support/Quoted.h"
#include "emit/CTypes.h"
#include "plan/Plan.h"
#include "plan/analysis/Facts.h"
#include "plan/memory/MemoryTraffic.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Config.h"
#include "tile/Attributes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

int64_t integerAttr(func::FuncOp kernel, StringRef name) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

KernelPrinter::KernelPrinter(func::FuncOp kernel, const Options &options, Listing *listing)
    : kernel(kernel), options(options), pointers(kernel), listing(listing),
      warps(options.isWhole ? 0 : plan::computingWarps(kernel)),
      sharedBytes(integerAttr(kernel, tile::sharedBytesAttr)) {}

unsigned KernelPrinter::threads() {
  return options.isWhole ? 1 : unsigned(plan::threadsOf(kernel));
}

EmittedKernel KernelPrinter::print() {
  EmittedKernel result;
  result.symbol = kernel.getName().str();
  result.name = kernel->getAttrOfType<StringAttr>(tile::kernelAttr).str();
  result.threads = threads();
  result.isPersistent = isPersistent();
  result.isUnbalanced = kernel->hasAttr(tile::unbalancedAttr);
  result.sharedMemory = size_t(sharedBytes);
  result.parameters = kernel.getNumArguments();
  if (isCoarsened()) {
    auto blocks = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::coarseningAttr).asArrayRef();
    result.coarsenedFrom = kernel->getAttrOfType<StringAttr>(tile::coarsenedFromAttr).str();
    result.coarsenedColumns = unsigned(blocks[0]), result.coarsenedRows = unsigned(blocks[1]);
    result.cycles = uint64_t(integerAttr(kernel, tile::cyclesAttr));
    result.blockParts = std::max(1U, unsigned(integerAttr(kernel, tile::blockPartsAttr)));
  }
  result.declarator = declarator();
  result.head = headerComment() +
                (options.isImage ? imageHead()
                                 : "static __global__ void __launch_bounds__(" + bounds() + ") ");
  result.mapCount = launchedTensorMaps();
  result.requiredTensorMaps = requiredTensorMaps();
  if (result.mapCount) {
    result.tensorMapsName = maps = names.fresh("tensor_maps");
    result.tensorMapMakerName = result.name + "_tensor_maps_for_" + options.target->name.str();
    result.tensorMapMaker =
        KernelPrinter(kernel, options, nullptr).tensorMapMaker(result.tensorMapMakerName);
  }
  if (!kernel.getOps<tile::LaunchedWarpsOp>().empty()) {
    result.warps.name = result.name + "_warps_for_" + options.target->name.str();
    result.warps.text = KernelPrinter(kernel, options, nullptr).warpCounter(result.warps.name);
  }
  viewScopes.emplace_back();
  printBlock(kernel.getBody().front());
  result.body = " {\n";
  if (options.isImage)
    result.body += runtimeNames() + "  check_launch<" + launchFacts() + ">();\n";
  for (auto &[alias, type] : aliases)
    result.body.append("  using ").append(alias).append(" = ").append(type).append(";\n");
  if (listing) {
    std::string frame = result.text(result.mapCount);
    std::vector<Listing::Line> statements = std::move(listing->lines);
    listing->lines.clear();
    SmallVector<StringRef> lines;
    StringRef(frame).trim().split(lines, '\n');
    for (StringRef text : lines) // the kernel's head is about all of it
      list(text, text.starts_with(" ") ? nullptr : kernel);
    llvm::append_range(listing->lines, statements);
    list("}", nullptr);
  }
  result.body += body + "}\n";
  result.variables = variables;
  return result;
}

std::string KernelPrinter::headerComment() {
  FileLineColLoc loc = sourceLocation(kernel.getLoc());
  std::string from = loc ? (llvm::sys::path::filename(loc.getFilename().getValue()) + ":" +
                            llvm::Twine(loc.getLine()))
                               .str()
                         : options.sourceName;
  std::string blocks;
  if (auto of = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::coarseningAttr);
      of && of[0] * of[1] > 1)
    blocks = (llvm::Twine(of[0]) + " x " + llvm::Twine(of[1]) + " tile blocks at a time, ").str();
  if (const int64_t parts = integerAttr(kernel, tile::blockPartsAttr))
    blocks = (llvm::Twine(parts) + " blocks for each tile block, ").str();
  if (isPersistent())
    blocks += "work tile after work tile, ";
  std::string head = ("// " + kernel->getAttrOfType<StringAttr>(tile::kernelAttr).getValue() +
                      ", from " + inLineComment(from))
                         .str();
  if (options.isWhole)
    return head + ", for the CPU\n";
  std::string trimmed;
  for (auto warps : kernel.getOps<tile::LaunchedWarpsOp>())
    trimmed = (" (a warp for each " + llvm::Twine(warps.getPerWarp()) + " columns)").str();
  return (head + ", for " + options.target->name + ": " + blocks + llvm::Twine(threads()) +
          " threads" + trimmed + ", " + llvm::Twine(sharedBytes) + " bytes of shared memory\n" +
          memoryComment())
      .str();
}

// Of a kernel that multiplies nothing, what memory has to do.
std::string KernelPrinter::memoryComment() {
  const std::optional<plan::MemoryTraffic> traffic = plan::memoryTrafficOf(kernel);
  if (!traffic)
    return "";
  return (traffic->isOfIteration ? "// An iteration reads " : "// A block reads ") +
         withUnit(traffic->read) + " and writes " +
         (traffic->written ? withUnit(traffic->written) : "nothing") + "; " +
         counted(traffic->blocks, "block") + " per SM, " + withUnit(traffic->inFlight) +
         " in flight: up to " + std::to_string(traffic->percent) + " % of the peak of memory.\n";
}

std::string KernelPrinter::bounds() {
  const int64_t minBlocks = integerAttr(kernel, tile::minBlocksAttr);
  return std::to_string(threads()) + (minBlocks ? ", " + std::to_string(minBlocks) : "");
}

// "256, 49152": threads, bytes of shared memory.
std::string KernelPrinter::launchFacts() {
  return std::to_string(threads()) + ", " + std::to_string(sharedBytes);
}

// The constant that belongs to a kernel of an image, and what stands before the kernel's name.
std::string KernelPrinter::imageHead() {
  return "extern \"C\" __device__ const unsigned " + kernel.getName().str() +
         "_tessera[] = TESSERA_IMAGE_LAUNCH(" + launchFacts() + ");\n" +
         "extern \"C\" __global__ void TESSERA_IMAGE_BOUNDS(" + std::to_string(threads()) + ", " +
         std::to_string(integerAttr(kernel, tile::minBlocksAttr)) + ") ";
}

// A symbol of an image may be a name of the runtime, which kernels would not find behind it.
std::string KernelPrinter::runtimeNames() {
  std::string uses;
  for (auto other : kernel->getParentOfType<ModuleOp>().getOps<func::FuncOp>())
    if (isRuntimeName(other.getName()))
      uses += "  using ::tessera::" + other.getName().str() + ";\n";
  return uses;
}

// NAME_simt(float *a, int n
std::string KernelPrinter::declarator() {
  return (options.isImage ? kernel.getName().str()
                          : kernel->getAttrOfType<StringAttr>(tile::kernelAttr).str() + "_simt") +
         "(" + parameters();
}

// float *a, int n
std::string KernelPrinter::parameters() {
  std::string head;
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto preferred = kernel.getArgAttrOfType<StringAttr>(i, tile::parameterNameAttr);
    auto type = kernel.getArgAttrOfType<StringAttr>(i, tile::typeAttr);
    text[argument] =
        names.fresh(preferred && !preferred.getValue().empty() ? preferred.getValue() : "unused");
    std::string spelled = type ? type.str() : variableType(argument);
    if (StringRef(spelled).contains("(*")) // a declarator would have to go round the name
      spelled = (Twine("as_type<") + spelled + ">").str();
    bool isRestrict = bool(kernel.getArgAttr(i, tile::restrictAttr));
    std::string parameter = text[argument];
    if (StringRef(spelled).ends_with("&"))
      text[argument] = "(&" + parameter + ")";
    // An enumeration, a type by another name or of another rank is read as the integer that it is.
    // So is long double as double.
    if (isa<IntegerType, Float64Type>(argument.getType()) &&
        parameterType(argument) != variableType(argument))
      text[argument] = "(" + variableType(argument) + ")" + parameter;
    bool glued = StringRef(spelled).ends_with("*") || StringRef(spelled).ends_with("&");
    if (kernel.getArgAttr(i, tile::byvalAttr)) {
      head.append(i ? ", " : "").append(spelled).append(" ").append(parameter);
      objects[argument] = parameter;
      text[argument] = "(&" + parameter + ")";
      continue;
    }
    head.append(i ? ", " : "").append(spelled).append(glued ? "" : " ");
    head.append(isRestrict ? "__restrict__ " : "").append(parameter);
  }
  if (isCoarsened()) {
    coarsened = names.fresh("grid");
    head.append(head.empty() ? "" : ", ").append("const coarsened_grid ").append(coarsened);
  }
  return head;
}

std::string KernelPrinter::workTiles(StringRef first) {
  auto blocks = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::coarseningAttr);
  return (llvm::Twine("<") + first + llvm::Twine(blocks[0]) + ", " + llvm::Twine(blocks[1]) + ">(" +
          coarsened)
      .str();
}

void KernelPrinter::line(const llvm::Twine &text) {
  std::string indented = (std::string(size_t(2) * indent, ' ') + text).str();
  list(indented, statement);
  body += indented + "\n";
}

void KernelPrinter::list(StringRef text, Operation *statement) {
  if (!listing)
    return;
  llvm::SmallSetVector<Operation *, 8> ops;
  if (statement)
    ops.insert(statement);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      if (inlined.contains(operand))
        ops.insert(operand.getDefiningOp());
  listing->lines.push_back({text.str(), {ops.begin(), ops.end()}});
}

// A #line wherever compilers would count to another line than the source's, so that debuggers, the
// emulator and compute-sanitizer speak of the programmer's text: what one line of it became is
// several lines here.
void KernelPrinter::markLocation(Location location) {
  FileLineColLoc loc = sourceLocation(location);
  if (!loc || loc.getLine() == 0)
    return;
  auto counted = lastLine + llvm::count(StringRef(body).drop_front(lastMark), '\n');
  bool isSameFile = loc.getFilename() == lastFile;
  if (isSameFile && loc.getLine() == counted)
    return;
  lastLine = loc.getLine();
  lastFile = loc.getFilename();
  body += "#line " + std::to_string(lastLine) + (isSameFile ? "" : " " + quoted(lastFile)) + "\n";
  lastMark = body.size();
}

// ---- Statements -------------------------------------------------------------------------------

void KernelPrinter::printBlock(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      printStatement(op);
}

void KernelPrinter::printStatement(Operation &op) {
  llvm::SaveAndRestore inner(statement, &op);
  llvm::TypeSwitch<Operation *>(&op)
      .Case<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp, tile::ViewStoreOp,
            tile::CopyAsyncOp, tile::ShiftRowsOp, tile::RoundCopiedOp, tile::GatherAsyncOp,
            tile::StoreOp, tile::AtomicStoreOp, LLVM::StoreOp, tile::SharedStoreOp, tile::ExitIfOp,
            tile::CommitGroupOp, tile::WaitGroupOp, tile::MakeTensorMapOp, tile::InitBarriersOp,
            tile::InvalidateBarriersOp, tile::ListTileOp, tile::BulkStoreOp, tile::StorePartsOp,
            tile::ProducerWarpOp, tile::TransposingWarpsOp, tile::TransposeStageOp,
            tile::ProducerAcquireOp, tile::ConsumerReleaseOp, tile::WaitStoresOp, tile::MmaWaitOp,
            tile::MmaFinishOp, tile::MmaDoneOp, tile::FenceOp, tile::BarrierOp, tile::TrapOp,
            tile::FreeBlockMemoryOp, tile::CheckOp, tile::PrintOp, tile::FoldOp, tile::FoldCarryOp,
            tile::SaveOp, LLVM::AllocaOp, tile::LocalAllocOp, tile::LocalStoreOp,
            LLVM::InlineAsmOp>([&](auto o) { print(o); })
      .Case<tile::SharedAllocOp, tile::SharedSlotOp>([](auto) {})
      .Default([&](Operation *) { printValue(op); });
}

// The location and the kernel are texts, for whoever reads the message has no debugger at hand.
void KernelPrinter::print(tile::CheckOp check) {
  markLocation(check.getLoc());
  std::string location, arguments;
  if (FileLineColLoc source = sourceLocation(check.getLoc()))
    location = (source.getFilename().getValue() + ":" + llvm::Twine(source.getLine())).str();
  for (Value value : check.getValues())
    arguments += ", " + use(value);
  line("check_that(" + use(check.getHolds()) + ", " + quoted(location) + ", " +
       quoted(kernel->getAttrOfType<StringAttr>(tile::kernelAttr).getValue()) + ", " +
       quoted(check.getMessage()) + arguments + ");");
}

// A zero to which multiplies add that need none.
static bool isOnlyFirstAccumulator(Operation &op) {
  return isa<tile::SplatOp>(op) && !op.use_empty() &&
         llvm::all_of(op.getUsers(), [](Operation *user) {
           auto multiply = dyn_cast<tile::SharedMmaOp>(user);
           return multiply && multiply.startsFromZero();
         });
}

// A value becomes a variable, or waits to be put into its only use.
void KernelPrinter::printValue(Operation &op) {
  if (auto multiply = dyn_cast<tile::SharedMmaOp>(op); multiply && multiply.getInFlight())
    return printStart(multiply);
  if (isOnlyFirstAccumulator(op))
    return;
  if (isa<tile::ViewLoadOp>(op))
    markLocation(op.getLoc());
  std::optional<std::string> computed = expression(&op);
  if (!computed) {
    mlir::emitError(op.getLoc()) << "the emitter has no text for '" << op.getName() << "'";
    for (Value result : op.getResults())
      text[result] = "0";
    return;
  }
  if (op.getNumResults() == 0) {
    line(*computed + ";");
    return;
  }
  Value result = op.getResult(0);
  if (hasNoVariable(&op)) {
    text[result] = *computed;
    if (!op.hasTrait<OpTrait::ConstantLike>())
      inlined.insert(result);
    return;
  }
  castSources.erase(result);
  if (result.use_empty() && isMemoryEffectFree(&op))
    return;
  markLocation(op.getLoc());
  if (result.use_empty()) {
    line(*computed + ";");
    return;
  }
  if (op.hasAttr(tile::inPlaceAttr)) {
    text[result] = carriedVariable(result);
    line(text[result] + " = " + *computed + ";");
    return;
  }
  std::string name = names.fresh(nameFor(op));
  std::string type = isTile(result) ? "auto" : variableType(result);
  line((StringRef(type).ends_with("*") ? type + "const " : "const " + type + " ") + name + " = " +
       *computed + ";");
  text[result] = name;
}

// What the plan decided of the value (pass inline-values).
bool KernelPrinter::hasNoVariable(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || op->hasAttr(tile::expandedAttr) ||
         op->hasAttr(tile::inlinedAttr);
}

void KernelPrinter::print(LLVM::InlineAsmOp op) {
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
  std::string assembly;
  // LLVM counts operands with $, CUDA with %.
  for (size_t i = 0; i < op.getAsmString().size(); ++i) {
    char c = op.getAsmString()[i];
    if (c == '%')
      assembly += "%%";
    else if (c == '$' && i + 1 < op.getAsmString().size() && op.getAsmString()[i + 1] == '$')
      assembly += '$', ++i;
    else if (c == '$')
      assembly += '%';
    else if (c == '\t')
      assembly += ' ';
    else
      assembly += c;
  }
  line("asm" + std::string(op.getHasSideEffects() ? " volatile" : "") + "(" + quoted(assembly) +
       " : " + outputs + " : " + inputs + ");");
}

EmittedKernel emit(func::FuncOp kernel, const Options &options, Listing *listing) {
  return KernelPrinter(kernel, options, listing).print();
}

} // namespace tessera::emit
