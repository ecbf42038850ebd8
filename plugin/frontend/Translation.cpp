// Runs a CompilerInstance by hand, so that AST, module and source manager outlive the parse.
#include "frontend/Translation.h"
#include "frontend/Attributes.h"
#include "frontend/Invocation.h"
#include "frontend/Kernels.h"
#include "frontend/Prelude.h"

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
               std::unique_ptr<ASTConsumer> checks)
      : context(context), preprocessorRecord(preprocessorRecord), checks(std::move(checks)) {}

  CodeGenerator *generator = nullptr;

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 StringRef file) override {
    record(compiler.getPreprocessor(), preprocessorRecord);
    if (!compiler.getLangOpts().CUDAIsDevice)
      return std::make_unique<ASTConsumer>();
    auto code = CreateLLVMCodeGen(compiler, file, context);
    generator = code.get();
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    if (!compiler.getPreprocessorOpts().ImplicitPCHInclude.empty())
      consumers.push_back(std::make_unique<ProgramScope>());
    if (checks)
      consumers.push_back(std::move(checks));
    consumers.push_back(std::move(code));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

private:
  llvm::LLVMContext &context;
  PreprocessorRecord &preprocessorRecord;
  std::unique_ptr<ASTConsumer> checks;
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

// Gives kernels of one name, overloads or of several namespaces, different identifiers.
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
  State(const Inputs &inputs, DiagnosticConsumer &diagnostics, FileContents contents)
      : contents(std::move(contents)), compiler(inputs.invocation),
        context(std::make_shared<llvm::LLVMContext>()),
        action(*context, record, inputs.makeChecks ? inputs.makeChecks() : nullptr) {
    for (auto &[name, text] : this->contents)
      record.changedFiles.insert(name);
    compiler.setVirtualFileSystem(inputs.files);
    compiler.createDiagnostics(&diagnostics, /*ShouldOwnClient=*/false);
  }
  ~State() {
    if (isOpen)
      action.EndSourceFile();
    // As Clang does with its AST: taking the debug information of a large program apart takes
    // longer than ending the process.
    if (compiler.getFrontendOpts().DisableFree)
      llvm::BuryPointer(std::make_unique<std::shared_ptr<llvm::LLVMContext>>(context));
  }

  FileContents contents; // that the invocation names
  CompilerInstance compiler;
  std::shared_ptr<llvm::LLVMContext> context;
  PreprocessorRecord record;
  NestedAction action;
  bool isOpen = false;
};

Translation::Translation(Inputs inputs) : diagnostics(inputs.diagnostics) {
  diagnostics.findMissing = [this] {
    return state && state->compiler.hasSema() // otherwise nothing has been parsed
               ? findMissingSpecifiers(state->compiler.getASTContext())
               : std::vector<MissingSpecifiers>();
  };
  state = std::make_unique<State>(inputs, diagnostics, FileContents());
  parse();
  while (diagnostics.isWanted()) {
    FileContents contents = diagnostics.respell(state->compiler, *inputs.invocation);
    state = std::make_unique<State>(inputs, diagnostics, std::move(contents));
    parse();
  }
}

void Translation::parse() {
  CompilerInstance &compiler = state->compiler;
  if (!compiler.createTarget() || compiler.getFrontendOpts().Inputs.empty())
    return;
  state->isOpen =
      state->action.BeginSourceFile(compiler, compiler.getFrontendOpts().Inputs.front());
  if (state->isOpen)
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

std::vector<std::pair<std::string, Location>> Translation::definedKernels() const {
  KernelFinder finder;
  finder.TraverseDecl(state->compiler.getASTContext().getTranslationUnitDecl());
  std::vector<std::pair<std::string, Location>> kernels;
  for (const FunctionDecl *kernel : finder.found) {
    SourceLocation place = kernel->getPointOfInstantiation();
    kernels.emplace_back(qualifiedName(kernel),
                         locate(state->compiler.getSourceManager(),
                                place.isValid() ? place : kernel->getLocation()));
  }
  return kernels;
}

View Translation::view(const RewriteOptions &options) {
  std::vector<RewriteFailure> failures;
  View view = viewForRewriting(state->compiler, state->record, options, failures);
  report(failures);
  return view;
}

std::vector<EditedFile> Translation::rewrite(const RewriteOptions &options,
                                             const std::vector<View> &others) {
  std::vector<RewriteFailure> failures;
  auto files = frontend::rewrite(state->compiler, state->record, options, others, failures);
  report(failures);
  if (!failures.empty())
    files.clear();
  return files;
}

std::unique_ptr<Translation> Translation::hostView() {
  CompilerInstance &compiler = state->compiler;
  if (!hidesLaunches(compiler.getPreprocessor(), state->record))
    return nullptr;
  return std::make_unique<Translation>(Inputs{makeHostView(compiler.getInvocation()),
                                              compiler.getVirtualFileSystemPtr(),
                                              compiler.getDiagnosticClient(), nullptr});
}

void Translation::report(const std::vector<RewriteFailure> &failures) {
  DiagnosticsEngine &engine = state->compiler.getDiagnostics();
  for (const RewriteFailure &failure : failures)
    engine.Report(failure.location,
                  engine.getCustomDiagID(DiagnosticsEngine::Error, "not supported yet: %0"))
        << failure.message;
}

TileProgram Translation::takeProgram() {
  TileProgram program;
  program.hasExtensions = allowsExtensions(state->compiler.getInvocation());
  CodeGenerator &generator = *state->action.generator;
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

void Translation::report(const Diagnostic &diagnostic) {
  DiagnosticsEngine &engine = state->compiler.getDiagnostics();
  DiagnosticsEngine::Level level = diagnostic.kind == Diagnostic::Warning
                                       ? DiagnosticsEngine::Warning
                                   : diagnostic.kind == Diagnostic::Note ? DiagnosticsEngine::Note
                                                                         : DiagnosticsEngine::Error;
  SourceLocation location;
  OptionalFileEntryRef file;
  if (state->isOpen && diagnostic.location.line)
    file = state->compiler.getFileManager().getOptionalFileRef(diagnostic.location.file);
  if (file)
    location = state->compiler.getSourceManager().translateFileLineCol(
        *file, diagnostic.location.line, std::max(1u, diagnostic.location.column));
  std::string text = diagnostic.message;
  if (diagnostic.kind == Diagnostic::Unsupported)
    text = "not supported yet: " + text;
  if (diagnostic.kind == Diagnostic::Bug)
    text = "this is a fault of tessera, please report it: " + text;
  engine.Report(location, engine.getCustomDiagID(level, "%0")) << text;
}

} // namespace tessera::frontend
