// Execution spaces where the arguments of a template are substituted: nvcc asks for the space of a
// function where it is called in code that runs, Clang where it is chosen, also in operands that
// nothing evaluates.
//
//   template <class T> concept printable = requires(T x) { print_on_host(x); };
//   __tile_global__ void k() { if constexpr (printable<float>) ... }   // yes
//
// Here Clang does not ask while tile code has something substituted: aliases, concepts,
// requirements, defaults of template arguments. Not in types of functions, which are made in their
// own scope. Where a call is run it asks again, by another rule.
#pragma once

namespace clang {
class Sema;
}

namespace tessera::frontend {

// Once for each parse; more often does nothing.
void allowOtherSpacesInSubstitution(clang::Sema &sema);

} // namespace tessera::frontend
