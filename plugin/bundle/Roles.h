// The programs that the executable of the bundle is, each as a function in the place of its main.
#pragma once

namespace tessera::bundle {

// clang++: Clang's driver, and with -cc1 as the first word its compiler.
int clang(int argc, char **argv);

// clangd, with Tessera in it.
int clangd(int argc, char **argv);

// ld.lld, for the C library that this process has loaded.
int linker(int argc, char **argv);

// llvm-symbolizer, as far as the runtime asks it.
int symbolizer(int argc, char **argv);

} // namespace tessera::bundle
