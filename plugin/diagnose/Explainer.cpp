// Clang's reports are copied with their arguments: its objects do not live longer.
#include "diagnose/Explainer.h"
#include "diagnose/Errors.h"
#include "diagnose/TypesInMessages.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

// Does tile code name a function, or a variable, of the host?
template <class T> bool namesOfHost(const Message &error) {
  return error.id == diag::err_ref_bad_target && isa_and_nonnull<T>(error.declaration(2));
}

// The functions around a location, the innermost first.
std::vector<const FunctionDecl *> functionsAround(const DeclContext *context) {
  std::vector<const FunctionDecl *> functions;
  for (; context; context = context->getParent())
    if (auto *function = dyn_cast<FunctionDecl>(context))
      functions.push_back(function);
  return functions;
}

// The template of another library, such as std::max, that tile code calls and that contains the
// error; null if there is none.
const Instance *callOfSystems(const Message &error, ArrayRef<Instance> instances,
                              const SourceManager &sources) {
  bool isOfSystem = error.level >= DiagnosticsEngine::Error && error.location.isValid() &&
                    sources.isInSystemHeader(error.location) &&
                    !isInLibrary(error.location, sources);
  for (const Instance &instance : isOfSystem ? instances : ArrayRef<Instance>())
    if (instance.location.isValid() && !sources.isInSystemHeader(instance.location))
      return &instance;
  return nullptr;
}

} // namespace

class Explainer::Listener : public SemaConsumer {
public:
  explicit Listener(Explainer &explainer) : explainer(explainer) {}

  void InitializeSema(Sema &sema) override {
    explainer.sema = &sema;
    spellTypesOfLibrary(sema.getDiagnostics(), sema.getASTContext());
  }
  void HandleTranslationUnit(ASTContext &context) override {
    explainer.releaseAll(&context);
    explainer.sema = nullptr;
  }

private:
  Explainer &explainer;
};

class Explainer::ListenerAfterRules : public ASTConsumer {
public:
  explicit ListenerAfterRules(Explainer &explainer) : explainer(explainer) {}

  void HandleTranslationUnit(ASTContext &context) override {
    explainer.releaseAfterRules(&context);
    if (explainer.atEnd)
      explainer.atEnd(context);
  }

private:
  Explainer &explainer;
};

Explainer::~Explainer() {
  releaseAll(nullptr);
  releaseAfterRules(nullptr);
}

Explainer &Explainer::install(DiagnosticsEngine &engine) {
  DiagnosticConsumer &client = *engine.getClient();
  auto *explainer = new Explainer(engine.ownsClient() ? engine.takeClient() : nullptr, client);
  engine.setClient(explainer, /*ShouldOwnClient=*/true);
  return *explainer;
}

std::unique_ptr<ASTConsumer> Explainer::makeListener() { return std::make_unique<Listener>(*this); }

std::unique_ptr<ASTConsumer> Explainer::makeListenerAfterRules() {
  return std::make_unique<ListenerAfterRules>(*this);
}

void Explainer::EndSourceFile() {
  releaseAll(nullptr);
  releaseAfterRules(nullptr);
  sema = nullptr;
  target.EndSourceFile();
  count();
}

void Explainer::HandleDiagnostic(DiagnosticsEngine::Level level,
                                 const clang::Diagnostic &diagnostic) {
  engine = const_cast<DiagnosticsEngine *>(diagnostic.getDiags());
  unsigned id = diagnostic.getID();
  if (level != DiagnosticsEngine::Note)
    isDropping = isToBeDropped(level) || isOfCorrected(level, diagnostic);
  if (isDropping)
    return;
  bool isWanted = mayBeExplained(id) || maybeSaidAgain(id) || !ruleOf(id).empty();
  if (!sema || (held.empty() && !isWanted)) {
    if (!heldForRules.empty())
      rules.add(diagnostic);
    target.HandleDiagnostic(level, diagnostic);
    count();
    return;
  }
  Message message = copyOf(level, diagnostic);
  if (level == DiagnosticsEngine::Note) {
    held.back().notes.push_back(std::move(message));
    return;
  }
  if (id == diag::err_ref_bad_target && message.location.isValid() &&
      diagnostic.getSourceManager().isInSystemHeader(message.location))
    engine->setErrorLimit(0); // one call may give many, none of which is printed
  std::vector<const FunctionDecl *> functions = functionsAround(sema->CurContext);
  QualType assigned = typeInInstance(*sema, assignedOf(message, functions));
  held.push_back({std::move(message), {}, std::move(functions), currentInstances(*sema), assigned});
}

bool Explainer::isToBeDropped(DiagnosticsEngine::Level level) const {
  return dropsWarnings && sema && level == DiagnosticsEngine::Warning &&
         llvm::any_of(functionsAround(sema->CurContext), frontend::isTileOnly);
}

// The finding of a rule after Clang continued with a different name than the program's.
bool Explainer::isOfCorrected(DiagnosticsEngine::Level level,
                              const clang::Diagnostic &diagnostic) const {
  return !sema && level >= DiagnosticsEngine::Error && diagnostic.getLocation().isValid() &&
         corrected.count(
             SpokenRules::lineOf(diagnostic.getLocation(), diagnostic.getSourceManager()));
}

