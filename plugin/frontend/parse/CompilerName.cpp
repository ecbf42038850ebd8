// Defines and undefines the macro as files are entered and left.
#include "frontend/parse/CompilerName.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace tessera::frontend {
namespace {

class OwnFiles : public PPCallbacks {
public:
  OwnFiles(Preprocessor &preprocessor, llvm::DenseSet<FileID> *own)
      : preprocessor(preprocessor), sources(preprocessor.getSourceManager()),
        name(preprocessor.getIdentifierInfo("__NVCC__")), own(own ? *own : kept) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef, bool isAngled, CharSourceRange,
                          OptionalFileEntryRef, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    isNextQuoted = !isAngled;
  }

  void LexedFileChanged(FileID file, LexedFileChangeReason reason, SrcMgr::CharacteristicKind,
                        FileID previous, SourceLocation) override {
    if (reason == LexedFileChangeReason::EnterFile &&
        (file == sources.getMainFileID() || (isNextQuoted && own.contains(previous))))
      own.insert(file);
    bool isWanted = own.contains(file);
    if (isWanted == isDefined)
      return;
    SourceLocation location = sources.getLocForStartOfFile(file);
    if (isWanted && preprocessor.isMacroDefined(name))
      return; // by the command line
    isDefined = isWanted;
    if (isWanted)
      preprocessor.appendDefMacroDirective(name, definition(location));
    else
      preprocessor.appendMacroDirective(name, new (preprocessor.getPreprocessorAllocator())
                                                  UndefMacroDirective(location));
  }

private:
  MacroInfo *definition(SourceLocation location) {
    MacroInfo *macro = preprocessor.AllocateMacroInfo(location);
    Token one;
    one.startToken();
    one.setKind(tok::numeric_constant);
    preprocessor.CreateString("1", one);
    macro->setTokens({one}, preprocessor.getPreprocessorAllocator());
    macro->setIsUsed(true);
    return macro;
  }

  Preprocessor &preprocessor;
  const SourceManager &sources;
  IdentifierInfo *name;
  llvm::DenseSet<FileID> kept, &own;
  bool isNextQuoted = false, isDefined = false;
};

} // namespace

void nameCompiler(Preprocessor &preprocessor, llvm::DenseSet<FileID> *own) {
  preprocessor.addPPCallbacks(std::make_unique<OwnFiles>(preprocessor, own));
}

} // namespace tessera::frontend
