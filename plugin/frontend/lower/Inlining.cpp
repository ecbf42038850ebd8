// The only LLVM passes that run. They must keep loops in source form: planning needs the counted
// loop.
//
// One exception: a loop of constant trip count that indexes a local array is unrolled, so that the
// array's elements become values.
#include "frontend/lower/Inlining.h"
#include "support/Refusals.h"
#include "frontend/lower/ChosenCopies.h"
#include "frontend/lower/CudaInstructions.h"
#include "frontend/lower/ParameterCopies.h"
#include "frontend/parse/LibraryFiles.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <set>

using namespace llvm;

namespace tessera::frontend {
namespace {

// Default constructors of arrays leave empty loops over the elements, which pin the array to
// memory.
constexpr const char *InlinePasses =
    "globaldce,always-inline,function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instsimplify,"
    "loop-simplify,lcssa,loop(loop-deletion),"
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instsimplify,adce),globaldce,strip-dead-"
    "prototypes";
constexpr const char *UnrollPasses =
    "loop-simplify,lcssa,loop(loop-rotate,indvars,loop-unroll-full)";
constexpr const char *ScalarPasses = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
                                     "instsimplify,adce),globaldce,strip-dead-prototypes";

struct PassRunner {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  bool speculates;

  explicit PassRunner(bool speculates) : speculates(speculates) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  void run(Module &module, StringRef pipeline) {
    ModulePassManager passes;
    std::string words = pipeline.str();
    constexpr StringLiteral plain = ",simplifycfg,",
                            careful = ",simplifycfg<no-speculate-blocks;bonus-inst-threshold=0>,";
    if (!speculates)
      for (size_t at; (at = words.find(plain)) != std::string::npos;)
        words.replace(at, plain.size(), careful);
    cantFail(builder.parsePassPipeline(passes, words));
    passes.run(module, modules);
  }

  void run(Function &function, StringRef pipeline) {
    FunctionPassManager passes;
    cantFail(builder.parsePassPipeline(passes, pipeline));
    passes.run(function, functions);
  }
};

// Inlining would copy the debug information of a library's variables; raise takes names only from
// the user's variables.
void dropLibraryVariables(Function &function) {
  const DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || !isLibraryFile(subprogram->getFilename()))
    return;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      instruction.dropDbgRecords();
}

