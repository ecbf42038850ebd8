// Accesses of a view whose extents and index are compile-time constants.
#include "check/Rules.h"
#include "diagnose/TileTypes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tessera::check {
namespace {

struct StaticView {
  diagnose::Extents extents, shape, steps;
};

// Views whose index counts tiles.
std::optional<StaticView> staticViewOf(QualType type) {
  auto *view = diagnose::libraryClass(type, "partition_view");
  bool hasSteps = !view;
  if (!view)
    view = diagnose::libraryClass(type, "strided_view");
  if (!view)
    return std::nullopt;
  const TemplateArgumentList &arguments = view->getTemplateArgs();
  auto *span = diagnose::libraryClass(arguments[0].getAsType(), "tensor_span");
  auto extents = span ? diagnose::extentsOf(span->getTemplateArgs()[1].getAsType()) : std::nullopt;
  auto shape = diagnose::extentsOf(arguments[1].getAsType());
  auto steps = hasSteps ? diagnose::extentsOf(arguments[2].getAsType()) : shape;
  if (!extents || !shape || !steps || extents->size() != shape->size() ||
      steps->size() != shape->size())
    return std::nullopt;
  return StaticView{*extents, *shape, *steps};
}

std::optional<int64_t> constantOf(const Expr *index, const ASTContext &context) {
  Expr::EvalResult value;
  if (index->isValueDependent() || !index->getType()->isIntegralOrEnumerationType() ||
      !index->EvaluateAsInt(value, context))
    return std::nullopt;
  return value.Val.getInt().tryExtValue();
}

} // namespace

// For a tile that is partly outside, a masked access takes the part inside, and so does a
// reduction.
void checkBox(const CXXMemberCallExpr *call, Reporter &report) {
  const CXXMethodDecl *method = call->getMethodDecl();
  if (!method || !method->getIdentifier())
    return;
  StringRef name = method->getName();
  if (!name.starts_with("load") && !name.starts_with("store") && !name.starts_with("atomic_"))
    return;
  QualType object = call->getImplicitObjectArgument()->IgnoreParenImpCasts()->getType();
  if (object->isPointerType())
    object = object->getPointeeType();
  auto view = staticViewOf(object);
  if (!view || call->getNumArgs() < view->shape.size())
    return;
  bool isReduction = name.starts_with("atomic_") && name != "atomic_load" && name != "atomic_store";
  bool isMasked = isReduction || name.ends_with("_masked");
  unsigned first = call->getNumArgs() - view->shape.size();
  for (unsigned i = 0; i < view->shape.size(); ++i) {
    auto index = constantOf(call->getArg(first + i), method->getASTContext());
    constexpr int64_t most = int64_t(1) << 31;
    if (!index || view->extents[i] == diagnose::dynamicExtent || view->steps[i] > most ||
        *index > most || *index < -most)
      continue;
    int64_t begin = *index * int64_t(view->steps[i]), end = begin + int64_t(view->shape[i]);
    int64_t extent = int64_t(view->extents[i]);
    bool isOutside = begin >= extent || end <= 0;
    if (isOutside || (!isMasked && (begin < 0 || end > extent)))
      report(call->getArg(first + i)->getExprLoc(), Id::OutsideOfView, "'" + name.str() + "'",
             std::to_string(*index), i, std::to_string(begin), std::to_string(end - 1),
             std::to_string(extent), !isOutside);
  }
}

} // namespace tessera::check
