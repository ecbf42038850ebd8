// Callbacks for file changes, a token watcher for launches and expansions.
#include "frontend/parse/PreprocessorRecord.h"
#include "frontend/parse/CompilerName.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// Macros that differ between the passes: the compilers', and libcu++'s.
bool tellsPass(StringRef macro) {
  return macro.starts_with("__CUDA_ARCH") || macro.starts_with("NV_IF_") ||
         macro == "NV_DISPATCH_TARGET";
}

class IncludeRecorder : public PPCallbacks {
public:
  IncludeRecorder(const SourceManager &sources, PreprocessorRecord &record)
      : sources(sources), record(record) {}
  void LexedFileChanged(FileID file, LexedFileChangeReason reason, SrcMgr::CharacteristicKind kind,
                        FileID, SourceLocation) override {
    isUsers = !SrcMgr::isSystem(kind) && sources.getFileEntryForID(file);
    if (reason == LexedFileChangeReason::EnterFile)
      if (const FileEntry *entry = sources.getFileEntryForID(file))
        record.inclusions[entry].push_back(file);
  }
  void Ifdef(SourceLocation, const Token &name, const MacroDefinition &macro) override {
    ask(name, macro);
  }
  void Ifndef(SourceLocation, const Token &name, const MacroDefinition &macro) override {
    ask(name, macro);
  }
  void Elifdef(SourceLocation, const Token &name, const MacroDefinition &macro) override {
    ask(name, macro);
  }
  void Elifndef(SourceLocation, const Token &name, const MacroDefinition &macro) override {
    ask(name, macro);
  }
  void Defined(const Token &name, const MacroDefinition &macro, SourceRange) override {
    ask(name, macro);
  }
  void MacroExpands(const Token &name, const MacroDefinition &macro, SourceRange,
                    const MacroArgs *) override {
    ask(name, macro);
    StringRef spelling = name.getIdentifierInfo()->getName();
    if (spelling != "__tile__" && spelling != "__tile_global__")
      return;
    SourceLocation use = sources.getExpansionLoc(name.getLocation());
    if (sources.isInSystemHeader(use))
      record.systemTileFiles.insert(sources.getFileID(use));
  }
  void Endif(SourceLocation end, SourceLocation begin) override {
    auto [file, offset] = sources.getDecomposedLoc(begin);
    if (isUsers)
      record.conditions.push_back({file, offset, sources.getFileOffset(end)});
  }
  void FileSkipped(const FileEntryRef &file, const Token &name,
                   SrcMgr::CharacteristicKind) override {
    record.skippedIncludes.emplace_back(&file.getFileEntry(),
                                        sources.getExpansionLoc(name.getLocation()));
  }
  void InclusionDirective(SourceLocation hash, const Token &, StringRef name, bool isAngled,
                          CharSourceRange, OptionalFileEntryRef file, StringRef, StringRef,
                          const Module *, bool, SrcMgr::CharacteristicKind) override {
    record.includedNames.insert(llvm::sys::path::filename(name));
    if (!sources.getFileEntryForID(sources.getFileID(hash)))
      return; // from the command line
    if (name == "cuda_tile.h" || name == "crt/cuda_tile.h")
      record.tileHeaderIncludes.push_back(hash);
    else if (!isAngled && file)
      record.quotedIncludes.push_back({hash, file->getName().str()});
  }

  bool isUsers = false; // the current file

private:
  void ask(const Token &name, const MacroDefinition &macro) {
    StringRef spelling = name.getIdentifierInfo()->getName();
    record.asksForPass |= isUsers && tellsPass(spelling);
    if (macro && (spelling == "__NVCC__" || spelling == "__CUDACC__") &&
        name.getLocation().isFileID() && !sources.isInSystemHeader(name.getLocation()))
      record.compilerNames.emplace_back(name.getLocation(), spelling);
  }

  const SourceManager &sources;
  PreprocessorRecord &record;
};

} // namespace

void record(Preprocessor &preprocessor, PreprocessorRecord &record) {
  nameCompiler(preprocessor, &record.ownFiles);
  auto callbacks = std::make_unique<IncludeRecorder>(preprocessor.getSourceManager(), record);
  IncludeRecorder &recorder = *callbacks;
  preprocessor.addPPCallbacks(std::move(callbacks));
  preprocessor.setTokenWatcher([&preprocessor, &record, &recorder](const Token &token) {
    const SourceManager &sources = preprocessor.getSourceManager();
    if (recorder.isUsers && !token.isAnnotation() && token.isNot(tok::eof))
      record.tokens.push_back(token);
    if (token.is(tok::lesslessless)) {
      record.launches.insert(sources.getSpellingLoc(token.getLocation()));
      SourceLocation launch = sources.getExpansionLoc(token.getLocation());
      if (sources.isInSystemHeader(launch))
        record.systemLaunchFiles.insert(sources.getFileID(launch));
    }
    if (!token.getLocation().isMacroID() || token.isAnnotation())
      return;
    SourceLocation use = sources.getExpansionLoc(token.getLocation());
    if (!sources.isInSystemHeader(use) || record.systemTileFiles.contains(sources.getFileID(use)))
      record.expansions[use].push_back(token);
  });
}

bool hidesLaunches(const Preprocessor &preprocessor, const PreprocessorRecord &record) {
  const SourceManager &sources = preprocessor.getSourceManager();
  for (auto &[entry, inclusions] : record.inclusions)
    for (FileID file : inclusions) {
      SourceLocation begin = sources.getLocForStartOfFile(file);
      StringRef buffer = sources.getBufferData(file);
      if (sources.isInSystemHeader(begin) || !buffer.contains("<<<"))
        continue;
      Lexer lexer(begin, preprocessor.getLangOpts(), buffer.begin(), buffer.begin(), buffer.end());
      for (Token token; !lexer.LexFromRawLexer(token);)
        if (token.is(tok::lesslessless) && !record.launches.contains(token.getLocation()))
          return true;
    }
  return false;
}

} // namespace tessera::frontend
