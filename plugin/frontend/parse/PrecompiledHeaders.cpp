// An entry of the cache is two files. KEY.prelude lists the precompiled file and its size, the
// headers with size and time, the names in their includes, and their identifiers; KEY is a hash of
// the compiler's version and options. Both files are written under a temporary name and renamed,
// the list last, so several processes may make an entry at once. An empty list records one request:
// some entries are made at the second request. Entries that the installation has are unpacked.
#include "frontend/parse/PrecompiledHeaders.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/LeadingIncludes.h"
#include "frontend/parse/ShippedHeaders.h"
#include "tessera/version.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace clang;

namespace tessera::frontend {
namespace {

constexpr size_t keptLists = 400;
constexpr uint64_t keptBytes = 400 << 20; // an entry has 10 to 20 MB, its list half of one

std::string digest(StringRef text) {
  llvm::MD5 sum;
  sum.update(text);
  llvm::MD5::MD5Result result;
  sum.final(result);
  return result.digest().str().str();
}

// Size and time of a header, as one line; empty if it does not exist.
std::string stamp(StringRef file) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(file, status))
    return {};
  return (Twine(status.getSize()) + " " +
          Twine(status.getLastModificationTime().time_since_epoch().count()) + " " + file)
      .str();
}

// Not those that every program of a target has.
bool isUserMacro(const std::pair<std::string, bool> &macro) {
  static constexpr StringRef own[] = {"TESSERA_RAISE", "TESSERA_EMULATE", "TESSERA_SIMT"};
  return macro.second || !llvm::is_contained(own, nameOfMacro(macro.first));
}

// Only the default includes: no header of the user's before the program.
bool isPlain(const CompilerInvocation &invocation, const std::vector<std::string> &always) {
  const PreprocessorOptions &options = invocation.getPreprocessorOpts();
  return options.Includes == always && options.MacroIncludes.empty() &&
         options.ImplicitPCHInclude.empty() && invocation.getFrontendOpts().Inputs.size() == 1 &&
         invocation.getHeaderSearchOpts().VFSOverlayFiles.empty();
}

std::string includesOf(ArrayRef<std::string> headers) {
  std::string text;
  for (const std::string &header : headers)
    text += "#include <" + header + ">\n";
  return text;
}

// The same compiler, without the program.
std::shared_ptr<CompilerInvocation> withoutProgram(const CompilerInvocation &invocation) {
  auto headers = std::make_shared<CompilerInvocation>(invocation);
  FrontendOptions &options = headers->getFrontendOpts();
  options.Inputs.clear();
  options.OutputFile.clear();
  options.ProgramAction = clang::frontend::GeneratePCH;
  headers->getCodeGenOpts().MainFileName.clear();
  headers->getCodeGenOpts().CoverageCompilationDir.clear();
  headers->getCodeGenOpts().DebugCompilationDir.clear();
  headers->getLangOpts().CUID.clear();
  headers->getLangOpts().SpellChecking = true; // off in some parses (Respelling.cpp)
  headers->getDiagnosticOpts().IgnoreWarnings = true;
  headers->getDiagnosticOpts().ShowColors = false;
  llvm::erase_if(headers->getHeaderSearchOpts().UserEntries, isUserFolder);
  llvm::erase_if(headers->getPreprocessorOpts().Macros, isUserMacro);
  headers->getPreprocessorOpts().clearRemappedFiles(); // the program's
  return headers;
}

// All that a form depends on but the headers' contents.
std::string optionsOf(const CompilerInvocation &compiler, ArrayRef<std::string> headers) {
  std::string text =
      TESSERA_VERSION_STRING "\n" + getClangFullRepositoryVersion() + "\n" + includesOf(headers);
  for (const std::string &word : compiler.getCC1CommandLine())
    text += '\n' + word;
  return text;
}

std::string keyOf(const CompilerInvocation &compiler, ArrayRef<std::string> headers) {
  std::string text = optionsOf(compiler, headers);
  SmallString<128> folder;
  (void)llvm::sys::fs::current_path(folder); // folder names may be relative
  bool isAbsolute = llvm::all_of(compiler.getHeaderSearchOpts().UserEntries, [](const auto &entry) {
    return llvm::sys::path::is_absolute(entry.Path);
  });
  return digest(isAbsolute ? text : text + '\n' + folder.str().str());
}

