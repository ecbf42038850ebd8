// In overload resolution, a function for host and device may call either, preferring its own side:
// during a substitution the enclosing function temporarily becomes one.
#include "frontend/parse/SubstitutedSpaces.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace clang;

namespace tessera::frontend {
namespace {

using Substitution = Sema::CodeSynthesisContext;

// Not the instantiation of a function's body, which is evaluated code.
bool isOfOperands(const Substitution &substitution) {
  switch (substitution.Kind) {
  case Substitution::TemplateInstantiation:
    return isa_and_nonnull<TypeAliasTemplateDecl>(substitution.Entity);
  case Substitution::DefaultTemplateArgumentInstantiation:
  case Substitution::ExplicitTemplateArgumentSubstitution:
  case Substitution::DeducedTemplateArgumentSubstitution:
  case Substitution::PriorTemplateArgumentSubstitution:
  case Substitution::RequirementInstantiation:
  case Substitution::NestedRequirementConstraintsCheck:
  case Substitution::ConstraintsCheck:
  case Substitution::ConstraintSubstitution:
  case Substitution::RequirementParameterInstantiation:
  case Substitution::ParameterMappingSubstitution:
  case Substitution::TypeAliasTemplateInstantiation: return true;
  default: return false;
  }
}

bool isTileCode(const FunctionDecl *function) {
  for (const DeclContext *scope = function; scope; scope = scope->getParent())
    if (auto *around = dyn_cast<FunctionDecl>(scope); around && isTile(around))
      return true;
  return false;
}

class Callback : public TemplateInstantiationCallback {
public:
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &sema, const Substitution &substitution) override {
    lent.emplace_back();
    if (isOfOperands(substitution))
      lend(sema.getCurFunctionDecl(/*AllowLambda=*/true));
  }
  void atTemplateEnd(const Sema &, const Substitution &) override {
    if (lent.empty())
      return; // began before this object existed
    Lent last = lent.pop_back_val();
    if (last.attributes)
      last.attributes->pop_back();
    if (last.kernel)
      *last.kernel = last.global;
  }

private:
  // The attributes of the function, the last of which is new; for a kernel, its kernel attribute.
  // They stay in place: Clang may be iterating over them.
  struct Lent {
    AttrVec *attributes = nullptr;
    Attr **kernel = nullptr, *global = nullptr;
  };

  void lend(FunctionDecl *function) {
    if (!function || !function->hasAttrs() || function->hasAttr<CUDAHostAttr>() ||
        !isTileCode(function))
      return; // also by an enclosing substitution
    AttrVec &attributes = function->getAttrs();
    if (attributes.size() == attributes.capacity())
      return;
    if (!host) {
      host = CUDAHostAttr::CreateImplicit(function->getASTContext());
      device = CUDADeviceAttr::CreateImplicit(function->getASTContext());
    }
    Lent &one = lent.back();
    for (Attr *&attribute : attributes)
      if (isa<CUDAGlobalAttr>(attribute)) {
        one.kernel = &attribute;
        one.global = std::exchange(attribute, device);
      }
    one.attributes = &attributes;
    attributes.push_back(host);
  }

  Attr *host = nullptr, *device = nullptr;
  SmallVector<Lent> lent; // by each active substitution
};

} // namespace

void allowOtherSpacesInSubstitution(Sema &sema) {
  if (sema.TemplateInstCallbacks.empty())
    sema.TemplateInstCallbacks.push_back(std::make_unique<Callback>());
}

} // namespace tessera::frontend
