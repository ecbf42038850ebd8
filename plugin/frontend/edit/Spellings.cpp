// Locations are found in the tokens of a file; code from a macro stays an error.
#include "frontend/edit/Spellings.h"
#include "frontend/edit/FileTokens.h"
#include "frontend/edit/LaunchLists.h"
#include "frontend/edit/MissingSpecifiers.h"
#include "frontend/edit/RuntimeName.h"
#include "frontend/edit/TextEdits.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace clang;

namespace tessera::frontend {
namespace {

struct Functions : RecursiveASTVisitor<Functions> {
  explicit Functions(ASTContext &context) { TraverseDecl(context.getTranslationUnitDecl()); }

  std::vector<const FunctionDecl *> found;
  std::vector<const VarDecl *> staticLocals;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseDecl(Decl *declaration) {
    if (declaration && !isa<TranslationUnitDecl>(declaration)) {
      const SourceManager &sources = declaration->getASTContext().getSourceManager();
      if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) ||
          isTileLibrary(declaration))
        return true;
    }
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(FunctionDecl *function) { return found.push_back(function), true; }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->isStaticLocal())
      staticLocals.push_back(variable);
    return true;
  }
};

// The token that Clang uses as the name.
std::string nameToken(const FunctionDecl *function) {
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    return constructor->getParent()->getNameAsString();
  if (isa<CXXDestructorDecl>(function))
    return "~";
  return function->getDeclName().isIdentifier() ? function->getNameAsString() : "operator";
}

