// The architectures of -arch, -code and -gencode.
#pragma once

#include "target/Target.h"
#include "nvcc/CommandLine.h"
#include "nvcc/Toolkit.h"

#include <optional>
#include <vector>

namespace tessera::nvcc {

// An image for a GPU, or PTX: "sm_90a" or "compute_90a", from a virtual architecture.
struct CodeWish {
  std::string virtualName; // "compute_90a"
  std::string name;
  bool isPtx() const { return llvm::StringRef(name).starts_with("compute_"); }
};

struct Architectures {
  std::vector<CodeWish> wishes; // in the order of the command line, each once
  // The architectures that tile code is compiled for, in numerical order.
  std::vector<const GpuTarget *> rows;
  bool hasOlder = false;   // there are others, which have no tile code
  bool hasUnknown = false; // there are names without a number, which nvcc refuses

  // The row that tile code for it is planned for; null if it has none.
  const GpuTarget *rowOf(const CodeWish &code) const;
};

// Nothing after a message.
std::optional<Architectures> readArchitectures(const CommandLine &line, const Toolkit &toolkit,
                                               llvm::raw_ostream &messages);

} // namespace tessera::nvcc