// The names of all includes, found or not: a user's folder with such a file would have been
// searched first.
class NameRecorder : public PPCallbacks {
public:
  NameRecorder(const SourceManager &sources, std::set<std::string> &names)
      : sources(sources), names(names) {}

  void InclusionDirective(SourceLocation hash, const Token &, StringRef name, bool isAngled,
                          CharSourceRange, OptionalFileEntryRef, StringRef searchPath, StringRef,
                          const clang::Module *, bool, SrcMgr::CharacteristicKind) override {
    OptionalFileEntryRef from = sources.getFileEntryRefForID(sources.getFileID(hash));
    bool isNeighbour = !isAngled && from && from->getDir().getName() == searchPath;
    if (!isNeighbour)
      names.insert(name.str());
  }
  void HasInclude(SourceLocation, StringRef name, bool, OptionalFileEntryRef,
                  SrcMgr::CharacteristicKind) override {
    names.insert(name.str());
  }

private:
  const SourceManager &sources;
  std::set<std::string> &names;
};

class HeadersAction : public ASTFrontendAction {
public:
  // `roots`: headers in this folder are known by their contents, not by their times.
  explicit HeadersAction(std::string roots) : roots(std::move(roots)) {}

  std::set<std::string> names, files, identifiers;
  std::shared_ptr<PCHBuffer> contents = std::make_shared<PCHBuffer>();

protected:
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 StringRef file) override {
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<NameRecorder>(compiler.getSourceManager(), names));
    return std::make_unique<PCHGenerator>(
        preprocessor, compiler.getModuleCache(), file, "", contents, compiler.getCodeGenOpts(),
        ArrayRef<std::shared_ptr<ModuleFileExtension>>(), /*AllowASTWithErrors=*/false,
        /*IncludeTimestamps=*/roots.empty());
  }

  void EndSourceFileAction() override {
    CompilerInstance &compiler = getCompilerInstance();
    const SourceManager &sources = compiler.getSourceManager();
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
      StringRef name = file->first.getName(), below = name;
      bool isBelow = !roots.empty() && below.consume_front(roots + "/");
      files.insert(isBelow ? contentsOf(name, below) : stamp(name));
    }
    for (const auto &identifier : compiler.getPreprocessor().getIdentifierTable())
      identifiers.insert(identifier.first().str());
  }

private:
  std::string roots;
};

// What is known of the headers besides their names.
std::string wordsOf(const HeadersAction &action) {
  return llvm::join(action.names, "\n") + "\n\n" + llvm::join(action.identifiers, "\n") + "\n";
}

// Writes a file atomically.
bool writeWhole(StringRef path, StringRef text) {
  SmallString<128> aside;
  int descriptor = -1;
  if (llvm::sys::fs::createUniqueFile(path + "-%%%%%%%%", descriptor, aside))
    return false;
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << text;
  stream.close();
  bool isWhole = !stream.has_error();
  stream.clear_error();
  if (isWhole && !llvm::sys::fs::rename(aside, path))
    return true;
  (void)llvm::sys::fs::remove(aside); // a cache may contain unused files
  return false;
}

// The time of a file is that of its last use. Another user's stays as it is.
void markUsed(StringRef file) {
  int descriptor = -1;
  if (llvm::sys::fs::openFileForRead(file, descriptor))
    return;
  (void)llvm::sys::fs::setLastAccessAndModificationTime(descriptor,
                                                        std::chrono::system_clock::now());
  llvm::sys::fs::file_t handle = llvm::sys::fs::convertFDToNativeFile(descriptor);
  (void)llvm::sys::fs::closeFile(handle);
}

