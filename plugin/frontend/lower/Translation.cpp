// Runs a CompilerInstance manually, so that AST, module and source manager outlive the parse.
#include "frontend/lower/Translation.h"
#include "frontend/edit/EntryNames.h"
#include "frontend/edit/NamedLocations.h"
#include "frontend/lower/Kernels.h"
#include "frontend/parse/ArgumentLookup.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/Invocation.h"
#include "frontend/parse/LongDouble.h"
#include "frontend/parse/OutsideLaunches.h"
#include "frontend/parse/Prelude.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/BuryPointer.h"

using namespace clang;

namespace tessera::frontend {
namespace {

struct ProgramScope : ASTConsumer {
  void HandleTranslationUnit(ASTContext &context) override { limitToProgram(context); }
};

class NestedAction : public ASTFrontendAction {
public:
  NestedAction(llvm::LLVMContext &context, PreprocessorRecord &preprocessorRecord,
               std::unique_ptr<ASTConsumer> listener, std::unique_ptr<ASTConsumer> checks)
      : context(context), preprocessorRecord(preprocessorRecord), listener(std::move(listener)),
        checks(std::move(checks)) {}

  CodeGenerator *generator = nullptr;

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 StringRef file) override {
    record(compiler.getPreprocessor(), preprocessorRecord);
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(makeArgumentLookup());
    consumers.push_back(std::move(listener));
    if (!compiler.getPreprocessorOpts().ImplicitPCHInclude.empty())
      consumers.push_back(std::make_unique<ProgramScope>());
    if (!compiler.getLangOpts().CUDAIsDevice)
      return std::make_unique<MultiplexConsumer>(std::move(consumers));
    auto code = CreateLLVMCodeGen(compiler, file, context);
    generator = code.get();
    if (checks)
      consumers.push_back(std::move(checks));
    consumers.push_back(std::move(code));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

private:
  llvm::LLVMContext &context;
  PreprocessorRecord &preprocessorRecord;
  std::unique_ptr<ASTConsumer> listener, checks;
};

class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  std::vector<const FunctionDecl *> found;

  // A kernel is no local function.
  bool TraverseFunctionDecl(FunctionDecl *function) {
    add(function);
    return true;
  }
  bool TraverseFunctionTemplateDecl(FunctionTemplateDecl *pattern) {
    for (const FunctionDecl *instance : pattern->specializations())
      add(instance);
    return true;
  }

private:
  void add(const FunctionDecl *function) {
    if (isTileKernel(function) && function->doesThisDeclarationHaveABody() &&
        !function->isDependentContext())
      found.push_back(function);
  }
};

// Gives kernels of one name (overloads or of several namespaces) different identifiers.
void makeNamesUnique(std::vector<Kernel> &kernels) {
  llvm::StringSet<> taken;
  for (Kernel &kernel : kernels) {
    std::string name = kernel.name;
    for (unsigned count = 2; !taken.insert(name).second; ++count)
      name = kernel.name + "_" + std::to_string(count);
    kernel.name = name;
  }
}

} // namespace

struct Translation::State {
  State(const Inputs &inputs, Respelling &diagnostics, Respelled respelled)
      : respelled(std::move(respelled)), compiler(inputs.invocation),
        context(std::make_shared<llvm::LLVMContext>()),
        action(*context, record, diagnostics.makeListener(),
               inputs.makeChecks ? inputs.makeChecks() : nullptr) {
    for (auto &[name, text] : this->respelled.files)
      record.changedFiles.insert(name);
    compiler.setVirtualFileSystem(inputs.files);
    compiler.createDiagnostics(&diagnostics, /*ShouldOwnClient=*/false);
    if (inputs.readFiles)
      compiler.addDependencyCollector(inputs.readFiles);
  }
  ~State() {
    if (isOpen)
      action.EndSourceFile();
    // As Clang does with its AST: freeing the debug information of a large program takes longer
    // than ending the process.
    if (compiler.getFrontendOpts().DisableFree)
      llvm::BuryPointer(std::make_unique<std::shared_ptr<llvm::LLVMContext>>(context));
  }

