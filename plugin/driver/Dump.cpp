#include "driver/Dump.h"

#include "support/Messages.h"
#include "tileir/Reader.h"
#include "tileir/Text.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::driver {

int dumpBytecode(const std::string &file) {
  auto bytes = MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!bytes) {
    errs() << "tessera: " << formatv(message::CannotRead, file, bytes.getError().message()) << '\n';
    return 2;
  }
  Expected<tileir::Module> module = tileir::read(std::move(*bytes));
  if (!module) {
    errs() << file << ": error: " << toString(module.takeError()) << '\n';
    return 1;
  }
  tileir::print(*module, outs());
  return 0;
}

} // namespace tessera::driver
