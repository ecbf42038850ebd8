// The name is found in the tokens of the user's files, headers included.
#include "frontend/edit/RuntimeName.h"
#include "frontend/edit/FileTokens.h"
#include "frontend/parse/Installation.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/FileSystem.h"

using namespace clang;

namespace tessera::frontend {
namespace {

constexpr llvm::StringLiteral RuntimeName = "tessera", OwnName = "__tessera_of_program";

bool isUsersFile(FileID file, const SourceManager &sources) {
  static const std::string runtime = [] {
    SmallString<256> path;
    (void)llvm::sys::fs::real_path(runtimeIncludeDirectory(), path);
    return path.str().str();
  }();
  const FileEntry *entry = sources.getFileEntryForID(file);
  return entry && !sources.isInSystemHeader(sources.getLocForStartOfFile(file)) &&
         !entry->tryGetRealPathName().starts_with(runtime);
}

} // namespace

void changeRuntimeName(const SourceManager &sources, const LangOptions &options,
                       std::vector<Change> &changes) {
  std::set<const FileEntry *> seen;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    FileID file = entry.isFile() ? sources.getFileID(SourceLocation::getFromRawEncoding(
                                       SourceLocation::UIntTy(entry.getOffset())))
                                 : FileID();
    if (file.isInvalid() || !isUsersFile(file, sources) ||
        !seen.insert(sources.getFileEntryForID(file)).second)
      continue;
    bool isInclude = false;
    std::vector<Token> tokens = tokensOf(file, sources, options);
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t].isAtStartOfLine())
        isInclude =
            t + 1 < tokens.size() && tokens[t].is(tok::hash) && isWord(tokens[t + 1], "include");
      if (!isInclude && isWord(tokens[t], RuntimeName))
        changes.push_back({tokens[t].getLocation(), unsigned(RuntimeName.size()), OwnName.str()});
    }
  }
}

bool isAboutRuntimeName(const clang::Diagnostic &diagnostic) {
  if (diagnostic.getNumArgs() == 0)
    return false;
  const IdentifierInfo *name = nullptr;
  switch (diagnostic.getArgKind(0)) {
  case DiagnosticsEngine::ak_identifierinfo: name = diagnostic.getArgIdentifier(0); break;
  case DiagnosticsEngine::ak_nameddecl:
    // NOLINTNEXTLINE(performance-no-int-to-ptr): how a diagnostic holds a declaration
    name = reinterpret_cast<const NamedDecl *>(static_cast<uintptr_t>(diagnostic.getRawArg(0)))
               ->getIdentifier();
    break;
  case DiagnosticsEngine::ak_declarationname:
    name = DeclarationName::getFromOpaqueInteger(diagnostic.getRawArg(0)).getAsIdentifierInfo();
    break;
  default: break;
  }
  return name && name->getName() == RuntimeName;
}

bool extendsRuntime(ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  for (const NamedDecl *found :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get(RuntimeName)))
    if (auto *space = dyn_cast<NamespaceDecl>(found))
      for (const NamespaceDecl *part : space->redecls())
        if (isUsersFile(sources.getFileID(sources.getExpansionLoc(part->getLocation())), sources))
          return true;
  return false;
}

} // namespace tessera::frontend
