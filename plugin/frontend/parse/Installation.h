// Paths on this machine: the runtime's headers, Clang, a CUDA toolkit; and options for its
// processor.
#pragma once

#include <string>

namespace tessera::frontend {

// The folder of cuda_tile.h, next to that of this library; in a build tree a link points to it.
std::string runtimeIncludeDirectory();

// The folder of libtessera_cpu.a and its like.
std::string runtimeLibraryDirectory();

// The emulator's libcuda.so.1, in a folder of its own.
std::string emulatorDriver();

// The script that runs programs of cuTile Python.
std::string pythonLauncher();

// The clang++ in the folder of this program, as in a wheel, or the one that this was built against;
// programs are compiled by the same one.
std::string clangExecutable();

// Options by which Clang vectorises the loops over tiles for this processor. By itself it uses half
// of each vector register that AVX-512 has, for programs with few loops.
inline constexpr const char *vectorisation[] = {
    "-march=native",
    "-fopenmp-simd",
#ifdef __x86_64__
    "-mprefer-vector-width=512",
#endif
};

// "-fuse-ld=lld" if that linker is next to Clang, where it takes a third of the system's time; else
// empty.
std::string linkerOption();

// The folder of precompiled headers: TESSERA_CACHE_DIR, else the system's for the user. Empty: no
// cache.
std::string cacheFolder();

// The first toolkit found: `wanted` if not empty, CUDA_HOME, CUDA_PATH, the folder or link `cuda`
// beside the folder of this program (in a build tree the one that it was configured with),
// /usr/local/cuda, an nvidia/cu13 wheel. Empty if there is none.
std::string findCudaToolkit(const std::string &wanted);

} // namespace tessera::frontend
