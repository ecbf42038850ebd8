// One walk for all bodies; the declarations by their scopes.
#include "frontend/edit/PassContents.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"

#include <functional>

using namespace clang;

namespace tessera::frontend {
namespace {

struct LabelFinder : RecursiveASTVisitor<LabelFinder> {
  std::vector<std::string> found;
  bool VisitLabelStmt(LabelStmt *label) {
    found.push_back(label->getName());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
};

// Visits each function of the program with a body as written.
struct BodyFinder : RecursiveASTVisitor<BodyFinder> {
  BodyFinder(const PassText &text, std::function<void(const FunctionDecl *)> add)
      : text(text), add(std::move(add)) {}

  bool TraverseDecl(Decl *declaration) {
    return !declaration || (!isa<TranslationUnitDecl>(declaration) && !text.isUsers(declaration)) ||
           RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->doesThisDeclarationHaveABody() && !function->isDefaulted())
      add(function);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    add(lambda->getCallOperator());
    return true;
  }

  const PassText &text;
  std::function<void(const FunctionDecl *)> add;
};

// With the template parameters of the classes around a member template.
SourceLocation beginOf(const Decl *declaration) {
  const FunctionDecl *function = functionOf(declaration);
  return function && function->getNumTemplateParameterLists() ? function->getOuterLocStart()
                                                              : declaration->getBeginLoc();
}

} // namespace

const FunctionDecl *functionOf(const Decl *declaration) {
  return const_cast<Decl *>(declaration)->getAsFunction();
}

std::string spellingOfName(const Decl *declaration) {
  auto *named = dyn_cast<NamedDecl>(declaration);
  return named ? named->getQualifiedNameAsString() : std::string();
}

PassContents::PassContents(const Pass &pass) : text(pass) {
  TranslationUnitDecl *unit = pass.compiler.getASTContext().getTranslationUnitDecl();
  BodyFinder(text, [this](const FunctionDecl *function) { addBody(function); }).TraverseDecl(unit);
  for (auto &[location, body] : bodies)
    bodyRanges.push_back(body.tokens);
  declared = membersOf(unit);
}

std::string PassContents::keyOf(const Decl *declaration) const {
  std::string key = spellingOfName(declaration);
  if (const FunctionDecl *function = functionOf(declaration)) {
    key += " " + function->getType().getCanonicalType().getAsString();
    if (const TemplateDecl *pattern = function->getDescribedTemplate())
      key += " <" + std::to_string(pattern->getTemplateParameters()->size());
  }
  return key;
}

const Body *PassContents::bodyOf(const Decl *declaration) const {
  const FunctionDecl *function = functionOf(declaration);
  auto *body = function && function->doesThisDeclarationHaveABody()
                   ? dyn_cast_or_null<CompoundStmt>(function->getBody())
                   : nullptr;
  if (!body)
    return nullptr;
  auto found = bodies.find(text.locationOf(body->getLBracLoc()));
  return found == bodies.end() ? nullptr : &found->second;
}

std::map<DeclLocation, Declared *> PassContents::byLocation() {
  std::map<DeclLocation, Declared *> locations;
  std::map<FileLocation, unsigned> counts;
  addLocations(declared, locations, counts);
  return locations;
}

void PassContents::addBody(const FunctionDecl *function) {
  auto *body = dyn_cast_or_null<CompoundStmt>(function->getBody());
  auto range = body ? text.find({body->getLBracLoc(), body->getRBracLoc()}) : std::nullopt;
  if (!range)
    return;
  LabelFinder labels;
  labels.TraverseStmt(const_cast<CompoundStmt *>(body));
  bodies.try_emplace(text.locationOf(body->getLBracLoc()),
                     Body{function, *range, std::move(labels.found),
                          body->getLBracLoc().isMacroID() || body->getRBracLoc().isMacroID()});
}

std::vector<Declared> PassContents::membersOf(const DeclContext *context) const {
  std::vector<Declared> members;
  for (const Decl *each : context->noload_decls()) { // none of the program is in a file of Clang's
    auto range = each->isImplicit() || isa<AccessSpecDecl>(each) || !text.isUsers(each)
                     ? std::nullopt
                     : text.find({beginOf(each), each->getEndLoc()});
    if (!range)
      continue;
    const DeclContext *inner = dyn_cast<DeclContext>(each);
    if (auto *pattern = dyn_cast<ClassTemplateDecl>(each))
      inner = pattern->getTemplatedDecl();
    bool hasMembers = isa<NamespaceDecl, LinkageSpecDecl>(each) ||
                      (inner && isa<CXXRecordDecl>(Decl::castFromDeclContext(inner)));
    members.push_back({each, *range, false, {}});
    if (hasMembers)
      members.back().members = membersOf(inner);
  }
  return members;
}

void PassContents::addLocations(std::vector<Declared> &list,
                                std::map<DeclLocation, Declared *> &locations,
                                std::map<FileLocation, unsigned> &counts) const {
  for (Declared &one : list) {
    FileLocation location = text.locationOf(one.declaration->getLocation());
    locations[{location, counts[location]++}] = &one;
    addLocations(one.members, locations, counts);
  }
}

} // namespace tessera::frontend
