// To overload resolution a function for host and device may call either, those of its own side
// first: for the time of a substitution the function around it is one.
#include "frontend/SubstitutedSpaces.h"
#include "frontend/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace clang;

namespace tessera::frontend {
namespace {

using Substitution = Sema::CodeSynthesisContext;

// Not the instantiation of a function's body, which is code that runs.
bool isOfOperands(const Substitution &substitution) {
  switch (substitution.Kind) {
  case Substitution::TemplateInstantiation:
    return isa_and_nonnull<TypeAliasTemplateDecl>(substitution.Entity);
  case Substitution::DefaultTemplateArgumentInstantiation:
  case Substitution::ExplicitTemplateArgumentSubstitution:
  case Substitution::DeducedTemplateArgumentSubstitution:
  case Substitution::PriorTemplateArgumentSubstitution:
  case Substitution::ExceptionSpecInstantiation:
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
    if (!isOfOperands(substitution))
      return;
    // The function, or lambda, whose code is being read; and that whose type is made.
    lend(sema.getCurFunctionDecl(/*AllowLambda=*/true));
    lend(substitution.Entity ? substitution.Entity->getAsFunction() : nullptr);
  }
  void atTemplateEnd(const Sema &, const Substitution &) override {
    if (lent.empty())
      return; // of what began before this was there
    for (auto &[function, attributes] : lent.pop_back_val()) {
      function->dropAttrs();
      function->setAttrs(attributes);
    }
  }

private:
  void lend(FunctionDecl *function) {
    if (!function || function->hasAttr<CUDAHostAttr>() || !isTileCode(function))
      return; // also by a substitution around this one
    ASTContext &context = function->getASTContext();
    lent.back().emplace_back(function, function->getAttrs());
    function->dropAttr<CUDAGlobalAttr>();
    if (!function->hasAttr<CUDADeviceAttr>())
      function->addAttr(CUDADeviceAttr::CreateImplicit(context));
    function->addAttr(CUDAHostAttr::CreateImplicit(context));
  }

  // By each substitution under way, with the attributes that they had.
  SmallVector<SmallVector<std::pair<FunctionDecl *, AttrVec>, 2>> lent;
};

} // namespace

void allowOtherSpacesInSubstitution(Sema &sema) {
  if (sema.TemplateInstCallbacks.empty())
    sema.TemplateInstCallbacks.push_back(std::make_unique<Callback>());
}

} // namespace tessera::frontend