  // Invalid for a file that does not exist, and for a program that has been closed.
  SourceLocation locationOf(const FileLocation &location) {
    OptionalFileEntryRef file;
    if (isOpen && location.line)
      file = compiler.getFileManager().getOptionalFileRef(location.file);
    return file ? compiler.getSourceManager().translateFileLineCol(*file, location.line,
                                                                   std::max(1u, location.column))
                : SourceLocation();
  }

  Respelled respelled; // which the invocation refers to
  CompilerInstance compiler;
  std::shared_ptr<llvm::LLVMContext> context;
  PreprocessorRecord record;
  NestedAction action;
  bool isOpen = false;
};

Translation::Translation(Inputs given)
    : inputs(std::move(given)), checksSpelling(inputs.invocation->getLangOpts().SpellChecking),
      diagnostics(inputs.diagnostics, [this] { return state ? &state->compiler : nullptr; }) {
  parseFrom(std::move(inputs.respelled));
}

void Translation::parseFrom(FileContents files) {
  diagnostics.startFrom(files);
  parse({std::move(files), {}});
  while (diagnostics.isWanted())
    parse(diagnostics.respell());
  if (diagnostics.needsWhole())
    parse({std::move(state->respelled.whole), {}});
}

bool Translation::readAs(const Translation &other) {
  const FileContents &own = state->respelled.withBodies();
  FileContents files = copyOf(other.state->respelled.withBodies());
  for (auto &[name, text] : copyOf(own))
    files.try_emplace(name, std::move(text));
  bool isNew = !areSame(files, own);
  if (isNew)
    parseFrom(std::move(files));
  return isNew;
}

void Translation::parse(Respelled respelled) {
  give(respelled.files, *inputs.invocation);
  inputs.invocation->getLangOpts().SpellChecking = checksSpelling; // see Respelling.cpp
  state = std::make_unique<State>(inputs, diagnostics, std::move(respelled));
  CompilerInstance &compiler = state->compiler;
  if (!compiler.createTarget() || compiler.getFrontendOpts().Inputs.empty())
    return;
  state->isOpen =
      state->action.BeginSourceFile(compiler, compiler.getFrontendOpts().Inputs.front());
  if (state->isOpen)
    allowLongDouble(compiler);
  if (state->isOpen && diagnostics.allowsOutsideLaunches())
    allowOutsideLaunches(compiler);
  if (state->isOpen && compiler.getLangOpts().GPURelocatableDeviceCode)
    configureOutsideLaunches(compiler.getASTContext());
  // Not for a file in an encoding that Clang rejects, which it has reported.
  const SourceManager &sources = compiler.getSourceManager();
  if (state->isOpen && sources.getBufferOrNone(sources.getMainFileID()))
    llvm::consumeError(state->action.Execute());
}

Translation::~Translation() = default;

bool Translation::hasErrors() const { return !state->isOpen || hasPrintedError(); }

bool Translation::hasPrintedError() const {
  return state->compiler.getDiagnostics().hasErrorOccurred();
}

bool Translation::hasTileCode() const {
  // Any tile function of the user implies the header's namespace.
  if (!state->isOpen)
    return false;
  ASTContext &ast = state->compiler.getASTContext();
  for (NamedDecl *found : ast.getTranslationUnitDecl()->lookup(&ast.Idents.get("cuda")))
    if (auto *space = dyn_cast<NamespaceDecl>(found);
        space && !space->lookup(&ast.Idents.get("tiles")).empty())
      return true;
  return false;
}

