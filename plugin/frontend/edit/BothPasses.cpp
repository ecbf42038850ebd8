// Compares the passes' declarations, location by location, then decides what the code contains.
#include "frontend/edit/BothPasses.h"
#include "frontend/edit/Directives.h"
#include "frontend/edit/NameSearch.h"
#include "frontend/edit/PassContents.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/CompilerInstance.h"

#include <map>
#include <set>

using namespace clang;

namespace tessera::frontend {
namespace {

// The side on which a function in the code runs.
enum class Side { Host, Device, Both };

Side sideOf(const FunctionDecl *function) {
  bool isOnDevice = function->hasAttr<CUDADeviceAttr>() || isTile(function);
  if (function->hasAttr<CUDAGlobalAttr>() || isTileOnly(function) ||
      (isOnDevice && !function->hasAttr<CUDAHostAttr>()))
    return Side::Device;
  return isOnDevice || function->isConstexpr() ? Side::Both : Side::Host;
}

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
    for (auto &[location, edits] : files)
      view.push_back({location.first, location.second, host.text.sizeOf(location.first), edits});
    return view;
  }

private:
  bool isGone(const FunctionDecl *function) const {
    return target != Target::Cpu && isTileOnly(function);
  }

  void add(const FileLocation &location, size_t end, std::string text) {
    files[{location.file, location.inclusion}].push_back({location.offset, end, std::move(text)});
  }

  // A class differs if a member does.
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

  // The begin and end of a function of the host's pass, inside its braces.
  std::pair<FileLocation, FileLocation> inside(const Body &body) const {
    FileLocation begin = host.text.locationOf(compound(body.function)->getLBracLoc());
    ++begin.offset;
    return {begin, host.text.locationOf(compound(body.function)->getRBracLoc())};
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
      std::string middle = "__tessera_" + std::to_string(mine->getFunctionScopeIndex());
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
        " if (__tessera_on_device()) { " + labelsOf(own) + renamed + deviceLines(own, others) +
            (renamed.empty() ? "} else { " : "} } else { ") + labelsOf(others));
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
    for (auto &[location, own] : device.bodies) {
      auto found = host.bodies.find(location);
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

  void mergeDeclarations() {
    auto hosts = host.byLocation(), devices = device.byLocation();
    std::multimap<std::string, Declared *> alone; // of the host's pass only
    for (auto &[location, one] : hosts) {
      one->isMatched = devices.count(location) != 0;
      if (!one->isMatched)
        alone.emplace(host.keyOf(one->declaration), one);
    }
    for (auto &[location, one] : devices)
      one->isMatched = hosts.count(location) != 0;
    std::map<const Declared *, const Declared *> same;
    for (auto &[location, one] : devices)
      if (one->isMatched)
        same[one] = hosts[location];
    PassContents::forEach(device.declared, [&](Declared &one) {
      const FunctionDecl *function = functionOf(one.declaration);
      if (function && (isGone(function) || function->hasAttr<CUDAGlobalAttr>()))
        return false;
      if (!one.isMatched) {
        addDeclaration(one, alone);
        return false; // entirely
      }
      if (one.members.empty() && device.outline(one) != host.outline(*same.at(&one)))
        addDiffering(one.declaration);
      return true;
    });
  }

  void addDeclaration(const Declared &one, const std::multimap<std::string, Declared *> &alone) {
    const Body *body = device.bodyOf(one.declaration);
    if (body && host.bodies.count(device.text.locationOf(compound(body->function)->getLBracLoc())))
      return; // the passes differ only in its header
    auto [first, last] = alone.equal_range(device.keyOf(one.declaration));
    bool isDeclared = first != last;
    for (; first != last; ++first) {
      if (!functionOf(one.declaration)) {
        if (device.outline(one) != host.outline(*first->second))
          addDiffering(one.declaration);
        return;
      }
      const Body *others = host.bodyOf(first->second->declaration);
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
    // Before its possible users; after what it may use.
    bool isBehind = conditionsOfBodies.count(around->begin) != 0;
    const FileLocation &location = isBehind ? around->end : around->begin;
    size_t end = one.tokens.last + 1;
    add(location, location.offset,
        device.text.linesOf(one.tokens.first, end + device.text.isSemicolon(end),
                            isBehind ? around->lastLine : around->firstLine));
  }

  // Code that runs as device code must not use declarations that differ.
  void refuseWhatDiffers() {
    DeclarationSet computing = functionsOfConstants();
    spread(computing, /*inConstants=*/true);
    spread(differing, /*inConstants=*/false);
    if (differing.empty() && computing.empty())
      return;
    for (auto &[location, body] : device.bodies) {
      const FunctionDecl *function = body.function;
      if (sideOf(function) == Side::Host || isGone(function))
        continue;
      if (differing.contains(function->getCanonicalDecl()))
        failures.push_back(
            {function->getLocation(), Refusal::PassesDiffer, spellingOfName(function)});
      refuse(findName(function, differing), Refusal::PassesDiffer);
      refuse(findNameInConstants(function, computing), Refusal::ConstantsDiffer);
    }
  }

  // Functions with two bodies that constants may call, and their callers.
  DeclarationSet functionsOfConstants() {
    DeclarationSet computing;
    for (const Decl *function : twoBodied)
      if (functionOf(function)->isConstexpr())
        computing.insert(function);
    for (bool isDone = computing.empty(); !isDone;) {
      isDone = true;
      for (auto &[location, body] : device.bodies) {
        const Decl *caller = body.function->getCanonicalDecl();
        if (!body.function->isConstexpr() || computing.contains(caller))
          continue;
        if (findName(body.function, computing))
          isDone = !computing.insert(caller).second;
      }
    }
    return computing;
  }

  void refuse(const NameUse &use, Refusal reason) {
    if (use)
      failures.push_back({use.location, reason, spellingOfName(use.declaration)});
  }

  // A non-function that depends on a differing declaration differs.
  void spread(const DeclarationSet &from, bool inConstants) {
    for (bool isDone = from.empty(); !isDone;) {
      isDone = true;
      PassContents::forEach(device.declared, [&](Declared &one) {
        if (functionOf(one.declaration) || isa<NamespaceDecl, LinkageSpecDecl>(one.declaration) ||
            differing.contains(one.declaration->getCanonicalDecl()))
          return true;
        bool isMadeOfOne = bool(inConstants ? findNameInConstants(one.declaration, from)
                                            : findName(one.declaration, from));
        if (isMadeOfOne && differing.insert(one.declaration->getCanonicalDecl()).second)
          isDone = inConstants;
        return true;
      });
    }
  }

  const Pass &hostPass;
  PassContents device, host;
  const Target target;
  std::vector<RewriteFailure> &failures;
  DeclarationSet differing; // and the code contains the host's
  DeclarationSet twoBodied;
  std::set<FileLocation> conditionsOfBodies; // that guard functions with two bodies
  std::map<std::pair<std::string, unsigned>, std::vector<TextEdit>> files;
};

} // namespace

View viewOfBothPasses(const Pass &device, const Pass &host, Target target,
                      std::vector<RewriteFailure> &failures) {
  return Merger(device, host, target, failures).merge();
}

} // namespace tessera::frontend