// `template <> int f<int>(int)` and `template int f<int>(int)` with the specifiers of a tile
// function of that name, unless they have some.
void changeSpecialization(Tokens tokens, SourceLocation location,
                          ArrayRef<const FunctionDecl *> all, const SourceManager &sources,
                          const LangOptions &options, std::vector<Change> &changes) {
  auto [before, behind] = splitAt(tokens, location);
  size_t start = before.size();
  while (start > 0 && !isWord(before[start - 1], "template"))
    if (before[--start].isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      return;
  if (start == 0 || behind.empty())
    return;
  if (start < before.size() && before[start].is(tok::less)) {
    if (start + 1 >= before.size() || before[start + 1].isNot(tok::greater))
      return; // a template: see MissingSpecifiers.h
    start += 2;
  }
  bool hasSpecifiers = llvm::any_of(before.drop_front(start), [](const Token &token) {
    return llvm::any_of(llvm::ArrayRef<StringRef>{"__tile__", "__host__", "__device__",
                                                  "__global__", "__tile_global__"},
                        [&](StringRef word) { return isWord(token, word); });
  });
  std::string name = Lexer::getSpelling(behind.front(), sources, options);
  auto *tile = llvm::find_if(all, [&](const FunctionDecl *function) {
    return isTile(function) && nameToken(function) == name;
  });
  if (!hasSpecifiers && tile != all.end())
    changes.push_back(
        {start < before.size() ? before[start].getLocation() : location, 0, specifiersOf(*tile)});
}

// Moves `[[...]]` around a location to the front of the function whose parameters precede it.
void moveAttribute(Tokens tokens, SourceLocation location, ArrayRef<const FunctionDecl *> all,
                   const SourceManager &sources, std::vector<Change> &changes) {
  auto [before, behind] = splitAt(tokens, location);
  size_t open = before.size();
  while (open >= 2 && !(before[open - 1].is(tok::l_square) && before[open - 2].is(tok::l_square)))
    --open;
  size_t close = 0;
  while (close + 1 < behind.size() &&
         !(behind[close].is(tok::r_square) && behind[close + 1].is(tok::r_square)))
    ++close;
  bool isTaken = llvm::any_of(behind.take_front(close), [](const Token &token) {
    return isWord(token, "hint") || isWord(token, "deprecated") || isWord(token, "nodiscard");
  });
  if (open < 2 || close + 1 >= behind.size() || !isTaken)
    return;
  SourceLocation begin = before[open - 2].getLocation();
  const FunctionDecl *nearest = nullptr;
  SourceLocation parenthesis;
  for (const FunctionDecl *function : all) {
    FunctionTypeLoc type = function->getFunctionTypeLoc();
    SourceLocation end = type ? type.getRParenLoc() : SourceLocation();
    if (!end.isFileID() || !sources.isWrittenInSameFile(end, begin) || begin < end ||
        (parenthesis.isValid() && end < parenthesis))
      continue;
    nearest = function;
    parenthesis = end;
  }
  auto *method = dyn_cast_or_null<CXXMethodDecl>(nearest);
  if (!nearest || (method && method->getParent()->isLambda()))
    return;
  auto [file, first] = sources.getDecomposedLoc(begin);
  unsigned last = sources.getFileOffset(behind[close + 1].getLocation()) + 1;
  StringRef text = sources.getBufferData(file).slice(first, last);
  changes.push_back({begin, last - first, blanksFor(text)});
  std::string moved = text.str() + " ";
  llvm::replace(moved, '\n', ' ');
  changes.push_back({sources.getExpansionLoc(nearest->getBeginLoc()), 0, moved});
}

// In a tile function, or in a lambda or a local class in one.
bool isOfTileCode(const VarDecl *variable) {
  for (const DeclContext *scope = variable->getDeclContext(); scope; scope = scope->getParent())
    if (auto *function = dyn_cast<FunctionDecl>(scope); function && isTile(function))
      return true;
  return false;
}

// The `__tile__ constexpr` functions at the locations and their callees of this kind, at each of
// their declarations.
class HostConstants : public RecursiveASTVisitor<HostConstants> {
public:
  HostConstants(ArrayRef<const FunctionDecl *> all, const std::set<SourceLocation> &locations) {
    for (const FunctionDecl *function : all)
      if (locations.count(function->getLocation()))
        add(function);
    for (size_t i = 0; i < wanted.size(); ++i) // grows
      if (const FunctionDecl *definition = wanted[i]; definition->isDefined(definition))
        TraverseDecl(const_cast<FunctionDecl *>(definition));
  }

  void change(const SourceManager &sources, std::vector<Change> &changes) const {
    std::set<SourceLocation> begins;
    for (const FunctionDecl *function : wanted)
      for (const FunctionDecl *declaration : function->redecls())
        if (SourceLocation begin = sources.getExpansionLoc(declaration->getInnerLocStart());
            begins.insert(begin).second)
          changes.push_back({begin, 0, "__host__ "});
  }

  bool VisitDeclRefExpr(DeclRefExpr *reference) { return add(reference->getDecl()); }
  bool VisitMemberExpr(MemberExpr *reference) { return add(reference->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *object) { return add(object->getConstructor()); }
  bool VisitOverloadExpr(OverloadExpr *reference) {
    for (const NamedDecl *found : reference->decls())
      add(found->getUnderlyingDecl());
    return true;
  }

private:
  bool add(const NamedDecl *declaration) {
    const FunctionDecl *function = declaration->getAsFunction();
    if (function && function->getTemplateInstantiationPattern())
      function = function->getTemplateInstantiationPattern();
    if (function && function->isConstexpr() && isTileOnly(function) && !isTileLibrary(function))
      wanted.insert(function->getCanonicalDecl());
    return true;
  }

  llvm::SmallSetVector<const FunctionDecl *, 4> wanted;
};

// After the name of an alias; after that of a class it is an error in nvcc, too, as in `float
// __restrict__ *p`.
bool isMisplacedRestrict(const clang::Diagnostic &diagnostic) {
  if (diagnostic.getArgKind(0) != DiagnosticsEngine::ak_qualtype)
    return false;
  QualType type = QualType::getFromOpaquePtr(
      // NOLINTNEXTLINE(performance-no-int-to-ptr): how a diagnostic holds a type
      reinterpret_cast<const void *>(static_cast<uintptr_t>(diagnostic.getRawArg(0))));
  if (!type->getAs<TypedefType>())
    return false;
  SourceLocation location = diagnostic.getLocation();
  return location.isFileID() ||
         (Lexer::isAtStartOfMacroExpansion(location, diagnostic.getSourceManager(),
                                           LangOptions()) &&
          Lexer::isAtEndOfMacroExpansion(location, diagnostic.getSourceManager(), LangOptions()));
}

// The start of a list among the arguments of a launch.
bool isListOfLaunch(const clang::Diagnostic &diagnostic) {
  const SourceManager &sources = diagnostic.getSourceManager();
  SourceLocation location =
      sources.getFileLoc(diagnostic.getLocation()); // in a macro's arguments, too
  if (*sources.getCharacterData(location) != '{')
    return false;
  LangOptions options;
  options.CUDA = options.CPlusPlus = options.CPlusPlus11 = true;
  return !launchAround(tokensOf(sources.getFileID(location), sources, options), location).empty();
}

} // namespace

std::optional<Form> formOf(const clang::Diagnostic &diagnostic) {
  SourceLocation location = diagnostic.getLocation();
  if (location.isInvalid())
    return {};
  auto inFile = [&](Form form) { return location.isFileID() ? std::optional(form) : std::nullopt; };
  switch (diagnostic.getID()) {
  case diag::err_typecheck_invalid_restrict_not_pointer:
    return isMisplacedRestrict(diagnostic) ? std::optional(Form::Restrict) : std::nullopt;
  case diag::err_function_template_spec_no_match:
  case diag::err_explicit_instantiation_not_known:
  case diag::err_member_decl_does_not_match: return inFile(Form::Specialization);
  case diag::err_attribute_not_type_attr: return inFile(Form::Attribute);
  case diag::err_ref_bad_target_global_initializer: return inFile(Form::StaticLocal);
  case diag::err_redefinition_different_kind:
  case diag::err_redefinition:
  case diag::err_ambiguous_reference:
    return isAboutRuntimeName(diagnostic) ? std::optional(Form::RuntimeName) : std::nullopt;
  case diag::err_expected_expression:
    return isListOfLaunch(diagnostic) ? std::optional(Form::Launch) : std::nullopt;
  default: return {};
  }
}

bool isInitializingForHost(Sema &sema) {
  const auto &context = sema.CUDA().CurCUDATargetCtx;
  return context.Kind == SemaCUDA::CTCK_InitGlobalVar && context.Target == CUDAFunctionTarget::Host;
}

bool isNoteOfSpace(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() == diag::note_ovl_candidate_bad_target;
}

std::vector<Change> changesFor(Form form, const std::set<SourceLocation> &locations,
                               ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const LangOptions &options = context.getLangOpts();
  std::vector<Change> changes;
  if (locations.empty())
    return changes;
  if (form == Form::Restrict) {
    for (SourceLocation location : locations)
      if (unsigned length = Lexer::MeasureTokenLength(location, sources, options))
        changes.push_back({location, length, std::string(length, ' ')});
    return changes;
  }
  if (form == Form::RuntimeName) {
    changeRuntimeName(sources, options, changes);
    return changes;
  }
  Functions functions(context);
  if (form == Form::HostConstant) {
    HostConstants(functions.found, locations).change(sources, changes);
    return changes;
  }
  std::map<FileID, std::vector<Token>> files;
  std::set<unsigned> launches; // changed; a launch may have several errors
  for (SourceLocation location : locations) {
    auto [entry, isNew] = files.try_emplace(sources.getFileID(location));
    if (isNew)
      entry->second = tokensOf(entry->first, sources, options);
    Tokens tokens = entry->second;
    switch (form) {
    case Form::Launch:
      if (Tokens launch = launchAround(tokens, location);
          !launch.empty() && launches.insert(launch[0].getLocation().getRawEncoding()).second)
        changeLaunch(launch, changes);
      break;
    case Form::Specialization:
      changeSpecialization(tokens, location, functions.found, sources, options, changes);
      break;
    case Form::Attribute: moveAttribute(tokens, location, functions.found, sources, changes); break;
    default:
      if (llvm::any_of(functions.staticLocals, [&](const VarDecl *variable) {
            return variable->getLocation() == location && isOfTileCode(variable);
          }))
        changes.push_back({location, 0, "__tile__ "});
    }
  }
  return changes;
}

} // namespace tessera::frontend
