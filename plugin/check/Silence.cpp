// Clang tells whether a warning is on at a place, and not what has turned it off. So the places
// before and after each #include are asked; where one makes the difference its header has done it.
#include "check/Silence.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::check {
namespace {

class Question {
public:
  Question(const DiagnosticsEngine &engine, unsigned warning)
      : engine(engine), sources(engine.getSourceManager()), warning(warning) {}

  // It is off there.
  bool isOfUser(FileID file, unsigned offset) const {
    FileID header;
    unsigned last = 0; // of the #include that has turned it off
    // Asking about a file may read others from a precompiled header, which the map then has.
    SmallVector<FileEntryRef> files;
    for (const auto &known : llvm::make_range(sources.fileinfo_begin(), sources.fileinfo_end()))
      files.push_back(known.first);
    for (FileEntryRef entry : files) {
      FileID included = sources.translateFile(entry);
      SourceLocation place =
          included.isValid() ? sources.getIncludeLoc(included) : SourceLocation();
      auto [parent, at] = sources.getDecomposedLoc(place);
      if (place.isValid() && parent == file && at < offset && at >= last && at > 0 &&
          !isOff(file, at - 1) && isOff(file, at))
        header = included, last = at;
    }
    if (header.isValid())
      return saysSo(file, last, offset) ||
             (!isOfSystem(header) && isOfUser(header, sources.getFileIDSize(header)));
    SourceLocation outside = sources.getIncludeLoc(file);
    if (outside.isInvalid() || !isOff(file, 0) || saysSo(file, 0, offset))
      return true;
    auto [parent, at] = sources.getDecomposedLoc(outside);
    return isOfUser(parent, at);
  }

private:
  bool isOff(FileID file, unsigned offset) const {
    return engine.isIgnored(warning, sources.getComposedLoc(file, offset));
  }
  bool isOfSystem(FileID file) const {
    return sources.isInSystemHeader(sources.getLocForStartOfFile(file));
  }
  // Is there a pragma of the file's own? It may be about another warning; then nothing is said.
  bool saysSo(FileID file, unsigned begin, unsigned end) const {
    return sources.getBufferData(file).slice(begin, end).contains("diagnostic ignored");
  }

  const DiagnosticsEngine &engine;
  const SourceManager &sources;
  unsigned warning;
};

} // namespace

bool isSilenced(const DiagnosticsEngine &engine, unsigned warning, SourceLocation place) {
  if (!engine.isIgnored(warning, place))
    return false;
  auto [file, offset] = engine.getSourceManager().getDecomposedExpansionLoc(place);
  return file.isInvalid() || Question(engine, warning).isOfUser(file, offset);
}

} // namespace tessera::check
