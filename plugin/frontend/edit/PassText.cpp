// Queries the record of a parse; BothPasses.cpp decides what to do with the results.
#include "frontend/edit/PassText.h"
#include "frontend/parse/Attributes.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace tessera::frontend {

PassText::PassText(const Pass &pass) : pass(pass), sources(pass.compiler.getSourceManager()) {
  for (auto [i, token] : llvm::enumerate(pass.record.tokens))
    indices.try_emplace(token.getLocation(), i);
}

FileLocation PassText::locationOf(FileID file, size_t offset) const {
  auto entry = sources.getFileEntryRefForID(file);
  if (!entry)
    return {"", 0, offset};
  unsigned inclusion = 0;
  if (auto found = pass.record.inclusions.find(&entry->getFileEntry());
      found != pass.record.inclusions.end())
    inclusion = unsigned(llvm::find(found->second, file) - found->second.begin());
  return {entry->getName().str(), inclusion, offset};
}

FileLocation PassText::locationOf(SourceLocation location) const {
  auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(location));
  return locationOf(file, offset);
}

std::optional<PassText::Range> PassText::find(SourceRange tokens) const {
  auto first = indices.find(tokens.getBegin()), last = indices.find(tokens.getEnd());
  if (first == indices.end() || last == indices.end() || first->second > last->second)
    return {};
  return Range{first->second, last->second};
}

std::string PassText::spelling(size_t token) const {
  return pass.compiler.getPreprocessor().getSpelling(pass.record.tokens[token]);
}

bool PassText::isSemicolon(size_t token) const {
  return token < pass.record.tokens.size() && pass.record.tokens[token].is(tok::semi);
}

std::vector<std::string> PassText::outline(Range range, ArrayRef<Range> bodies) const {
  std::vector<std::string> words;
  for (size_t i = range.first; i <= range.last; ++i) {
    std::string word = spelling(i);
    auto body = llvm::find_if(bodies, [&](const Range &each) { return each.first == i; });
    if (body != bodies.end()) {
      words.push_back("{}");
      i = body->last;
    } else if (word == "__attribute__") {
      for (int depth = 0; ++i <= range.last;) {
        depth += pass.record.tokens[i].is(tok::l_paren);
        depth -= pass.record.tokens[i].is(tok::r_paren);
        if (depth == 0)
          break;
      }
    } else if (!llvm::is_contained({"inline", "__inline__", "__inline", "static"}, word)) {
      words.push_back(word);
    }
  }
  return words;
}

bool PassText::hasSame(Range range, const PassText &other, Range others) const {
  if (range.last - range.first != others.last - others.first)
    return false;
  for (size_t i = 0; i <= range.last - range.first; ++i)
    if (spelling(range.first + i) != other.spelling(others.first + i))
      return false;
  return true;
}

std::string PassText::linesOf(size_t first, size_t end, unsigned line) const {
  return pass.editor.linesOf(ArrayRef(pass.record.tokens).slice(first, end - first)) + "\n#line " +
         std::to_string(line) + "\n";
}

unsigned PassText::lineOf(SourceLocation location) const {
  return sources.getPresumedLoc(sources.getExpansionLoc(location)).getLine();
}

std::optional<PassText::Condition> PassText::conditionAround(SourceLocation location,
                                                             const PassText &other) const {
  using Recorded = PreprocessorRecord::Condition;
  location = sources.getExpansionLoc(location);
  for (; location.isValid(); location = sources.getIncludeLoc(sources.getFileID(location))) {
    auto [file, offset] = sources.getDecomposedLoc(location);
    const Recorded *smallest = nullptr;
    for (const Recorded &each : pass.record.conditions)
      if (each.file == file && each.begin < offset && offset < each.end &&
          (!smallest || smallest->begin < each.begin) &&
          llvm::any_of(
              other.pass.record.conditions,
              [&](const Recorded &others) {
                return other.locationOf(others.file, others.begin).key() ==
                       locationOf(file, each.begin).key();
              }))
        smallest = &each;
    if (!smallest)
      continue;
    StringRef buffer = sources.getBufferData(file);
    size_t begin = buffer.rfind('\n', smallest->begin);
    auto lineAt = [&](unsigned at) { return lineOf(sources.getComposedLoc(file, at)); };
    return Condition{locationOf(file, begin == StringRef::npos ? 0 : begin + 1),
                     locationOf(file, std::min(buffer.find('\n', smallest->end), buffer.size())),
                     lineAt(smallest->begin), lineAt(smallest->end)};
  }
  return {};
}

size_t PassText::sizeOf(const std::string &file) const {
  auto entry = pass.compiler.getFileManager().getOptionalFileRef(file);
  FileID id = entry ? sources.translateFile(*entry) : FileID();
  return id.isValid() ? sources.getBufferData(id).size() : 0;
}

bool PassText::isUsers(const Decl *declaration) const {
  SourceLocation loc = sources.getExpansionLoc(declaration->getLocation());
  return loc.isValid() && !sources.isInSystemHeader(loc) &&
         sources.getFileEntryForID(sources.getFileID(loc)) && !isTileLibrary(declaration);
}

} // namespace tessera::frontend
