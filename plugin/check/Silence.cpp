// Clang reports whether a warning is on at a location, but not what turned it off. So the state
// before and after each #include is queried; if it differs, that header did it.
#include "check/Silence.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::check {
namespace {

class Question {
public:
  Question(const DiagnosticsEngine &engine, unsigned warning)
      : engine(engine), sources(engine.getSourceManager()), warning(warning) {}

  // The warning is off there.
  bool isOfUser(FileID file, unsigned offset) const {
    FileID header;
    unsigned last = 0; // of the #include that turned it off
    // Querying a file may load others from a precompiled header into the map.
    SmallVector<FileEntryRef> files;
    for (const auto &known : llvm::make_range(sources.fileinfo_begin(), sources.fileinfo_end()))
      files.push_back(known.first);
    for (FileEntryRef entry : files) {
      FileID included = sources.translateFile(entry);
      SourceLocation location =
          included.isValid() ? sources.getIncludeLoc(included) : SourceLocation();
      auto [parent, at] = sources.getDecomposedLoc(location);
      if (location.isValid() && parent == file && at < offset && at >= last && at > 0 &&
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
  // Does the file have its own pragma? It may be about another warning; then nothing is reported.
  bool saysSo(FileID file, unsigned begin, unsigned end) const {
    return sources.getBufferData(file).slice(begin, end).contains("diagnostic ignored");
  }

  const DiagnosticsEngine &engine;
  const SourceManager &sources;
  unsigned warning;
};

} // namespace

bool isSilenced(const DiagnosticsEngine &engine, unsigned warning, SourceLocation location) {
  if (!engine.isIgnored(warning, location))
    return false;
  auto [file, offset] = engine.getSourceManager().getDecomposedExpansionLoc(location);
  return file.isInvalid() || Question(engine, warning).isOfUser(file, offset);
}

} // namespace tessera::check