std::vector<Translation::DefinedKernel> Translation::definedKernels() const {
  KernelFinder finder;
  finder.TraverseDecl(state->compiler.getASTContext().getTranslationUnitDecl());
  EntryNames names(state->compiler.getASTContext());
  std::vector<DefinedKernel> kernels;
  for (const FunctionDecl *kernel : finder.found) {
    SourceLocation loc = kernel->getPointOfInstantiation();
    kernels.push_back(
        {names.addressOf(kernel) + ": " + names.typeOf(kernel->getType()),
         qualifiedName(kernel).substr(2),
         locate(state->compiler.getSourceManager(), loc.isValid() ? loc : kernel->getLocation())});
  }
  return kernels;
}

std::vector<View> Translation::viewsOf(ArrayRef<Translation *> others,
                                       const RewriteOptions &options) {
  std::vector<View> views;
  for (Translation *other : others) {
    std::vector<RewriteFailure> failures;
    views.push_back(
        viewForRewriting(other->state->compiler, other->state->record, options, failures));
    other->report(failures);
    if (other->state->compiler.getLangOpts().CUDAIsDevice)
      continue;
    failures.clear();
    views.push_back(viewOfBothPasses({state->compiler, state->record},
                                     {other->state->compiler, other->state->record}, options,
                                     failures));
    report(failures);
  }
  return views;
}

// A body that was removed here stays in the output if another parse reads it.
void Translation::keepBodies(ArrayRef<Translation *> others) {
  for (auto &[name, whole] : state->respelled.whole) {
    std::string text = state->respelled.files.at(name)->getBuffer().str();
    for (Translation *other : others) {
      auto found = other->state->respelled.files.find(name);
      StringRef read =
          (found == other->state->respelled.files.end() ? whole : found->second)->getBuffer();
      for (size_t i = 0; i < std::min(text.size(), read.size()); ++i)
        if (text[i] != read[i])
          text[i] = whole->getBuffer()[i];
    }
    state->record.wholeFiles[name] = text;
  }
}

// Edits have offsets in one version of a file.
void Translation::expectSizes(const std::vector<View> &views) {
  const SourceManager &sources = state->compiler.getSourceManager();
  for (const View &view : views)
    for (const ViewEdits &edits : view) {
      auto entry = state->compiler.getFileManager().getOptionalFileRef(edits.file);
      FileID file = entry ? sources.translateFile(*entry) : FileID();
      if (file.isValid() && sources.getBufferData(file).size() != edits.size)
        return report({Diagnostic::Bug, locate(sources, sources.getLocForStartOfFile(file)),
                       "parses of the program have come to different texts"});
    }
}

std::vector<EditedFile> Translation::rewrite(const RewriteOptions &options,
                                             ArrayRef<Translation *> others) {
  std::vector<RewriteFailure> failures;
  std::vector<View> views = viewsOf(others, options);
  keepBodies(others);
  expectSizes(views);
  std::vector<EditedFile> files;
  if (!hasErrors())
    files = frontend::rewrite(state->compiler, state->record, options, views, failures);
  report(failures);
  if (!failures.empty())
    files.clear();
  return files;
}

std::vector<EditedFile> Translation::rewriteAsRead(const RewriteOptions &options) {
  if (state->respelled.whole.empty())
    return {};
  std::vector<RewriteFailure> failures;
  state->record.wholeFiles.clear();
  return frontend::rewrite(state->compiler, state->record, options, {}, failures);
}

std::vector<NamedLocation> Translation::namedLocations() {
  return frontend::namedLocations(state->compiler.getASTContext());
}

bool Translation::needsHostView(Target target) {
  bool readsBoth = target != Target::Gpu && state->record.asksForPass;
  return !state->respelled.whole.empty() || readsBoth ||
         hidesLaunches(state->compiler.getPreprocessor(), state->record);
}

