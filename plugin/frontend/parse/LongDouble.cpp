// The long double of Clang's target.
#include "frontend/parse/LongDouble.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace tessera::frontend {

void layOutLongDouble(LangOptions &options) {
  if (!options.LongDoubleSize) // -mlong-double-64
    options.LongDoubleSize = 80;
}

namespace {

// For a long double of that size, Sema asks a GPU target whether it has __float128. There is no
// option for it, and the member is protected.
struct Target : TargetInfo {
  static void allowFloat128(TargetInfo &target) { target.*(&Target::HasFloat128) = true; }
};

} // namespace

void allowLongDouble(CompilerInstance &compiler) { Target::allowFloat128(compiler.getTarget()); }

} // namespace tessera::frontend
