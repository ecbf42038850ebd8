// Places edits in files or in expanded macros, in two passes: the first decides which macro uses
// must be expanded.
#include "frontend/edit/Editor.h"

#include "frontend/parse/RawNames.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace tessera::frontend {

Editor::Editor(Preprocessor &preprocessor, const PreprocessorRecord &record)
    : preprocessor(preprocessor), sources(preprocessor.getSourceManager()), record(record) {}

CharSourceRange Editor::writtenRange(SourceRange tokens) const {
  return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(tokens), sources,
                                  preprocessor.getLangOpts());
}

llvm::DenseSet<FileID> Editor::editedFiles() const {
  llvm::DenseSet<FileID> files;
  for (const Edit &edit : edits)
    files.insert(sources.getFileID(sources.getExpansionLoc(edit.tokens.getBegin())));
  return files;
}

std::string Editor::textOf(SourceRange tokens) const {
  CharSourceRange range = writtenRange(tokens);
  if (range.isInvalid())
    return textWithin(tokens);
  auto [file, begin] = sources.getDecomposedLoc(range.getBegin());
  unsigned end = sources.getFileOffset(range.getEnd());
  StringRef buffer = sources.getBufferData(file);
  Lexer lexer(sources.getLocForStartOfFile(file), preprocessor.getLangOpts(), buffer.begin(),
              buffer.begin() + begin, buffer.end());
  std::string text;
  for (Token token;
       !lexer.LexFromRawLexer(token) && sources.getFileOffset(token.getLocation()) < end;) {
    if (!text.empty() && (token.hasLeadingSpace() || token.isAtStartOfLine()))
      text += ' ';
    text += preprocessor.getSpelling(token);
  }
  return text;
}

// The code of a range within one macro expansion.
std::string Editor::textWithin(SourceRange tokens) const {
  SourceLocation use = sources.getExpansionLoc(tokens.getBegin());
  auto found = record.expansions.find(use);
  if (found == record.expansions.end())
    return {};
  std::string text;
  bool isInside = false;
  for (size_t i = 0; i < found->second.size(); ++i) {
    const Token &token = found->second[i];
    isInside |= token.getLocation() == tokens.getBegin();
    if (!isInside)
      continue;
    text += (text.empty() ? "" : " ") + spell(found->second, i);
    if (token.getLocation() == tokens.getEnd())
      return text;
  }
  return {};
}

void Editor::editFile(const Edit &edit, CharSourceRange range, FileEdits &files) const {
  auto [file, begin] = sources.getDecomposedLoc(range.getBegin());
  size_t end = sources.getFileOffset(range.getEnd());
  switch (edit.kind) {
  case Edit::Replace:
    files[file].push_back({begin, end,
                           edit.text + linesBetween(sources.getBufferData(file), begin, end,
                                                    preprocessor.getLangOpts())});
    break;
  case Edit::Before: files[file].push_back({begin, begin, edit.text}); break;
  case Edit::After: files[file].push_back({end, end, edit.text}); break;
  }
}

// Specifiers stay macros in the output, where they have other definitions.
std::string Editor::spell(ArrayRef<Token> tokens, size_t i) const {
  // The macro of a token, and its use.
  auto specifierOf = [&](const Token &token) -> std::pair<std::string, SourceLocation> {
    for (SourceLocation loc = token.getLocation(); loc.isMacroID();
         loc = sources.getImmediateMacroCallerLoc(loc))
      if (std::string macro =
              joinedLines(Lexer::getImmediateMacroName(loc, sources, preprocessor.getLangOpts()));
          llvm::is_contained({"__tile__", "__tile_global__", "__host__", "__device__", "__global__",
                              "__shared__", "__constant__", "__managed__"},
                             macro))
        return {macro, sources.getImmediateExpansionRange(loc).getBegin()};
    return {};
  };
  auto specifier = specifierOf(tokens[i]);
  if (specifier.first.empty())
    return preprocessor.getSpelling(tokens[i]);
  bool isFirst = i == 0 || specifierOf(tokens[i - 1]) != specifier;
  return isFirst ? specifier.first + " " : "";
}

void Editor::EditedTokens::add(const Edit &edit, size_t first, size_t last) {
  (edit.kind == Edit::After ? after[last] : before[first]) += edit.text;
  if (edit.kind == Edit::Replace)
    std::fill(isRemoved.begin() + first, isRemoved.begin() + last + 1, true);
}