// Kernels stay visible; everything else may be removed once it is inlined.
void prepareForInlining(TileProgram &program) {
  std::set<StringRef> kernels;
  for (const Kernel &kernel : program.kernels)
    kernels.insert(kernel.symbol);
  Module &module = *program.module;
  for (const char *name : {"llvm.global.annotations", "llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *variable = module.getNamedGlobal(name))
      variable->eraseFromParent();
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    module.eraseNamedMetadata(annotations);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.setComdat(nullptr);
    dropLibraryVariables(function);
    if (kernels.count(function.getName())) {
      function.setLinkage(GlobalValue::ExternalLinkage);
      function.removeFnAttr(Attribute::AlwaysInline);
    } else {
      function.setLinkage(GlobalValue::InternalLinkage);
      function.addFnAttr(Attribute::AlwaysInline);
    }
  }
}

bool indexesLocalArray(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
        if (!address->hasAllConstantIndices() && isa<AllocaInst>(getUnderlyingObject(address)))
          return true;
  return false;
}

// Marks the loops to unroll and returns their functions; all their other loops are marked as not to
// be unrolled. In other functions loops keep their form: loop recognition works best on the source
// form.
SmallVector<Function *> chooseLoopsToUnroll(Module &module, PassRunner &runner) {
  SmallVector<Function *> chosen;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    SmallVector<Loop *> loops =
        runner.functions.getResult<LoopAnalysis>(function).getLoopsInPreorder();
    auto isToUnroll = [](Loop *loop) { return loop->isInnermost() && indexesLocalArray(*loop); };
    if (none_of(loops, isToUnroll))
      continue;
    for (Loop *loop : loops)
      addStringMetadataToLoop(
          loop, isToUnroll(loop) ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable", 1);
    chosen.push_back(&function);
  }
  return chosen;
}

FileLocation locationOf(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc();
  while (location && location->getInlinedAt() && location->getLine() == 0)
    location = location->getInlinedAt();
  if (!location)
    return {};
  std::string file = location->getFilename().str();
  return {file, location->getLine(), location->getColumn()};
}

std::string nameOf(const Function &function) {
  const DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return "'" + demangle(function.getName()) + "'";
  // A lambda has no name, only its source location.
  bool isLambda = subprogram->getName().starts_with("operator()") &&
                  StringRef(demangle(function.getName())).contains("lambda");
  return isLambda ? "a lambda" : "'" + subprogram->getName().str() + "'";
}

// A function of the C math library, which the compiler calls for a built-in function that is no
// intrinsic: cbrtf for __builtin_cbrtf; or CUDA's of that name, __nv_sinf.
bool isMathFunction(StringRef name) {
  name.consume_front("__nv_");
  static constexpr StringLiteral functions[] = {
#define TESSERA_FUNCTION_1(NAME, CPU) #NAME, #NAME "f",
#define TESSERA_C_MATH_1(NAME, C) #NAME, #NAME "f",
#define TESSERA_MATH_2(NAME, CPU, C) #NAME, #NAME "f",
#define TESSERA_C_MATH_2(NAME, C) #NAME, #NAME "f",
#define TESSERA_C_NAME_1(C, NAME) #C, #C "f",
#define TESSERA_C_NAME_2(C, NAME) #C, #C "f",
#include "tessera/ops.def"
      "fdim",       "fdimf",    "ilogb",   "ilogbf",  "logb",     "logbf", "remainder",
      "remainderf", "scalbn",   "scalbnf", "scalbln", "scalblnf", "ldexp", "ldexpf",
      "llround",    "llroundf", "llrint",  "llrintf", "powi",     "powif",
  };
  return is_contained(functions, name);
}

// Functions without a body here that the stage raise knows. CUDA's headers divide scalars of half
// and bf16 with those of libdevice.
bool isKnownExternal(const TileProgram &program, const Function &function) {
  static constexpr StringLiteral known[] = {"vprintf",
                                            "__assertfail",
                                            "__assert_fail",
                                            "__nv_fabsf",
                                            "__nv_fmaf_rn",
                                            "__nv_fmaf_ieee_rn",
                                            "__nv_uint_as_float",
                                            "__nv_int_as_float",
                                            "__nv_float_as_uint",
                                            "__nv_float_as_int",
                                            "__nv_abs",
                                            "__nv_isnanf",
                                            "__nv_isnand",
                                            "__nv_isinff",
                                            "__nv_isinfd",
                                            "__nv_finitef",
                                            "__nv_isfinited",
                                            "__nv_signbitf",
                                            "__nv_signbitd"};
  return function.isIntrinsic() || program.primitives.count(function.getName()) ||
         is_contained(known, function.getName()) || isMathFunction(function.getName()) ||
         !cudaInstruction(function.getName()).empty();
}

bool callsItself(const Function &function) {
  SmallVector<const Function *> work = {&function};
  SmallPtrSet<const Function *, 8> seen;
  while (!work.empty())
    for (const Instruction &instruction : instructions(*work.pop_back_val()))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const Function *callee = call->getCalledFunction()) {
          if (callee == &function)
            return true;
          if (seen.insert(callee).second)
            work.push_back(callee);
        }
  return false;
}

// Reports a call that was not inlined. Returns true if it is allowed.
bool checkCall(const TileProgram &program, const CallBase &call, const DiagnosticSink &diagnose) {
  if (call.isInlineAsm())
    return true;
  const Function *callee = call.getCalledFunction();
  if (!callee)
    diagnose({Diagnostic::Bug, locationOf(call), "a call through a pointer passed the checks"});
  else if (callsItself(*callee)) // through templates of a library, or generic lambdas
    diagnose(refusal(Refusal::RecursionInCode, locationOf(call), {nameOf(*callee)}));
  else if (!callee->isDeclaration())
    diagnose({Diagnostic::Bug, locationOf(call),
              "the call of " + nameOf(*callee) + " could not be inlined"});
  else if (!isKnownExternal(program, *callee))
    diagnose(refusal(Refusal::NoBody, locationOf(call), {nameOf(*callee)}));
  else
    return true;
  return false;
}

