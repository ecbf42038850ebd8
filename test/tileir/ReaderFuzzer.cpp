// libFuzzer's entry: any bytes are a module, which is printed, or an error.
//
//   tileir_fuzzer COPY_OF_THE_CORPUS -max_len=4096
#include "tileir/Reader.h"
#include "tileir/Text.h"

#include "llvm/Support/raw_ostream.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto module = tessera::tileir::read(llvm::MemoryBuffer::getMemBufferCopy(bytes));
  if (!module) {
    llvm::consumeError(module.takeError());
    return 0;
  }
  llvm::raw_null_ostream nowhere;
  tessera::tileir::print(*module, nowhere);
  return 0;
}
