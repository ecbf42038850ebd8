// Compares what the passes declare, place by place, then says what the text gets.
#include "frontend/BothPasses.h"
#include "frontend/Attributes.h"
#include "frontend/Directives.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"

#include <map>
#include <set>

using namespace clang;

namespace tessera::frontend {
namespace {

using Range = PassText::Range;

// Where a function runs that is in the text.
enum class Side { Host, Device, Both };

Side sideOf(const FunctionDecl *function) {
  bool isOnDevice = function->hasAttr<CUDADeviceAttr>() || isTile(function);
  if (function->hasAttr<CUDAGlobalAttr>() || isTileOnly(function) ||
      (isOnDevice && !function->hasAttr<CUDAHostAttr>()))
    return Side::Device;
  return isOnDevice || function->isConstexpr() ? Side::Both : Side::Host;
}

const FunctionDecl *functionOf(const Decl *declaration) {
  return const_cast<Decl *>(declaration)->getAsFunction();
}

// A body as it is written, of a function, a member or a lambda.
struct Body {
  const FunctionDecl *function;
  Range tokens; // its braces among them
  std::vector<std::string> labels;
  bool isOfMacro;
};

struct LabelFinder : RecursiveASTVisitor<LabelFinder> {
  std::vector<std::string> found;
  bool VisitLabelStmt(LabelStmt *label) {
    found.push_back(label->getName());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
};

// A declaration of a namespace or a class.
struct Declared {
  const Decl *declaration;
  Range tokens;
  bool isMatched = false;             // the other pass has it in the same place
  std::vector<Declared> members = {}; // of namespaces and classes
};

// A place, and which of the declarations that a macro makes there.
using DeclPlace = std::pair<FilePlace, unsigned>;

class PassContents : public RecursiveASTVisitor<PassContents> {
public:
  explicit PassContents(const Pass &pass) : text(pass) {
    ASTContext &context = pass.compiler.getASTContext();
    TraverseDecl(context.getTranslationUnitDecl());
    for (auto &[place, body] : bodies)
      bodyRanges.push_back(body.tokens);
    declared = membersOf(context.getTranslationUnitDecl());
  }

  bool TraverseDecl(Decl *declaration) {
    return !declaration || (!isa<TranslationUnitDecl>(declaration) && !text.isUsers(declaration)) ||
           RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->doesThisDeclarationHaveABody() && !function->isDefaulted())
      addBody(function);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    addBody(lambda->getCallOperator());
    return true;
  }

  std::string spellingOfName(const Decl *declaration) const {
    auto *named = dyn_cast<NamedDecl>(declaration);
    return named ? named->getQualifiedNameAsString() : std::string();
  }
  // What a declaration of the other pass is the same thing by.
  std::string keyOf(const Decl *declaration) const {
    std::string key = spellingOfName(declaration);
    if (const FunctionDecl *function = functionOf(declaration)) {
      key += " " + function->getType().getCanonicalType().getAsString();
      if (const TemplateDecl *pattern = function->getDescribedTemplate())
        key += " <" + std::to_string(pattern->getTemplateParameters()->size());
    }
    return key;
  }
  std::vector<std::string> outline(const Declared &one) const {
    return text.outline(one.tokens, bodyRanges);
  }

  PassText text;
  std::map<FilePlace, Body> bodies;
  std::vector<Declared> declared;
  std::map<DeclPlace, Declared *> byPlace() {
    std::map<DeclPlace, Declared *> places;
    std::map<FilePlace, unsigned> counts;
    addPlaces(declared, places, counts);
    return places;
  }
  template <class Visit> static void forEach(std::vector<Declared> &list, Visit visit) {
    for (Declared &one : list)
      if (visit(one))
        forEach(one.members, visit);
  }

private:
  void addBody(const FunctionDecl *function) {
    auto *body = dyn_cast_or_null<CompoundStmt>(function->getBody());
    auto range = body ? text.find({body->getLBracLoc(), body->getRBracLoc()}) : std::nullopt;
    if (!range)
      return;
    LabelFinder labels;
    labels.TraverseStmt(const_cast<CompoundStmt *>(body));
    bodies.try_emplace(text.placeOf(body->getLBracLoc()),
                       Body{function, *range, std::move(labels.found),
                            body->getLBracLoc().isMacroID() || body->getRBracLoc().isMacroID()});
  }

