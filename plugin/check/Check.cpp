// The declarations that the rules apply to: those of the user, as instantiated if they are
// templates.
#include "check/Check.h"
#include "check/Rules.h"
#include "check/Spaces.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/Hints.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace tessera::check {
namespace {

class Walk : public RecursiveASTVisitor<Walk> {
public:
  Walk(ASTContext &context, const Options &options)
      : context(context), sources(context.getSourceManager()),
        allowsExtensions(options.allowsExtensions),
        isSeenByDevice(context, options.conditionalsOfHost),
        report(context, options.allowsExtensions, options.wantsWarnings) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *declaration) {
    if (declaration && !isa<TranslationUnitDecl>(declaration) &&
        sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) &&
        !leadsToTileCode(declaration))
      return true;
    if (declaration && frontend::isTileLibrary(declaration))
      return true; // its headers look like the user's if their folder is given by -I
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitFunctionDecl(FunctionDecl *function) {
    report.setInstance(nullptr);
    if (function->isMain() && frontend::isTile(function))
      report(function->getLocation(), Id::MainIsTile);
    if (frontend::isTileKernel(function) && !function->isTemplateInstantiation())
      checkKernel(function, report);
    else if (frontend::isTileKernel(function))
      checkKernelInstance(function, report);
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext())
      return true;
    if (auto *method = dyn_cast<CXXMethodDecl>(function); method && method->getParent()->isLambda())
      return true; // part of the enclosing body
    report.setInstance(function->isTemplateInstantiation() ? function : nullptr);
    if (isTileCode(function)) {
      checkOverloads(function, report);
      checkTileBody(function, report, isSeenByDevice, lent, unchecked);
      checkSuspects(function, report);
      recursion.addCalls(function);
    } else {
      checkOtherBody(function, report, isSeenByDevice, unchecked);
    }
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (frontend::isTile(variable))
      checkMark(variable, report);
    if (!variable->hasGlobalStorage() || variable->getType()->isDependentType())
      return true;
    auto *function = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
    if (frontend::isTile(variable) || (function && isTileCode(function)))
      checkTileVariable(variable, report);
    return true;
  }

  bool VisitAnnotateAttr(AnnotateAttr *annotation) {
    if (auto fault = frontend::hintFaultOf(annotation))
      report(annotation->getLocation(), Id::Hint, unsigned(*fault),
             frontend::nameInHintFault(annotation));
    for (const frontend::UnknownHint &one : frontend::unknownHintsOf(annotation, context))
      if (one.meant.empty())
        report(one.location.getBegin(), Id::UnknownHint, one.name, 1, "");
      else
        report(one.location.getBegin(), Id::UnknownHint, one.name, 0, one.meant,
               FixItHint::CreateReplacement(one.location, one.meant));
    return true;
  }
  bool VisitAttributedStmt(AttributedStmt *statement) {
    for (const Attr *attribute : statement->getAttrs())
      if (auto *annotation = dyn_cast<AnnotateAttr>(attribute))
        VisitAnnotateAttr(const_cast<AnnotateAttr *>(annotation));
    return true;
  }

  void finish() {
    checkLentFunctions();
    unchecked.finish(recursion, report);
    if (!allowsExtensions)
      recursion.finish(report);
  }

private:
  // Libraries may have tile code, too. Code that they share between host, device and tile code is
  // not reported.
  static bool leadsToTileCode(const Decl *declaration) {
    if (const FunctionDecl *function = declaration->getAsFunction())
      return frontend::isTileOnly(function);
    return isa<NamespaceDecl, LinkageSpecDecl>(declaration);
  }

  // As part of tile code they follow its rules. Library functions are left to later stages.
  void checkLentFunctions() {
    for (size_t i = 0; i < lent.size(); ++i) // grows
      if (const FunctionDecl *body = lent[i]->getDefinition();
          body && !sources.isInSystemHeader(sources.getExpansionLoc(body->getLocation())))
        checkTileBody(body, report, isSeenByDevice, lent, unchecked);
  }

  const ASTContext &context;
  const SourceManager &sources;
  bool allowsExtensions;
  SeenByDevice isSeenByDevice;
  Reporter report;
  LentFunctions lent;
  RecursionRule recursion;
  UncheckedRule unchecked;
};

class Recorder : public PPCallbacks {
public:
  explicit Recorder(std::shared_ptr<Conditionals> ranges) : ranges(std::move(ranges)) {}
  void Endif(SourceLocation end, SourceLocation begin) override {
    ranges->emplace_back(begin, end);
  }

private:
  std::shared_ptr<Conditionals> ranges;
};

class Consumer : public ASTConsumer {
public:
  explicit Consumer(const Options &options) : options(options) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (options.isPreambleChecked)
      llvm::copy_if(group, std::back_inserter(own), isOfThisParse);
    return true;
  }

  void HandleTranslationUnit(ASTContext &context) override {
    Walk walk(context, options);
    if (options.isPreambleChecked)
      for (Decl *declaration : own)
        walk.TraverseDecl(declaration);
    else
      walk.TraverseDecl(context.getTranslationUnitDecl());
    walk.finish();
  }

private:
  // Instances of the parse's own templates are visited with their templates.
  static bool isOfThisParse(const Decl *declaration) {
    if (declaration->isFromASTFile())
      return false;
    auto *function = dyn_cast<FunctionDecl>(declaration);
    const FunctionDecl *pattern = function ? function->getTemplateInstantiationPattern() : nullptr;
    return !pattern || pattern->isFromASTFile();
  }

  Options options;
  std::vector<Decl *> own;
};

} // namespace

std::shared_ptr<const Conditionals> recordConditionals(Preprocessor &preprocessor) {
  auto ranges = std::make_shared<Conditionals>();
  preprocessor.addPPCallbacks(std::make_unique<Recorder>(ranges));
  return ranges;
}

std::unique_ptr<ASTConsumer> makeConsumer(const Options &options) {
  return std::make_unique<Consumer>(options);
}

} // namespace tessera::check
