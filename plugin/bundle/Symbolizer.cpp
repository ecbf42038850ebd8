// The lines of addresses, for reports of the runtime (runtime/src/cpu/source_line.cpp), whose words
// are the ones known here: --functions=none --relativenames --inlines --obj=FILE ADDRESS...
#include "bundle/Roles.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::bundle {

int symbolizer(int argc, char **argv) {
  symbolize::LLVMSymbolizer::Options options;
  options.PathStyle = DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath;
  options.PrintFunctions = DILineInfoSpecifier::FunctionNameKind::None;
  symbolize::LLVMSymbolizer symbolizer(options);
  std::string file;
  for (StringRef word : ArrayRef(argv, size_t(argc)).drop_front()) {
    uint64_t address = 0;
    if (word.consume_front("--obj="))
      file = word.str();
    else if (!word.getAsInteger(0, address)) {
      auto frames =
          symbolizer.symbolizeInlinedCode(file, {address, object::SectionedAddress::UndefSection});
      if (!frames) {
        consumeError(frames.takeError());
        continue;
      }
      for (unsigned i = 0; i < frames->getNumberOfFrames(); ++i) {
        const DILineInfo &line = frames->getFrame(i);
        outs() << (line.FileName == DILineInfo::BadString ? "??" : line.FileName) << ':'
               << line.Line << ':' << line.Column << '\n';
      }
      outs() << '\n';
    }
  }
  return 0;
}

} // namespace tessera::bundle
