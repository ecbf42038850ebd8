#include "nvcc/TextCompiler.h"

#include "driver/CompilerReport.h"
#include "driver/PtxasReport.h"
#include "driver/Translate.h"

using namespace llvm;

namespace tessera::nvcc {

std::string toldOf(StringRef report, const CompiledText &text) {
  return driver::forUser(text.readsUse ? driver::withoutUse(report) : report.str(), text.kernels);
}

int compileText(const driver::Words &words, const CompiledText &text, raw_ostream &messages,
                std::string *wanted) {
  using driver::Blame;
  if (text.isRun)
    return driver::execute(words, {}, messages);
  std::string report;
  int status = driver::execute(words, {text.folder, &report, text.takesOutput ? &report : nullptr},
                               messages);
  if (status == 0 && wanted)
    return *wanted = std::move(report), 0;
  messages << toldOf(report, text);
  if (status == 0)
    return 0;
  auto [blame, why] = driver::explainFailure(text.program, *text.folder, report);
  // nvcc has reported everything about the program's own code.
  if (blame == Blame::Tessera || blame == Blame::Machine)
    messages << "tessera-nvcc: " << why << '\n';
  return blame == Blame::Tessera ? int(driver::Outcome::crashed) : status;
}

int runCompiler(const driver::Words &words, std::string *output) {
  driver::TemporaryFolder folder;
  if (!folder)
    return errs() << "tessera-nvcc: " << folder.problem() << '\n', 1;
  return driver::execute(words, {&folder, nullptr, output});
}

} // namespace tessera::nvcc
