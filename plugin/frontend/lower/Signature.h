// The parameters of a kernel template, for hosts that deduce its arguments from arrays: the Python
// package. As JSON, a list with one entry for each template of the name:
//
//   template <class T, int W = 64> __tile_global__ void axpy(const T *x, array<T, 2> y, int n);
//
//   [{"template": [{"name": "T", "kind": "type"}, {"name": "W", "kind": "value", "default": "64"}],
//     "parameters": [{"name": "x",
//                     "type": {"pointer": {"parameter": "T"}, "const": true}},
//                    {"name": "y", "type": {"array": {"parameter": "T"}, "rank": 2}},
//                    {"name": "n", "type": {"type": "int"}}]}]
//
// Elements are described without const, which stands beside them. A rank that is a parameter of the
// template is its name; any other dependence on the template is {"dependent": SPELLING}.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>
#include <string>

namespace tessera::frontend {

// A consumer that writes the kernel templates of the qualified name; [] if there are none.
std::unique_ptr<clang::ASTConsumer> makeSignatureReader(std::string name, std::string &json);

} // namespace tessera::frontend
