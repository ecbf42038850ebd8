// One executable instead of tessera, tessera-nvcc, tessera-clangd, tileiras, clang++, ld.lld and
// llvm-symbolizer, which would each contain LLVM. It is tessera, or what its first word names:
//
//   tessera --program=clang++ ...
//
// A script of each other's name starts it so (program.sh.in).
#include "bundle/Roles.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

// Each program's Main.cpp, with its main by another name (CMakeLists.txt).
int tesseraMain(int argc, char **argv);
int tesseraNvccMain(int argc, char **argv);
int tileirasMain(int argc, char **argv);

namespace {

struct Role {
  llvm::StringLiteral name;
  int (*main)(int, char **);
};

constexpr Role roles[] = {
    {"tessera", tesseraMain},
    {"tessera-nvcc", tesseraNvccMain},
    {"tessera-clangd", tessera::bundle::clangd},
    {"tileiras", tileirasMain},
    {"clang++", tessera::bundle::clang},
    {"ld.lld", tessera::bundle::linker},
    {"llvm-symbolizer", tessera::bundle::symbolizer},
};

} // namespace

int main(int argc, char **argv) {
  llvm::StringRef name = argc > 1 ? argv[1] : "";
  if (!name.consume_front("--program="))
    return tesseraMain(argc, argv);
  for (const Role &role : roles)
    if (role.name == name)
      return role.main(argc - 1, argv + 1);
  llvm::errs() << "tessera: there is no program " << name << " in this one\n";
  return 2;
}
