#include "frontend/parse/Prelude.h"
#include "frontend/parse/LeadingIncludes.h"
#include "frontend/parse/PrecompiledHeaders.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"

using namespace clang;

namespace tessera::frontend {
namespace {

const std::vector<std::string> preludeHeaders = {
    "tessera/tile/unevaluated.h", "__clang_cuda_runtime_wrapper.h", "tessera/tile/nvcc.h"};

bool usePrecompiled(CompilerInvocation &invocation, const LeadingIncludes &leading) {
  std::string file = precompiledHeaders(invocation, {preludeHeaders, leading.headers, leading.names,
                                                     /*isSeldom=*/!leading.headers.empty()});
  if (file.empty())
    return false;
  invocation.getPreprocessorOpts().Includes.clear();
  invocation.getPreprocessorOpts().ImplicitPCHInclude = file;
  return true;
}

} // namespace

Precompiled usePrecompiledPrelude(CompilerInvocation &invocation, Precompiled most) {
  if (most >= Precompiled::LeadingIncludes) {
    LeadingIncludes leading = findLeadingIncludes(invocation);
    if (!leading.headers.empty() && usePrecompiled(invocation, leading))
      return Precompiled::LeadingIncludes;
  }
  if (most >= Precompiled::Prelude && usePrecompiled(invocation, {}))
    return Precompiled::Prelude;
  return Precompiled::Nothing;
}

void dropPrecompiledPrelude(CompilerInvocation &invocation) {
  PreprocessorOptions &options = invocation.getPreprocessorOpts();
  if (options.ImplicitPCHInclude.empty())
    return;
  options.ImplicitPCHInclude.clear();
  options.Includes = preludeHeaders;
}

void removePrecompiledPrelude(const CompilerInvocation &invocation) {
  (void)llvm::sys::fs::remove(invocation.getPreprocessorOpts().ImplicitPCHInclude);
}

void limitToProgram(ASTContext &context) {
  std::vector<Decl *> declarations;
  for (Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
    if (!declaration->isFromASTFile())
      declarations.push_back(declaration);
  context.setTraversalScope(declarations);
}

} // namespace tessera::frontend