// Removes all but the last used of the cache's files with this ending: so many, with so many bytes.
void keepLastUsed(StringRef folder, StringRef ending, size_t kept, uint64_t bytes) {
  std::vector<std::tuple<llvm::sys::TimePoint<>, std::string, uint64_t>> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    llvm::ErrorOr<llvm::sys::fs::basic_file_status> status = file->status();
    StringRef name = llvm::sys::path::filename(file->path());
    if (status && name.ends_with(ending) && name.contains(".prelude"))
      files.emplace_back(status->getLastModificationTime(), file->path(), status->getSize());
  }
  llvm::sort(files, std::greater<>());
  for (const auto &[time, file, size] : files) {
    bool isKept = kept > 0 && size <= bytes;
    if (!isKept) {
      (void)llvm::sys::fs::remove(file);
      kept = 0;
      continue;
    }
    --kept;
    bytes -= size;
  }
}

// Parses the headers; false if that is impossible.
bool parse(std::shared_ptr<CompilerInvocation> invocation, InputKind kind,
           ArrayRef<std::string> headers, HeadersAction &action) {
  std::string includes = includesOf(headers);
  auto text = llvm::MemoryBuffer::getMemBuffer(includes, "<prelude>");
  invocation->getFrontendOpts().Inputs.emplace_back(text->getMemBufferRef(), kind);
  CompilerInstance compiler(std::move(invocation));
  compiler.setVirtualFileSystem(llvm::vfs::getRealFileSystem());
  IgnoringDiagConsumer silence;
  compiler.createDiagnostics(&silence, /*ShouldOwnClient=*/false);
  return compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred() &&
         action.contents->IsComplete && !action.files.count("");
}

// Adds an entry to the cache; false if that is impossible.
bool addEntry(StringRef contents, const std::string &files, const std::string &words,
              StringRef folder, StringRef list) {
  std::string facts = files + "\n\n" + words;
  std::string file = (list + "-" + digest(facts) + ".pch").str();
  bool isMade = writeWhole(file, contents) &&
                writeWhole(list, std::to_string(contents.size()) + " " + file + "\n" + facts);
  keepLastUsed(folder, ".pch", keptLists, keptBytes);
  keepLastUsed(folder, ".prelude", keptLists, keptBytes / 4);
  return isMade;
}

bool canWrite(StringRef folder) {
  return !llvm::sys::fs::create_directories(folder) && llvm::sys::fs::can_write(folder);
}

// Precompiles the headers; false if that is impossible.
bool makeEntry(const std::shared_ptr<CompilerInvocation> &invocation, InputKind kind,
               ArrayRef<std::string> headers, StringRef folder, StringRef list) {
  HeadersAction action("");
  return canWrite(folder) && parse(invocation, kind, headers, action) &&
         addEntry(StringRef(action.contents->Data.data(), action.contents->Data.size()),
                  llvm::join(action.files, "\n"), wordsOf(action), folder, list);
}

// Unpacks the form that the installation has; false if there is none.
bool takeShipped(const CompilerInvocation &invocation, ArrayRef<std::string> headers,
                 StringRef folder, StringRef list) {
  std::optional<Roots> roots = Roots::of(invocation);
  if (!roots || !canWrite(folder))
    return false;
  std::string links = roots->links(folder);
  std::optional<ShippedHeaders> shipped =
      findShippedHeaders(digest(roots->shortened(optionsOf(invocation, headers))), *roots);
  if (!shipped || links.empty() || !roots->link(links))
    return false;
  std::vector<std::string> stamps;
  for (StringRef line : llvm::split(shipped->files, '\n'))
    stamps.push_back(stamp(roots->resolved(line.split(' ').second.split(' ').second)));
  return addEntry(withLinks(std::move(shipped->contents), links), llvm::join(stamps, "\n"),
                  shipped->words, folder, list);
}

// Writes the form as an installation has it (plugin/bundle/precompile.py), PASS-KEY.pch, and what
// is known of it, PASS-KEY.facts.
void makeShipped(const CompilerInvocation &invocation, InputKind kind,
                 ArrayRef<std::string> headers, StringRef folder) {
  std::optional<Roots> roots = Roots::of(invocation);
  std::string links = linksHere();
  if (!roots || llvm::sys::fs::set_current_path(folder) || !roots->link(links))
    return;
  auto relocated = std::make_shared<CompilerInvocation>(invocation);
  roots->relocate(*relocated, links);
  HeadersAction action(links);
  if (!parse(relocated, kind, headers, action))
    return;
  std::string name = (folder + (invocation.getLangOpts().CUDAIsDevice ? "/gpu-" : "/host-") +
                      digest(roots->shortened(optionsOf(invocation, headers))))
                         .str();
  (void)writeWhole(name + ".facts", llvm::join(action.files, "\n") + "\n\n" + wordsOf(action));
  (void)writeWhole(name + ".pch",
                   StringRef(action.contents->Data.data(), action.contents->Data.size()));
}

