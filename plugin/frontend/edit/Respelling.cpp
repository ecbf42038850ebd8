// The file is changed from its end to its beginning; Spellings.h defines the changes.
#include "frontend/edit/Respelling.h"
#include "frontend/edit/Directives.h"
#include "frontend/edit/RuntimeName.h"
#include "frontend/edit/TextEdits.h"
#include "frontend/parse/OutsideLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace tessera::frontend {

// Clang's error for a redeclaration in another execution space.
static bool isAboutSpaces(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() == diag::err_member_decl_does_not_match ||
         diagnostic.getID() == diag::err_cuda_ovl_target;
}

static bool isForHostAndDevice(const FunctionDecl *function) {
  return function->hasAttr<CUDAHostAttr>() && function->hasAttr<CUDADeviceAttr>();
}

// The function whose body is being parsed, if it may be removed: a template, or a member of one; or
// any, if this is a call of a host function. An instance is no template.
const FunctionDecl *Respelling::functionBeingRead(bool isCallOfHost) {
  CompilerInstance *compiler = parse();
  const FunctionDecl *outermost = nullptr;
  if (compiler && compiler->hasSema())
    for (const DeclContext *context = compiler->getSema().CurContext; context;
         context = context->getLexicalParent())
      if (auto *function = dyn_cast<FunctionDecl>(context))
        outermost = function;
  bool mayGo = outermost &&
               (outermost->isDependentContext() || (isCallOfHost && isForHostAndDevice(outermost) &&
                                                    !outermost->isTemplateInstantiation()));
  return mayGo ? outermost : nullptr;
}

class Respelling::Listener : public ASTConsumer {
public:
  explicit Listener(Respelling &respelling) : respelling(respelling) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (const Decl *declaration : group)
      if (auto *function = dyn_cast<FunctionDecl>(declaration))
        add(function);
    allowCallsOfHost();
    CompilerInstance *compiler = respelling.parse();
    if (compiler && compiler->getLangOpts().GPURelocatableDeviceCode)
      configureOutsideLaunches(compiler->getASTContext());
    return true;
  }
  void HandleTranslationUnit(ASTContext &) override {
    if (respelling.allowsOutsideLaunches())
      forbidOutsideLaunches(*respelling.parse());
  }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *function) override { add(function); }

private:
  // Suppresses Clang's deferred errors about functions for host and device that the device needs.
  void allowCallsOfHost() {
    CompilerInstance *compiler = respelling.parse();
    if (!compiler || !compiler->hasSema() ||
        compiler->getSema().DeviceDeferredDiags.size() == known)
      return;
    auto &deferred = compiler->getSema().DeviceDeferredDiags;
    for (auto &[function, diagnostics] : deferred)
      if (isForHostAndDevice(function))
        llvm::erase_if(diagnostics, [](const PartialDiagnosticAt &diagnostic) {
          return diagnostic.second.getDiagID() == diag::err_ref_bad_target;
        });
    known = deferred.size();
  }

  void add(const FunctionDecl *function) {
    if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
      respelling.instantiated.insert(pattern->getCanonicalDecl());
  }

  Respelling &respelling;
  size_t known = 0; // functions with deferred diagnostics
};

std::unique_ptr<ASTConsumer> Respelling::makeListener() {
  return std::make_unique<Listener>(*this);
}

std::vector<MissingSpecifiers> Respelling::findMissing() {
  CompilerInstance *compiler = parse();
  return compiler && compiler->hasSema() // otherwise nothing has been parsed
             ? findMissingSpecifiers(compiler->getASTContext())
             : std::vector<MissingSpecifiers>();
}

bool Respelling::extendsRuntime() const {
  CompilerInstance *compiler = parse();
  return compiler && compiler->hasSema() && frontend::extendsRuntime(compiler->getASTContext());
}

namespace {

std::string nameOf(FileID file, const SourceManager &sources) {
  OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  return entry ? entry->getName().str() : "";
}

} // namespace