  std::vector<Declared> membersOf(const DeclContext *context) {
    std::vector<Declared> members;
    for (const Decl *each : context->decls()) {
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

  // With the template's parameters of the classes around a member's template.
  static SourceLocation beginOf(const Decl *declaration) {
    const FunctionDecl *function = functionOf(declaration);
    return function && function->getNumTemplateParameterLists() ? function->getOuterLocStart()
                                                                : declaration->getBeginLoc();
  }

  void addPlaces(std::vector<Declared> &list, std::map<DeclPlace, Declared *> &places,
                 std::map<FilePlace, unsigned> &counts) {
    for (Declared &one : list) {
      FilePlace place = text.placeOf(one.declaration->getLocation());
      places[{place, counts[place]++}] = &one;
      addPlaces(one.members, places, counts);
    }
  }

  std::vector<Range> bodyRanges;
};

// Whether something names one of the declarations; and whether it computes a constant by one of the
// functions.
class Names : public RecursiveASTVisitor<Names> {
public:
  using Set = llvm::DenseSet<const Decl *>;
  Names(const Set &wanted, bool inConstants) : wanted(wanted), inConstants(inConstants) {}

  const NamedDecl *found = nullptr;
  SourceLocation place;

  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseConstantExpr(ConstantExpr *constant) {
    ++constants;
    RecursiveASTVisitor::TraverseConstantExpr(constant);
    --constants;
    return true;
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &argument) {
    ++constants;
    RecursiveASTVisitor::TraverseTemplateArgumentLoc(argument);
    --constants;
    return true;
  }
  bool TraverseStaticAssertDecl(StaticAssertDecl *assertion) {
    ++constants;
    RecursiveASTVisitor::TraverseStaticAssertDecl(assertion);
    --constants;
    return true;
  }
  bool TraverseVarDecl(VarDecl *variable) {
    bool isConstant =
        variable->isConstexpr() || (variable->getType().isConstQualified() &&
                                    variable->getType()->isIntegralOrEnumerationType());
    constants += isConstant;
    RecursiveASTVisitor::TraverseVarDecl(variable);
    constants -= isConstant;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    return see(reference->getDecl(), reference->getLocation());
  }
  bool VisitMemberExpr(MemberExpr *reference) {
    return see(reference->getMemberDecl(), reference->getMemberLoc());
  }
  bool VisitOverloadExpr(OverloadExpr *reference) {
    for (const NamedDecl *each : reference->decls())
      see(each->getUnderlyingDecl(), reference->getNameLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    return see(construction->getConstructor(), construction->getLocation());
  }
  bool VisitTypeLoc(TypeLoc type) {
    if (auto *alias = type.getType()->getAs<TypedefType>())
      see(alias->getDecl(), type.getBeginLoc());
    if (auto *instance = type.getType()->getAs<TemplateSpecializationType>())
      see(instance->getTemplateName().getAsTemplateDecl(), type.getBeginLoc());
    return see(type.getType()->getAsTagDecl(), type.getBeginLoc());
  }

private:
  bool see(const NamedDecl *declaration, SourceLocation location) {
    if (!declaration || found || (inConstants && constants == 0))
      return true;
    const Decl *written = declaration->getCanonicalDecl();
    if (const FunctionDecl *function = functionOf(written))
      if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern(false))
        written = pattern->getCanonicalDecl();
    if (wanted.contains(written)) {
      found = declaration;
      place = location;
    }
    return true;
  }

  const Set &wanted;
  const bool inConstants;
  unsigned constants = 0; // that this is within
};

class Merger {
public:
  Merger(const Pass &devicePass, const Pass &hostPass, Target target,
         std::vector<RewriteFailure> &failures)
      : hostPass(hostPass), device(devicePass), host(hostPass), target(target), failures(failures) {
  }

  View merge() {
    mergeBodies();
    mergeDeclarations();
    refuseWhatDiffers();
    View view;
    for (auto &[place, edits] : files)
      view.push_back({place.first, place.second, host.text.sizeOf(place.first), edits});
    return view;
  }

private:
  bool isGone(const FunctionDecl *function) const {
    return target != Target::Cpu && isTileOnly(function);
  }

  void add(const FilePlace &place, size_t end, std::string text) {
    files[{place.file, place.inclusion}].push_back({place.offset, end, std::move(text)});
  }

  // A class differs with its members.
  void addDiffering(const Decl *declaration) {
    differing.insert(declaration->getCanonicalDecl());
    if (isa<FieldDecl>(declaration))
      differing.insert(cast<Decl>(declaration->getDeclContext())->getCanonicalDecl());
  }

  static const CompoundStmt *compound(const FunctionDecl *function) {
    return cast<CompoundStmt>(function->getBody());
  }

  static std::string labelsOf(const Body &body) {
    std::string text;
    for (const std::string &label : body.labels)
      text += "__label__ " + label + "; ";
    return text;
  }

  // Where a function of the host's pass begins and ends: behind its braces, before them.
  std::pair<FilePlace, FilePlace> inside(const Body &body) const {
    FilePlace begin = host.text.placeOf(compound(body.function)->getLBracLoc());
    ++begin.offset;
    return {begin, host.text.placeOf(compound(body.function)->getRBracLoc())};
  }

  std::string deviceLines(const Body &own, const Body &others) const {
    return device.text.linesOf(own.tokens.first + 1, own.tokens.last,
                               host.text.lineOf(compound(others.function)->getLBracLoc()));
  }

  // Parameters may have other names in the other pass.
  static std::string renameParameters(const FunctionDecl *own, const FunctionDecl *others) {
    std::string outer, inner;
    for (auto [mine, given] : llvm::zip(own->parameters(), others->parameters())) {
      if (mine->getName() == given->getName() || mine->getName().empty() ||
          given->getName().empty())
        continue;
      std::string middle = "tessera_" + std::to_string(mine->getFunctionScopeIndex());
      outer += "auto &" + middle + " = " + given->getName().str() + "; ";
      inner += "auto &" + mine->getName().str() + " = " + middle + "; ";
    }
    return outer.empty() ? "" : outer + "{ " + inner;
  }

  void giveTwoBodies(const Body &own, const Body &others) {
    if (own.isOfMacro || others.isOfMacro || !returnAlike(own.function, others.function))
      return (void)differing.insert(own.function->getCanonicalDecl());
    std::string renamed = renameParameters(own.function, others.function);
    auto [begin, end] = inside(others);
    add(begin, begin.offset,
        " if (::tessera::host::on_device()) { " + labelsOf(own) + renamed +
            deviceLines(own, others) + (renamed.empty() ? "} else { " : "} } else { ") +
            labelsOf(others));
    add(end, end.offset, "}");
    twoBodied.insert(own.function->getCanonicalDecl());
  }

  static bool returnAlike(const FunctionDecl *own, const FunctionDecl *others) {
    QualType mine = own->getReturnType(), given = others->getReturnType();
    return mine->isDependentType() || given->isDependentType() || mine->isUndeducedAutoType() ||
           given->isUndeducedAutoType() ||
           mine.getCanonicalType().getAsString() == given.getCanonicalType().getAsString();
  }

  void giveDeviceBody(const Body &own, const Body &others) {
    if (own.isOfMacro || others.isOfMacro)
      return (void)differing.insert(own.function->getCanonicalDecl());
    auto [begin, end] = inside(others);
    const SourceManager &sources = hostPass.compiler.getSourceManager();
    FileID file = sources.getFileID(compound(others.function)->getLBracLoc());
    add(begin, end.offset,
        deviceLines(own, others) + linesBetween(sources.getBufferData(file), begin.offset,
                                                end.offset, hostPass.compiler.getLangOpts()));
  }

  void mergeBodies() {
    for (auto &[place, own] : device.bodies) {
      auto found = host.bodies.find(place);
      if (found == host.bodies.end() || isGone(own.function) ||
          device.text.hasSame(own.tokens, host.text, found->second.tokens))
        continue;
      switch (sideOf(own.function)) {
      case Side::Host: break;
      case Side::Device: giveDeviceBody(own, found->second); break;
      case Side::Both: giveTwoBodies(own, found->second); break;
      }
    }
  }

  const Body *bodyOf(const PassContents &contents, const Decl *declaration) const {
    const FunctionDecl *function = functionOf(declaration);
    auto *body = function && function->doesThisDeclarationHaveABody()
                     ? dyn_cast_or_null<CompoundStmt>(function->getBody())
                     : nullptr;
    if (!body)
      return nullptr;
    auto found = contents.bodies.find(contents.text.placeOf(body->getLBracLoc()));
    return found == contents.bodies.end() ? nullptr : &found->second;
  }

  void mergeDeclarations() {
    auto hosts = host.byPlace(), devices = device.byPlace();
    std::multimap<std::string, Declared *> alone; // of the host's pass
    for (auto &[place, one] : hosts) {
      one->isMatched = devices.count(place) != 0;
      if (!one->isMatched)
        alone.emplace(host.keyOf(one->declaration), one);
    }
    for (auto &[place, one] : devices)
      one->isMatched = hosts.count(place) != 0;
    std::map<const Declared *, const Declared *> same;
    for (auto &[place, one] : devices)
      if (one->isMatched)
        same[one] = hosts[place];
    PassContents::forEach(device.declared, [&](Declared &one) {
      const FunctionDecl *function = functionOf(one.declaration);
      if (function && (isGone(function) || function->hasAttr<CUDAGlobalAttr>()))
        return false;
      if (!one.isMatched) {
        addDeclaration(one, alone);
        return false; // as a whole
      }
      if (one.members.empty() && device.outline(one) != host.outline(*same.at(&one)))
        addDiffering(one.declaration);
      return true;
    });
  }

  void addDeclaration(const Declared &one, const std::multimap<std::string, Declared *> &alone) {
    const Body *body = bodyOf(device, one.declaration);
    if (body && host.bodies.count(device.text.placeOf(compound(body->function)->getLBracLoc())))
      return; // the passes differ in its header alone
    auto [first, last] = alone.equal_range(device.keyOf(one.declaration));
    bool isDeclared = first != last;
    for (; first != last; ++first) {
      if (!functionOf(one.declaration)) {
        if (device.outline(one) != host.outline(*first->second))
          addDiffering(one.declaration);
        return;
      }
      const Body *others = bodyOf(host, first->second->declaration);
      if (!body || !others)
        continue;
      if (auto around = device.text.conditionAround(one.declaration->getLocation(), host.text))
        conditionsOfBodies.insert(around->begin);
      return giveTwoBodies(*body, *others);
    }
    if (isDeclared && !body)
      return;
    if (isa<FieldDecl>(one.declaration))
      return addDiffering(one.declaration);
    auto around = device.text.conditionAround(one.declaration->getLocation(), host.text);
    if (!around)
      return;
    // Before what may name it; behind what it may name.
    bool isBehind = conditionsOfBodies.count(around->begin) != 0;
    const FilePlace &place = isBehind ? around->end : around->begin;
    size_t end = one.tokens.last + 1;
    add(place, place.offset,
        device.text.linesOf(one.tokens.first, end + device.text.isSemicolon(end),
                            isBehind ? around->lastLine : around->firstLine));
  }

  // What runs as device code in the text must not name what is the host's there.
  void refuseWhatDiffers() {
    Names::Set computing = functionsOfConstants();
    spread(computing, /*inConstants=*/true);
    spread(differing, /*inConstants=*/false);
    if (differing.empty() && computing.empty())
      return;
    for (auto &[place, body] : device.bodies) {
      const FunctionDecl *function = body.function;
      if (sideOf(function) == Side::Host || isGone(function))
        continue;
      if (differing.contains(function->getCanonicalDecl()))
        failures.push_back(
            {function->getLocation(), Refusal::PassesDiffer, device.spellingOfName(function)});
      refuseNames(function, differing, /*inConstants=*/false, Refusal::PassesDiffer);
      refuseNames(function, computing, /*inConstants=*/true, Refusal::ConstantsDiffer);
    }
  }

  // Those of two bodies that constants may call, and their callers.
  Names::Set functionsOfConstants() {
    Names::Set computing;
    for (const Decl *function : twoBodied)
      if (functionOf(function)->isConstexpr())
        computing.insert(function);
    for (bool isDone = computing.empty(); !isDone;) {
      isDone = true;
      for (auto &[place, body] : device.bodies) {
        const Decl *caller = body.function->getCanonicalDecl();
        if (!body.function->isConstexpr() || computing.contains(caller))
          continue;
        Names names(computing, /*inConstants=*/false);
        names.TraverseDecl(const_cast<FunctionDecl *>(body.function));
        if (names.found)
          isDone = !computing.insert(caller).second;
      }
    }
    return computing;
  }

  void refuseNames(const FunctionDecl *function, const Names::Set &set, bool inConstants,
                   Refusal reason) {
    Names names(set, inConstants);
    names.TraverseDecl(const_cast<FunctionDecl *>(function));
    if (names.found)
      failures.push_back({names.place, reason, device.spellingOfName(names.found)});
  }

  // What is not a function and is made of one that differs, differs.
  void spread(const Names::Set &from, bool inConstants) {
    for (bool isDone = from.empty(); !isDone;) {
      isDone = true;
      PassContents::forEach(device.declared, [&](Declared &one) {
        if (functionOf(one.declaration) || isa<NamespaceDecl, LinkageSpecDecl>(one.declaration) ||
            differing.contains(one.declaration->getCanonicalDecl()))
          return true;
        Names names(from, inConstants);
        names.TraverseDecl(const_cast<Decl *>(one.declaration));
        if (names.found && differing.insert(one.declaration->getCanonicalDecl()).second)
          isDone = inConstants;
        return true;
      });
    }
  }

  const Pass &hostPass;
  PassContents device, host;
  const Target target;
  std::vector<RewriteFailure> &failures;
  Names::Set differing; // and the host's is in the text
  Names::Set twoBodied;
  std::set<FilePlace> conditionsOfBodies; // that hide functions of two bodies
  std::map<std::pair<std::string, unsigned>, std::vector<TextEdit>> files;
};

} // namespace

View viewOfBothPasses(const Pass &device, const Pass &host, Target target,
                      std::vector<RewriteFailure> &failures) {
  return Merger(device, host, target, failures).merge();
}

} // namespace tessera::frontend
