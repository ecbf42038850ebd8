// The command line of tileiras: what producers of Tile IR bytecode ask of NVIDIA's program of that
// name, and what ours can do besides.
#pragma once

#include "support/Checks.h"
#include "support/PlanPolicy.h"
#include "target/Target.h"

#include <optional>
#include <string>

namespace tessera::tileiras {

// What is written.
enum class Product { Cubin, Cuda, TileIr, Library, CpuLibrary, CpuText };

// Is it a library of this machine?
constexpr bool isLibrary(Product product) {
  return product == Product::Library || product == Product::CpuLibrary;
}
// Are its kernels those of the CPU, with whole tiles?
constexpr bool isWhole(Product product) {
  return product == Product::CpuLibrary || product == Product::CpuText;
}

struct Options {
  std::string input, output;
  Product product = Product::Cubin;
  std::string gpuName = "sm_90";
  const GpuTarget *target = nullptr; // null: there is no row for it
  std::string optimization = "3";
  bool hasLineInfo = false;
  Checks checks;
  PlanPolicy policy;
  std::string remarksFile; // empty: none
};

// Prints a message and gives nothing for a command line that cannot be obeyed; exits after --help
// and --version.
std::optional<Options> readOptions(int argc, char **argv);

} // namespace tessera::tileiras