std::string Editor::linesOf(ArrayRef<Token> tokens) const {
  llvm::DenseMap<SourceLocation, size_t> locations;
  for (auto [i, token] : llvm::enumerate(tokens))
    locations.try_emplace(token.getLocation(), i);
  EditedTokens edited(tokens.size());
  for (const Edit &edit : edits) {
    auto first = locations.find(edit.tokens.getBegin()),
         last = locations.find(edit.tokens.getEnd());
    if (first != locations.end() && last != locations.end())
      edited.add(edit, first->second, last->second);
  }
  std::string text;
  unsigned line = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    PresumedLoc loc = sources.getPresumedLoc(sources.getExpansionLoc(tokens[i].getLocation()));
    unsigned own = loc.isValid() ? loc.getLine() : line;
    if (own == line + 1)
      text += '\n';
    else if (own != line)
      text += "\n#line " + std::to_string(own) + "\n";
    line = own;
    text +=
        edited.before[i] + (edited.isRemoved[i] ? "" : spell(tokens, i)) + edited.after[i] + " ";
  }
  return text;
}

bool Editor::editExpansion(SourceLocation use, const std::vector<const Edit *> &edits,
                           FileEdits &files) const {
  auto found = record.expansions.find(use);
  if (found == record.expansions.end())
    return false;
  const std::vector<Token> &tokens = found->second;
  auto indexOf = [&](SourceLocation location) {
    return std::find_if(tokens.begin(), tokens.end(),
                        [&](const Token &token) { return token.getLocation() == location; }) -
           tokens.begin();
  };
  EditedTokens edited(tokens.size());
  for (const Edit *edit : edits) {
    size_t first = indexOf(edit->tokens.getBegin()), last = indexOf(edit->tokens.getEnd());
    if (first >= tokens.size() || last >= tokens.size())
      return false;
    edited.add(*edit, first, last);
  }
  std::string text;
  for (size_t i = 0; i < tokens.size(); ++i) {
    text += edited.before[i];
    if (!edited.isRemoved[i])
      text += (tokens[i].hasLeadingSpace() || tokens[i].isAtStartOfLine() ? " " : "") +
              spell(tokens, i);
    text += edited.after[i];
  }
  CharSourceRange whole =
      sources.getExpansionRange(use.isFileID() ? tokens.front().getLocation() : use);
  editFile({Edit::Replace, {}, text}, writtenRange(whole.getAsRange()), files);
  return true;
}

Editor::FileEdits Editor::locationEdits(std::vector<SourceLocation> &failures) const {
  llvm::MapVector<SourceLocation, std::vector<const Edit *>> expanded;
  for (const Edit &edit : edits) {
    if (writtenRange(edit.tokens).isValid())
      continue;
    SourceLocation use = sources.getExpansionLoc(edit.tokens.getBegin());
    if (use != sources.getExpansionLoc(edit.tokens.getEnd()))
      failures.push_back(use);
    else
      expanded[use];
  }
  FileEdits files;
  for (auto &[entry, inclusions] : record.inclusions)
    for (FileID file : inclusions)
      if (record.changedFiles.count(sources.getFileEntryRefForID(file)->getName().str()))
        files.try_emplace(file);
  // A macro argument is edited once, however often it is expanded.
  llvm::DenseMap<SourceLocation, SourceLocation> copies;
  for (const Edit &edit : edits) {
    SourceLocation begin = edit.tokens.getBegin(), use = sources.getExpansionLoc(begin);
    if (begin.isMacroID() && expanded.contains(use))
      expanded[use].push_back(&edit);
    else if (CharSourceRange range = writtenRange(edit.tokens);
             range.isValid() && copies.try_emplace(range.getBegin(), begin).first->second == begin)
      editFile(edit, range, files);
  }
  for (auto &[use, inside] : expanded)
    if (!editExpansion(use, inside, files))
      failures.push_back(use);
  return files;
}

const std::vector<FileID> &Editor::inclusionsOf(FileID file) const {
  static const std::vector<FileID> none;
  auto found = record.inclusions.find(sources.getFileEntryForID(file));
  return found == record.inclusions.end() ? none : found->second;
}

View Editor::view(std::vector<SourceLocation> &failures) const {
  View result;
  for (auto &[file, placed] : locationEdits(failures)) {
    const std::vector<FileID> &inclusions = inclusionsOf(file);
    result.push_back({sources.getFileEntryRefForID(file)->getName().str(),
                      unsigned(llvm::find(inclusions, file) - inclusions.begin()),
                      sources.getBufferData(file).size(), placed});
  }
  return result;
}

// An equal edit of another view is not repeated.
void Editor::addView(const View &view, FileEdits &files) const {
  for (const ViewEdits &other : view) {
    auto entry = preprocessor.getFileManager().getOptionalFileRef(other.file);
    auto found = entry ? record.inclusions.find(&entry->getFileEntry()) : record.inclusions.end();
    if (found == record.inclusions.end() || other.inclusion >= found->second.size())
      continue;
    std::vector<TextEdit> &own = files[found->second[other.inclusion]];
    size_t known = own.size();
    for (const TextEdit &edit : other.edits)
      if (llvm::none_of(ArrayRef(own).take_front(known), [&](const TextEdit &seen) {
            return seen.begin == edit.begin && seen.end == edit.end && seen.text == edit.text;
          }))
        own.push_back(edit);
  }
}

} // namespace tessera::frontend