// The line of the program's own file that a call of the tile library comes from.
FileLocation userLocationOf(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc();
  while (location && location->getInlinedAt() && isLibraryFile(location->getFilename()))
    location = location->getInlinedAt();
  return location ? FileLocation{location->getFilename().str(), location->getLine(),
                                 location->getColumn()}
                  : FileLocation{};
}

// The class of an element that needs a later GPU than the target; empty if there is none.
StringRef newerElement(const Primitive &primitive, const GpuTarget &target) {
  constexpr unsigned firstWithNarrowFloats = 100;
  if (target.number >= firstWithNarrowFloats)
    return {};
  for (const TemplateArgument &argument : primitive.arguments) {
    if (argument.tile.element.kind == ElementKind::E8M0)
      return "__nv_fp8_e8m0";
    if (argument.tile.element.kind == ElementKind::E2M1)
      return "__nv_fp4_e2m1";
  }
  return {};
}

// Reports each element once per kernel, at its first use; `said` contains the reported ones.
bool checkElements(const TileProgram &program, const CallBase &call, const GpuTarget &target,
                   std::set<StringRef> &said, const DiagnosticSink &diagnose) {
  const Function *callee = call.getCalledFunction();
  auto primitive = callee ? program.primitives.find(callee->getName()) : program.primitives.end();
  if (primitive == program.primitives.end())
    return true;
  StringRef element = newerElement(primitive->second, target);
  if (!element.empty() && said.insert(element).second)
    diagnose(
        refusal(Refusal::NewerElement, userLocationOf(call), {element.str(), target.name.str()}));
  return element.empty();
}

bool checkCalls(const TileProgram &program, const GpuTarget &target,
                const DiagnosticSink &diagnose) {
  bool isFine = true;
  for (const Kernel &kernel : program.kernels) {
    std::set<StringRef> newerElements;
    if (Function *function = program.module->getFunction(kernel.symbol))
      for (Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
          isFine &= checkCall(program, *call, diagnose) &&
                    checkElements(program, *call, target, newerElements, diagnose);
  }
  return isFine;
}

// The remaining calls of functions with a body: these are recursive.
SmallVector<CallBase *> recursiveCalls(const TileProgram &program) {
  SmallVector<CallBase *> calls;
  for (const Kernel &kernel : program.kernels)
    if (Function *function = program.module->getFunction(kernel.symbol))
      for (Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallBase>(&instruction);
            call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
          calls.push_back(call);
  return calls;
}

// Recursion that ends for known arguments: one level at a time.
void endRecursion(const TileProgram &program, PassRunner &runner) {
  constexpr unsigned maxDepth = 128, maxCalls = 1024;
  for (unsigned depth = 0; depth < maxDepth; ++depth) {
    SmallVector<CallBase *> calls = recursiveCalls(program);
    if (calls.empty() || calls.size() > maxCalls)
      return;
    for (CallBase *call : calls) {
      InlineFunctionInfo info;
      InlineFunction(*call, info);
    }
    runner.functions.clear();
    runner.run(*program.module, ScalarPasses);
  }
}

} // namespace

bool inlineCalls(TileProgram &program, const GpuTarget &target, bool speculates,
                 const DiagnosticSink &diagnose) {
  PassRunner runner(speculates);
  Module &module = *program.module;
  prepareForInlining(program);
  copyParameters(program);
  runner.run(module, InlinePasses);
  dropCopies(program); // a run-time index into a parameter unrolls no loop
  endRecursion(program, runner);
  if (expandChosenCopies(module))
    runner.run(module, ScalarPasses);
  const SmallVector<Function *> unrolled = chooseLoopsToUnroll(module, runner);
  for (Function *function : unrolled)
    runner.run(*function, UnrollPasses);
  if (!unrolled.empty())
    runner.run(module, ScalarPasses);
  return checkCalls(program, target, diagnose);
}

} // namespace tessera::frontend
