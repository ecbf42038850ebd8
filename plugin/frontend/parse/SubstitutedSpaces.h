// Execution spaces in the substitution of template arguments: nvcc checks the space of a function
// where evaluated code calls it, Clang where overload resolution selects it, also in unevaluated
// operands.
//
//   template <class T> concept printable = requires(T x) { print_on_host(x); };
//   __tile_global__ void k() { if constexpr (printable<float>) ... }   // yes
//
// Here Clang does not check while tile code substitutes aliases, concepts, requirements, or default
// template arguments. Function types are excluded, since they are made in their own scope.
// Evaluated calls are checked again, by another rule.
#pragma once

namespace clang {
class Sema;
}

namespace tessera::frontend {

// Once for each parse; repeated calls do nothing.
void allowOtherSpacesInSubstitution(clang::Sema &sema);

} // namespace tessera::frontend
