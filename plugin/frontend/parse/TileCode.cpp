#include "frontend/parse/TileCode.h"
#include "frontend/parse/CompilerName.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace tessera::frontend {

bool namesTileCode(StringRef text) { return text.contains("cuda_tile") || text.contains("__tile"); }

bool usesTileCode(std::shared_ptr<CompilerInvocation> invocation,
                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  CompilerInstance preprocessor(std::move(invocation));
  IgnoringDiagConsumer silence;
  preprocessor.setVirtualFileSystem(std::move(files));
  preprocessor.createDiagnostics(&silence, /*ShouldOwnClient=*/false);
  struct Question : PreprocessOnlyAction {
    bool answer = false;
    bool BeginSourceFileAction(CompilerInstance &compiler) override {
      nameCompiler(compiler.getPreprocessor());
      return true;
    }
    void EndSourceFileAction() override {
      Preprocessor &preprocessor = getCompilerInstance().getPreprocessor();
      for (StringRef specifier : {"__tile__", "__tile_global__"})
        if (MacroInfo *macro = preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(specifier)))
          answer |= macro->isUsed();
    }
  } question;
  preprocessor.ExecuteAction(question);
  return question.answer;
}

} // namespace tessera::frontend