void Explainer::count() {
  NumErrors = target.getNumErrors();
  NumWarnings = target.getNumWarnings();
}

void Explainer::pass(const Message &message) {
  target.HandleDiagnostic(message.level, clang::Diagnostic(engine, message.location, message.id,
                                                           message.storage, message.text));
}

void Explainer::pass(const Group &group) {
  pass(group.main);
  // The library's candidates are irrelevant if there are others.
  auto isCandidate = [](const Message &note) {
    return StringRef(note.text).starts_with("candidate");
  };
  auto isForeign = [&](const Message &note) {
    return note.location.isValid() && isInLibrary(note.location, engine->getSourceManager());
  };
  bool hasOwn = llvm::any_of(
      group.notes, [&](const Message &note) { return isCandidate(note) && !isForeign(note); });
  for (const Message &note : group.notes)
    if (!hasOwn || !isForeign(note))
      pass(note);
}

void Explainer::release(const Group &group, const ASTContext &context) {
  Explanation sentence;
  if (group.main.level >= DiagnosticsEngine::Error)
    sentence = explain(Error{group.main, group.notes, group.functions, context, group.assigned});
  if (!sentence)
    return pass(group);
  if (!said.insert({sentence->location, sentence->row}).second)
    return;
  say(*sentence, group.main.level, *engine, target);
  isWithoutHeader |= sentence->row == Row::NoHeader || sentence->row == Row::Standard;
  if (std::string instance = describe(group.instances, context); !instance.empty())
    say({Row::InInstance, group.instances.back().location, {instance}}, DiagnosticsEngine::Note,
        *engine, target);
}

void Explainer::releaseAll(const ASTContext *context) {
  std::vector<Group> groups = std::exchange(held, {});
  auto isTileCode = [](const FunctionDecl *one) { return frontend::isTile(one); };
  std::vector<SourceLocation> brokenTypes;
  std::set<SpokenRules::Line> callsOfHost;
  for (const Group &group : context ? groups : std::vector<Group>()) {
    if (group.main.id == diag::err_kern_type_not_void_return)
      brokenTypes.push_back(group.main.location);
    bool isOfHost = llvm::any_of(group.notes, [](const Message &note) {
      return note.id == diag::note_ovl_candidate_bad_target;
    });
    if (isOfHost || namesOfHost<FunctionDecl>(group.main))
      callsOfHost.insert(SpokenRules::lineOf(group.main.location, context->getSourceManager()));
  }
  auto isInCallOfHost = [&](const Message &error) { // fprintf(stderr, ...): the call is wrong
    return namesOfHost<VarDecl>(error) &&
           callsOfHost.count(SpokenRules::lineOf(error.location, context->getSourceManager()));
  };
  const Group *before = nullptr; // that is no consequence itself
  for (size_t i = 0; i < groups.size(); ++i) {
    const Group &group = groups[i];
    if (context && before && followsFrom(group.main, before->main, context->getSourceManager()))
      continue;
    before = &group;
    if (!context)
      pass(group);
    else if ((i + 1 < groups.size() &&
              isSaidAgain(group.main, groups[i + 1].main, context->getSourceManager())) ||
             isWithoutHeader ||
             isInBrokenFunction(group.functions, brokenTypes, context->getSourceManager()) ||
             isInCallOfHost(group.main))
      continue;
    else if (isOfSystemsCall(group.main, group.functions, context->getSourceManager()) ||
             callOfSystems(group.main, group.instances, context->getSourceManager()) ||
             (!ruleOf(group.main.id).empty() && llvm::any_of(group.functions, isTileCode)))
      heldForRules.push_back(group);
    else {
      release(group, *context);
      if (isCorrected(group.main) && group.main.location.isValid())
        corrected.insert(SpokenRules::lineOf(group.main.location, context->getSourceManager()));
    }
  }
  count();
}

void Explainer::releaseAfterRules(const ASTContext *context) {
  const SourceManager *sources = context ? &context->getSourceManager() : nullptr;
  bool isCallRefused = rules.haveRefusedCall() || llvm::any_of(said, [](const auto &one) {
                         return one.second == Row::CallOfHost;
                       });
  for (const Group &group : std::exchange(heldForRules, {}))
    if (const Instance *call =
            sources ? callOfSystems(group.main, group.instances, *sources) : nullptr;
        call && !isOfSystemsCall(group.main, group.functions, *sources)) {
      if (rules.refuseCallAt(call->location, *sources))
        continue;
      if (engine->hasFatalErrorOccurred()) // too many errors: the rules did not run
        say({Row::CallOfHost, call->location, {call->function->getNameAsString()}},
            group.main.level, *engine, target);
      else
        release(group, *context);
    } else if (!sources || !(isOfSystemsCall(group.main, group.functions, *sources)
                                 ? isCallRefused
                                 : rules.contains(group.main, *sources)))
      pass(group);
  rules = {};
  count();
}

} // namespace tessera::diagnose