struct Entry {
  std::string file;    // the precompiled form; empty: there is none, or a header has changed
  bool isLost = false; // or the file is not there any more
  std::string names, identifiers;
};

Entry readEntry(const Twine &list) {
  auto text = llvm::MemoryBuffer::getFile(list);
  if (!text)
    return {};
  auto [first, facts] = (*text)->getBuffer().split('\n');
  auto [size, file] = first.split(' ');
  auto [stamps, words] = facts.split("\n\n");
  auto [names, identifiers] = words.split("\n\n");
  uint64_t found = 0; // a crash of the machine may leave a truncated file
  if (llvm::sys::fs::file_size(file, found) || std::to_string(found) != size)
    return {"", /*isLost=*/!first.empty(), "", ""};
  for (StringRef line : llvm::split(stamps, '\n'))
    if (stamp(line.split(' ').second.split(' ').second) != line)
      return {};
  return {file.str(), /*isLost=*/false, names.str(), identifiers.str()};
}

// Would a header be found in a folder of the user's, or in this one? Does one use a macro of the
// user's?
bool readsOtherwise(const Entry &entry, const CompilerInvocation &invocation,
                    ArrayRef<std::string> always, std::set<std::string> macros) {
  if (llvm::any_of(always, [](const std::string &name) {
        return llvm::sys::fs::exists(name); // they are included like "..."
      }))
    return true;
  for (const HeaderSearchOptions::Entry &folder : invocation.getHeaderSearchOpts().UserEntries)
    if (isUserFolder(folder) && llvm::sys::fs::is_directory(folder.Path) &&
        !llvm::sys::fs::equivalent(folder.Path, runtimeIncludeDirectory()))
      for (StringRef name : llvm::split(entry.names, '\n'))
        if (!name.empty() && llvm::sys::fs::exists(folder.Path + "/" + name))
          return true;
  for (const auto &macro : invocation.getPreprocessorOpts().Macros)
    if (isUserMacro(macro))
      macros.insert(nameOfMacro(macro.first).str());
  auto identifiers = llvm::split(entry.identifiers, '\n');
  return llvm::any_of(macros, [&](const std::string &name) {
    return llvm::is_contained(identifiers, StringRef(name));
  });
}

} // namespace

std::string precompiledHeaders(const CompilerInvocation &invocation, const LeadingText &leading) {
  std::string folder = cacheFolder();
  if (folder.empty() || !isPlain(invocation, leading.always))
    return {};
  auto compiler = withoutProgram(invocation);
  InputKind kind = invocation.getFrontendOpts().Inputs.front().getKind();
  if (const char *shipped = std::getenv("TESSERA_SHIPPED_HEADERS")) {
    makeShipped(*compiler, kind, leading.headers, shipped);
    return {};
  }
  std::string list = folder + "/" + keyOf(*compiler, leading.headers) + ".prelude";
  Entry entry = readEntry(list);
  // One that was removed as faulty is not taken again.
  if (entry.file.empty() && !entry.isLost && takeShipped(*compiler, leading.headers, folder, list))
    entry = readEntry(list);
  if (leading.isSeldom && !llvm::sys::fs::exists(list)) {
    (void)llvm::sys::fs::create_directories(folder);
    if (!leading.isAhead)
      (void)writeWhole(list, "");
    return {};
  }
  if (entry.file.empty() && makeEntry(compiler, kind, leading.headers, folder, list))
    entry = readEntry(list);
  bool isSame =
      !entry.file.empty() && !readsOtherwise(entry, invocation, leading.always, leading.names);
  if (!isSame)
    return {};
  markUsed(list);
  markUsed(entry.file);
  return entry.file;
}

} // namespace tessera::frontend
