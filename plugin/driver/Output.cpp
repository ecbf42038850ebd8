// A temporary file beside the output is renamed when it is complete, so that nobody ever reads half
// a file.
#include "driver/Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::driver {

int writeOutput(const std::string &text, const Options &options) {
  const std::string &stage = options.settings.pipeline.dumpStage;
  if (options.output == "-" || stage == "simt") {
    outs() << text;
    return 0;
  }
  if (!stage.empty())
    return 0;
  SmallString<128> path(options.output);
  if (path.empty()) {
    path = options.commandLine.file;
    sys::path::replace_extension(path, "simt.cu");
  }
  Error error = writeToOutput(path, [&](raw_ostream &stream) {
    stream << text;
    return Error::success();
  });
  if (!error)
    return 0;
  errs() << "tessera: cannot write '" << path << "': " << toString(std::move(error)) << '\n';
  return 2;
}

} // namespace tessera::driver