// After a fatal error there are no more instantiations.
std::vector<Respelling::Body> Respelling::bodiesToGo() {
  std::vector<Body> bodies;
  const SourceManager &sources = parse()->getSourceManager();
  if (parse()->getDiagnostics().hasFatalErrorOccurred())
    return bodies;
  for (const FunctionDecl *function : unread) {
    auto *body = function->doesThisDeclarationHaveABody()
                     ? dyn_cast_or_null<CompoundStmt>(function->getBody())
                     : nullptr;
    if (!body || instantiated.contains(function->getCanonicalDecl()))
      continue;
    auto [file, first] = sources.getDecomposedLoc(body->getBeginLoc());
    auto [lastFile, last] = sources.getDecomposedLoc(body->getEndLoc());
    if (std::string name = nameOf(file, sources); file == lastFile && !name.empty())
      bodies.push_back({name, first + 1, last});
  }
  return bodies;
}

// From the end of a file, so that locations stay valid.
std::vector<Change> Respelling::changes() {
  std::vector<Change> changes;
  if (extendsRuntime()) // an error may have shown it already
    locations[Form::RuntimeName].insert(SourceLocation());
  for (const auto &[form, found] : locations)
    llvm::append_range(changes, changesFor(form, found, parse()->getASTContext()));
  for (MissingSpecifiers &specifiers : findMissing())
    changes.push_back({specifiers.location, 0, std::move(specifiers.text)});
  const SourceManager &sources = parse()->getSourceManager();
  llvm::sort(changes, [&](const Change &a, const Change &b) {
    return sources.getDecomposedLoc(a.location) > sources.getDecomposedLoc(b.location);
  });
  return changes;
}

// The location in a file; for macro code only the use is in a file.
static SourceLocation locationOf(Form form, const clang::Diagnostic &diagnostic) {
  const SourceManager &sources = diagnostic.getSourceManager();
  SourceLocation location = diagnostic.getLocation();
  return form == Form::Launch ? sources.getFileLoc(location) : sources.getExpansionLoc(location);
}

void Respelling::HandleDiagnostic(DiagnosticsEngine::Level level,
                                  const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  if (!isLastParse) {
    bool isError = level >= DiagnosticsEngine::Error;
    auto form = isError ? formOf(diagnostic) : std::nullopt;
    if (isError && !form && parse() && parse()->hasSema() &&
        isInitializingForHost(parse()->getSema()))
      form = Form::HostConstant;
    if (isError)
      mayBeHostConstant = form == Form::HostConstant;
    else if (mayBeHostConstant && isNoteOfSpace(diagnostic))
      form = Form::HostConstant;
    if (isError && parse() && parse()->hasSema() &&
        isOfOutsideLaunch(diagnostic, parse()->getSema()))
      meetsOutsideLaunch = true;
    else if (form)
      locations[*form].insert(locationOf(*form, diagnostic));
    else if (const FunctionDecl *function =
                 isError ? functionBeingRead(diagnostic.getID() == diag::err_ref_bad_target)
                         : nullptr)
      unread.insert(function);
    else if (!isHolding() && isError)
      mayLackSpecifiers = isAboutSpaces(diagnostic) || !findMissing().empty();
    if (isHolding()) {
      if (parse()) { // these errors may disappear, and the next parse prints what stays
        parse()->getDiagnostics().setErrorLimit(0);
        parse()->getLangOpts().SpellChecking = false;
      }
      return;
    }
  }
  if (toPassOver) {
    --toPassOver;
    return;
  }
  ++passedOn;
  target.HandleDiagnostic(level, diagnostic);
}

namespace {

// Replaces the characters between two locations by blanks, so that all other locations stay valid.
// Lines and directives stay.
void blank(std::string &text, size_t begin, size_t end, const LangOptions &language) {
  std::vector<Directive> directives = directivesBetween(text, begin, end, language);
  directives.push_back({"", "", end, end, end});
  for (const Directive &directive : directives) {
    size_t length = directive.begin - begin;
    text.replace(begin, length, blanksFor(StringRef(text).substr(begin, length)));
    begin = directive.end;
  }
}

// Replaces a body. A missing return at its end must not cause a warning.
void blankBody(std::string &text, size_t begin, size_t end, const LangOptions &language) {
  constexpr llvm::StringLiteral endless = "for(;;);";
  blank(text, begin, end, language);
  size_t room = StringRef(text).take_front(end).find(std::string(endless.size(), ' '), begin);
  if (room != StringRef::npos)
    text.replace(room, endless.size(), endless.str());
}

FileContents buffersOf(const std::map<std::string, std::string> &texts) {
  FileContents contents;
  for (auto &[name, text] : texts)
    contents[name] = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  return contents;
}

} // namespace

