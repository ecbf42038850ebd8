// The parse for the device reads only what the device sees. In the parse for the host, some parts
// of the code are between conditionals that leave them to the host.
#include "check/Rules.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::check {

bool SeenByDevice::operator()(SourceLocation location) const {
  if (context.getLangOpts().CUDAIsDevice)
    return true;
  if (!hostConditionals || location.isMacroID()) // a macro may leave it to the host (NV_IF_TARGET)
    return false;
  const SourceManager &sources = context.getSourceManager();
  return llvm::none_of(*hostConditionals, [&](SourceRange range) {
    return sources.isBeforeInTranslationUnit(range.getBegin(), location) &&
           sources.isBeforeInTranslationUnit(location, range.getEnd());
  });
}

} // namespace tessera::check