std::unique_ptr<Translation> Translation::hostView() {
  CompilerInstance &compiler = state->compiler;
  auto invocation = makeHostView(compiler.getInvocation(), inputs.precompiled);
  return std::make_unique<Translation>(
      Inputs{std::move(invocation), compiler.getVirtualFileSystemPtr(), diagnostics.finalTarget(),
             nullptr, nullptr, copyOf(state->respelled.withBodies())});
}

void Translation::report(const std::vector<RewriteFailure> &failures) {
  DiagnosticsEngine &engine = state->compiler.getDiagnostics();
  for (const RewriteFailure &failure : failures)
    engine.Report(failure.location,
                  engine.getCustomDiagID(DiagnosticsEngine::Error, "not supported yet: %0"))
        << textOf(failure.reason, {failure.name});
}

// A host constant does not exist on the GPU: if tile code copies it, the kernel has its own value.
// Clang makes it a device constant implicitly, which nvcc does not.
static void keepHostConstantsPrivate(CodeGenerator &generator) {
  for (llvm::GlobalVariable &global : generator.GetModule()->globals()) {
    auto *variable = dyn_cast_or_null<VarDecl>(generator.GetDeclForMangledName(global.getName()));
    if (!variable || !global.isConstant() || !global.hasInitializer() ||
        variable->hasAttr<CUDADeviceAttr>())
      continue;
    if (auto *constant = variable->getAttr<CUDAConstantAttr>(); constant && !constant->isImplicit())
      continue;
    global.setComdat(nullptr);
    global.setLinkage(llvm::GlobalValue::PrivateLinkage);
    global.setExternallyInitialized(false);
  }
}

TileProgram Translation::takeProgram() {
  TileProgram program;
  CodeGenerator &generator = *state->action.generator;
  keepHostConstantsPrivate(generator);
  std::vector<std::pair<const FunctionDecl *, std::string>> kernels;
  for (llvm::Function &function : *generator.GetModule()) {
    auto *declaration =
        dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
    if (!declaration)
      continue;
    if (isTileKernel(declaration) && !function.isDeclaration())
      kernels.emplace_back(declaration, function.getName().str());
    else if (isPrimitive(declaration) && function.isDeclaration())
      program.primitives[function.getName()] = describePrimitive(declaration);
  }
  const SourceManager &sources = state->compiler.getSourceManager();
  llvm::sort(kernels, [&](const auto &a, const auto &b) {
    return sources.isBeforeInTranslationUnit(a.first->getLocation(), b.first->getLocation());
  });
  for (auto &[declaration, symbol] : kernels)
    program.kernels.push_back(describeKernel(declaration, symbol));
  makeNamesUnique(program.kernels);
  program.module = generator.ReleaseModule();
  program.context = state->context;
  return program;
}

static DiagnosticsEngine::Level levelOf(Diagnostic::Kind kind) {
  switch (kind) {
  case Diagnostic::Warning: return DiagnosticsEngine::Warning;
  case Diagnostic::Note: return DiagnosticsEngine::Note;
  case Diagnostic::Remark: return DiagnosticsEngine::Remark;
  default: return DiagnosticsEngine::Error;
  }
}

void Translation::report(const Diagnostic &diagnostic) {
  DiagnosticsEngine &engine = state->compiler.getDiagnostics();
  DiagnosticsEngine::Level level = levelOf(diagnostic.kind);
  SourceLocation location = state->locationOf(diagnostic.location);
  for (const FileLocation &caller : diagnostic.callers) {
    if (location.isInvalid() || !state->compiler.getSourceManager().isInSystemHeader(location))
      break;
    if (SourceLocation loc = state->locationOf(caller); loc.isValid())
      location = loc;
  }
  std::string text = diagnostic.message;
  if (diagnostic.kind == Diagnostic::Unsupported)
    text = "not supported yet: " + text;
  if (diagnostic.kind == Diagnostic::Bug)
    text = "this is a bug in tessera, please report it: " + text;
  engine.Report(location, engine.getCustomDiagID(level, "%0")) << text;
}

} // namespace tessera::frontend