FileContents copyOf(const FileContents &files) {
  FileContents copy;
  for (auto &[name, text] : files)
    copy[name] = llvm::MemoryBuffer::getMemBufferCopy(text->getBuffer(), name);
  return copy;
}

bool areSame(const FileContents &some, const FileContents &others) {
  return llvm::equal(some, others, [](const auto &one, const auto &other) {
    return one.first == other.first && one.second->getBuffer() == other.second->getBuffer();
  });
}

void give(const FileContents &files, CompilerInvocation &invocation) {
  PreprocessorOptions &options = invocation.getPreprocessorOpts();
  options.RetainRemappedFileBuffers = true;
  llvm::erase_if(options.RemappedFileBuffers,
                 [&](auto &known) { return files.count(known.first) != 0; });
  for (auto &[name, buffer] : files)
    options.addRemappedFile(name, buffer.get());
}

Respelled Respelling::respell() {
  const SourceManager &sources = parse()->getSourceManager();
  auto open = [&](FileID file) {
    std::string name = nameOf(file, sources);
    if (!name.empty() && texts.try_emplace(name, sources.getBufferData(file).str()).second)
      wholes[name] = texts[name];
    return name;
  };
  std::vector<Change> changed = changes();
  bool allowsLaunches = hasOutsideLaunches || meetsOutsideLaunch;
  std::vector<Body> bodies = bodiesToGo();
  for (const Body &body : bodies)
    if (auto entry = parse()->getFileManager().getOptionalFileRef(body.file))
      open(sources.translateFile(*entry));
  bool isSame = changed.empty() && bodies.empty() && hasOutsideLaunches == allowsLaunches;
  isLastParse = isSame || ++rounds == maxRounds;
  llvm::append_range(gone, bodies);
  for (const Change &change : changed) {
    auto [file, offset] = sources.getDecomposedLoc(change.location);
    std::string name = open(file);
    if (name.empty())
      continue;
    texts[name].replace(offset, change.length, change.text);
    wholes[name].replace(offset, change.length, change.text);
    size_t more = change.text.size() - change.length; // modulo 2^64, intentionally
    for (Body &body : gone)
      if (body.file == name) {
        body.begin += offset < body.begin ? more : 0;
        body.end += offset < body.end ? more : 0;
      }
  }
  for (const Body &body : gone)
    blankBody(texts[body.file], body.begin, body.end, parse()->getLangOpts());
  locations.clear();
  unread.clear();
  instantiated.clear();
  mayLackSpecifiers = mayBeHostConstant = meetsOutsideLaunch = false;
  hasOutsideLaunches = allowsLaunches;
  toPassOver = passedOn;
  return {buffersOf(texts), gone.empty() ? FileContents() : buffersOf(wholes)};
}

void Respelling::startFrom(const FileContents &files) {
  texts.clear();
  for (auto &[name, text] : files)
    texts[name] = text->getBuffer().str();
  wholes = texts;
  gone.clear();
  instantiated.clear();
  toPassOver = passedOn;
  rounds = 0;
  isLastParse = false;
}

bool Respelling::needsWhole() {
  const SourceManager &sources = parse()->getSourceManager();
  bool isRead = llvm::any_of(instantiated, [&](const FunctionDecl *pattern) {
    const Stmt *body = pattern->getBody();
    if (!body)
      return false;
    auto [file, offset] = sources.getDecomposedLoc(body->getBeginLoc());
    std::string name = nameOf(file, sources);
    return llvm::any_of(gone, [&, offset = offset](const Body &one) {
      return one.file == name && one.begin == offset + 1;
    });
  });
  if (isRead)
    toPassOver = passedOn;
  return isRead && !parse()->getDiagnostics().hasErrorOccurred();
}

} // namespace tessera::frontend
