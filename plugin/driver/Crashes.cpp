#include "driver/Crashes.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <string>

namespace tessera::driver {

bool survives(const char *tool, llvm::function_ref<void()> work) {
  static std::string message; // which LLVM keeps
  message = std::string(tool) + ": this is a bug in " + tool +
            ", please report it with the program and these lines\n";
  llvm::setBugReportMsg(message.c_str());
  llvm::EnablePrettyStackTrace();
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  recovery.DumpStackAndCleanupOnFailure = true;
  bool isAlive = recovery.RunSafely(work);
  llvm::CrashRecoveryContext::Disable();
  return isAlive;
}

} // namespace tessera::driver
