// The output of an editor: the files with their edits. An inlined header replaces its include, with
// line directives before and after it; its own quoted includes still find their files.
#include "frontend/edit/Editor.h"
#include "support/Quoted.h"
#include "frontend/edit/Directives.h"
#include "frontend/edit/TileNames.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/LibraryFiles.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <filesystem>

using namespace clang;

namespace tessera::frontend {
namespace {

// A file's code, edited, as a part of another file. A byte order mark is valid only at the start of
// a file; the code after it must not continue its last line; and a line may end in a carriage
// return, which not every compiler accepts.
std::string asPart(const std::string &text, std::vector<TextEdit> edits) {
  if (StringRef(text).starts_with("\xEF\xBB\xBF"))
    edits.push_back({0, 3, ""});
  std::string part = applyEdits(text, edits);
  for (size_t i = 0; (i = part.find('\r', i)) != std::string::npos; ++i)
    if (part.compare(i, 2, "\r\n") != 0)
      part[i] = '\n';
  return StringRef(part).rtrim().ends_with("\\") ? part + "\n\n" : part;
}

// Replaces a directive, keeping the number of lines.
TextEdit replaced(StringRef buffer, const Directive &directive, const std::string &text) {
  StringRef gone = buffer.slice(directive.begin, directive.lineEnd);
  size_t lines = gone.count('\n') + gone.count('\r') - gone.count("\r\n");
  return {directive.begin, directive.lineEnd, text + std::string(lines, '\n')};
}

// Blanks `#pragma once` and pragmas that mark a system header: they have no meaning inside another
// file.
void dropPragmas(StringRef buffer, ArrayRef<Directive> directives, std::vector<TextEdit> &edits) {
  for (const Directive &directive : directives)
    if (directive.name == "pragma" &&
        llvm::is_contained({"once", "clang system_header", "GCC system_header"}, directive.text))
      edits.push_back(replaced(buffer, directive, ""));
}

} // namespace

FileID Editor::includerOf(FileID header) const {
  FileID includer = sources.getFileID(sources.getIncludeLoc(header));
  return sources.getFileEntryForID(includer) ? includer : FileID();
}

// By `#pragma once`, not by an include guard.
bool Editor::isOnlyReadOnce(const FileEntry *header) const {
  auto file = preprocessor.getFileManager().getOptionalFileRef(header->tryGetRealPathName());
  const HeaderFileInfo *known =
      file ? preprocessor.getHeaderSearchInfo().getExistingFileInfo(*file) : nullptr;
  return known && known->isPragmaOnce;
}

// In the order of entry: an includer comes before its includes.
std::vector<FileID> Editor::filesToInline(Headers headers, const FileEdits &files) const {
  std::vector<FileID> result, waiting;
  for (auto &entry : files)
    waiting.push_back(entry.first);
  while (!waiting.empty()) {
    FileID file = waiting.back();
    waiting.pop_back();
    const std::vector<FileID> &inclusions = inclusionsOf(file);
    if (file == sources.getMainFileID() || llvm::is_contained(result, file) ||
        (headers == Headers::Separate && inclusions.size() < 2))
      continue;
    result.push_back(file);
    if (FileID includer = includerOf(file); includer.isValid())
      waiting.push_back(includer);
    // Inlined code does not record that a file with `#pragma once` has been read.
    const FileEntry *entry = sources.getFileEntryForID(file);
    if (headers == Headers::Inlined && isOnlyReadOnce(entry))
      for (auto &[skipped, name] : record.skippedIncludes)
        if (FileID again = sources.getFileID(name);
            skipped == entry && sources.getFileEntryForID(again))
          waiting.push_back(again);
    if (headers == Headers::Separate)
      waiting.insert(waiting.end(), inclusions.begin(), inclusions.end());
  }
  llvm::sort(result);
  return result;
}

std::vector<EditedFile> Editor::finish(Headers headers, const std::vector<View> &others,
                                       std::vector<SourceLocation> &failures) {
  FileEdits files = locationEdits(failures);
  for (const View &other : others)
    addView(other, files);
  for (SourceLocation include : record.tileHeaderIncludes)
    if (hidesTileHeader && !sources.isInSystemHeader(include))
      replaceDirective(include, "// #include <cuda_tile.h>", files);

  FileID main = sources.getMainFileID();
  std::vector<FileID> inlined = filesToInline(headers, files);
  std::vector<SourceLocation> replaced =
      headers == Headers::Inlined ? skippedIncludesOf(inlined) : std::vector<SourceLocation>();
  for (SourceLocation include : replaced) // files that are already inlined
    replaceDirective(include, "", files);
  for (FileID header : inlined)
    replaced.push_back(sources.getIncludeLoc(header));
  llvm::DenseSet<std::pair<FileID, size_t>> replacedPlaces;
  for (SourceLocation include : replaced)
    replacedPlaces.insert({sources.getFileID(include), directiveAt(include).begin});
  // Quoted includes are relative to the output folder, also those of an inlined header.
  std::filesystem::path folder =
      home.empty()
          ? std::filesystem::path(sources.getFileEntryRefForID(main)->getName().str()).parent_path()
          : std::filesystem::path(home);
  for (auto &[include, path] : record.quotedIncludes)
    if (FileID file = sources.getFileID(include);
        !replacedPlaces.contains({file, sources.getFileOffset(include)}) &&
        (file == main ? !home.empty() : llvm::is_contained(inlined, file)))
      replaceDirective(
          include,
          "#include \"" +
              std::filesystem::relative(path, folder.empty() ? "." : folder).generic_string() +
              "\"",
          files);
  // In reverse order of inclusion, so that a header is complete when it is inlined into its
  // includer.
  for (FileID header : llvm::reverse(inlined))
    inlineHeader(header, headers, files);
  std::vector<EditedFile> results = {
      {sources.getFileEntryRefForID(main)->getName().str(), apply(main, files), macrosAtEnd()}};
  std::vector<FileID> edited;
  for (auto &entry : files)
    if (entry.first != main && headers == Headers::Separate)
      edited.push_back(entry.first);
  llvm::sort(edited);
  // Inlined headers are still included, by their includers, for the dependencies of the object.
  for (FileID header : edited)
    results.push_back({sources.getFileEntryRefForID(header)->getName().str(),
                       llvm::is_contained(inlined, header) ? "" : apply(header, files)});
  results.front().namesTileHeader = hidesTileHeader && namesTileHeader(results, files);
  return results;
}

std::vector<std::string> Editor::macrosAtEnd() const {
  std::vector<std::string> names;
  for (const auto &[name, state] : preprocessor.macros(/*IncludeExternalMacros=*/false))
    if (const MacroInfo *macro = preprocessor.getMacroInfo(name)) {
      SourceLocation loc = macro->getDefinitionLoc();
      if (loc.isValid() && !macro->isBuiltinMacro() && !sources.isInSystemHeader(loc) &&
          !sources.isWrittenInBuiltinFile(loc) && !name->getName().starts_with("__"))
        names.push_back(name->getName().str());
    }
  llvm::sort(names);
  return names;
}

// The results, the unchanged files, and the command line's macros.
bool Editor::namesTileHeader(const std::vector<EditedFile> &results, const FileEdits &files) const {
  std::string macros;
  for (const auto &[definition, isUndefine] : preprocessor.getPreprocessorOpts().Macros)
    macros += definition + "\n";
  std::vector<ProgramText> texts = {{macros, true}};
  for (const EditedFile &file : results)
    texts.push_back({file.contents, true});
  SmallString<256> runtime;
  (void)llvm::sys::fs::real_path(runtimeIncludeDirectory(), runtime);
  for (auto &[entry, inclusions] : record.inclusions) {
    FileID file = inclusions.front();
    StringRef path = entry->tryGetRealPathName();
    bool isTileHeader = path.starts_with(runtime) && isLibraryFile(path);
    bool isEdited = llvm::all_of(inclusions, [&](FileID each) { return files.contains(each); });
    if (!isEdited && !isTileHeader)
      texts.push_back({sources.getBufferData(file),
                       !sources.isInSystemHeader(sources.getLocForStartOfFile(file))});
  }
  return frontend::namesTileHeader(texts, preprocessor.getLangOpts(), [&](StringRef name) {
    return record.includedNames.contains(llvm::sys::path::filename(name));
  });
}

const std::vector<Directive> &Editor::directivesOf(FileID file) const {
  auto [known, isNew] = directives.try_emplace(file);
  StringRef buffer = sources.getBufferData(file);
  if (isNew)
    known->second = directivesBetween(buffer, 0, buffer.size(), preprocessor.getLangOpts());
  return known->second;
}

// A location in a directive: its # or its operand; it may span several lines.
Directive Editor::directiveAt(SourceLocation loc) const {
  auto [file, offset] = sources.getDecomposedLoc(loc);
  for (const Directive &directive : directivesOf(file))
    if (directive.begin <= offset && offset < directive.lineEnd)
      return directive;
  return {"", "", offset, offset, offset};
}

void Editor::replaceDirective(SourceLocation loc, const std::string &text, FileEdits &files) const {
  FileID file = sources.getFileID(loc);
  files[file].push_back(replaced(sources.getBufferData(file), directiveAt(loc), text));
}

std::string Editor::apply(FileID file, FileEdits &files) const {
  auto whole = record.wholeFiles.find(sources.getFileEntryRefForID(file)->getName().str());
  return asPart(whole != record.wholeFiles.end() ? whole->second
                                                 : sources.getBufferData(file).str(),
                files[file]);
}

// As a part of its includer, which continues at that line.
std::string Editor::textOfHeader(FileID header, FileID includer, unsigned line,
                                 FileEdits &files) const {
  bool isSystem = sources.isInSystemHeader(sources.getLocForEndOfFile(header));
  bool wasSystem = sources.isInSystemHeader(sources.getIncludeLoc(header));
  // A line marker can mark a system header, which suppresses warnings; the standard #line cannot.
  auto locationOf = [&](FileID file, unsigned number, bool isOfSystem) {
    return (isSystem || wasSystem ? "# " : "#line ") + std::to_string(number) + " " +
           quoted(sources.getFilename(sources.getLocForStartOfFile(file))) +
           (isOfSystem ? " 3\n" : "\n");
  };
  return locationOf(header, 1, isSystem) + apply(header, files) + "\n" +
         locationOf(includer, line, wasSystem);
}

// A header that the command line includes precedes the main file's first line.
void Editor::inlineHeader(FileID header, Headers headers, FileEdits &files) const {
  SourceLocation loc = sources.getIncludeLoc(header);
  FileID includer = sources.getFileID(loc);
  dropPragmas(sources.getBufferData(header), directivesOf(header), files[header]);
  if (includerOf(header).isInvalid()) {
    FileID main = sources.getMainFileID();
    std::vector<TextEdit> &first = files[main];
    std::string text = textOfHeader(header, main, 1, files);
    first.insert(first.begin(), {0, 0, text});
    return;
  }
  StringRef buffer = sources.getBufferData(includer);
  Directive include = directiveAt(loc);
  const bool stays = headers == Headers::Separate;
  unsigned line =
      sources.getLineNumber(includer, unsigned(stays ? include.begin : include.lineEnd));
  std::string text = textOfHeader(header, includer, line, files);
  if (stays)
    text += buffer.slice(include.begin, include.lineEnd);
  files[includer].push_back({include.begin, include.lineEnd, text});
}

std::vector<SourceLocation> Editor::skippedIncludesOf(const std::vector<FileID> &headers) const {
  llvm::DenseSet<const FileEntry *> entries;
  for (FileID header : headers)
    entries.insert(sources.getFileEntryForID(header));
  std::vector<SourceLocation> locations;
  for (auto &[entry, name] : record.skippedIncludes)
    if (entries.contains(entry))
      locations.push_back(name);
  return locations;
}

} // namespace tessera::frontend
