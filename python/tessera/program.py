"""The program that is compiled for one kernel: the user's source, and what a host needs of it."""

import os
import pathlib
import re

# Passed by function pointers, so that any way of writing the kernel works.
_ENTRY = """#include "{source}"
#include <cuda_runtime.h>
#include <tessera/interop/entry.h>

namespace {{
template <class... P, std::size_t... I>
void run(void (*kernel)(P...), const tessera::interop::launch &l, std::index_sequence<I...>) {{
  kernel<<<dim3(l.grid[0], l.grid[1], l.grid[2]), 1, 0, cudaStream_t(l.stream)>>>(
      *static_cast<std::remove_cv_t<P> *>(l.arguments[I])...);
}}
template <class... P> void start(void (*kernel)(P...), const tessera::interop::launch &l) {{
  run(kernel, l, std::index_sequence_for<P...>());
}}
const char *launch(const tessera::interop::launch &l) {{
  start({kernel}, l);
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}}
const char *wait(void *stream) {{
  const cudaError_t error = cudaStreamSynchronize(cudaStream_t(stream));
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}}
bool is_known(const void *address) {{
  cudaPointerAttributes attributes = {{}};
  const bool is_found = cudaPointerGetAttributes(&attributes, address) == cudaSuccess;
  if (!is_found)
    cudaGetLastError();
  return is_found && attributes.type != cudaMemoryTypeUnregistered;
}}
template <class... P> tessera::interop::kernel_entry describe(void (*)(P...)) {{
  return {{tessera::interop::entry_version, sizeof...(P), tessera::interop::parameters_of<P...>,
          launch, wait, is_known}};
}}
}} // namespace

extern "C" __attribute__((visibility("default"))) const tessera::interop::kernel_entry *
tessera_kernel_entry() {{
  static const tessera::interop::kernel_entry entry = describe({kernel});
  return &entry;
}}
"""


def is_path(source):
    """Is it the name of a file, and not a program?"""
    return isinstance(source, os.PathLike) or (
        "\n" not in source and source.endswith((".cu", ".cuh", ".h", ".hpp", ".cpp"))
    )


def text(source_path, kernel):
    """The program for a kernel of the file."""
    name = str(source_path).replace("\\", "\\\\").replace('"', '\\"')
    return _ENTRY.format(source=name, kernel=kernel)


def source_text(source):
    """The text of a path or of a program."""
    return pathlib.Path(source).read_text() if is_path(source) else source


def parameter_names(source, kernel):
    """The names of the kernel's parameters, where its definition is in the text; else nothing."""
    base = re.escape(kernel.split("<")[0].split("::")[-1].strip())
    source = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.S)
    match = re.search(rf"__tile_global__[^;{{}}()]*\b{base}\s*\(", source)
    if not match:
        return []
    names, depth, start = [], 0, match.end()
    for position in range(match.end(), len(source)):
        letter = source[position]
        if letter in "(<[{":
            depth += 1
        elif letter in ")>]}" and depth > 0:
            depth -= 1
        elif depth == 0 and letter in "),":
            parameter = source[start:position].split("=")[0]
            words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^\]]*\]\s*$", "", parameter))
            names += words[-1:]
            start = position + 1
            if letter == ")":
                break
    return names
