// For the library's own arithmetic, in the first line of a function: lets a product and a sum in
// one expression become one FMA where the machine has it, although the program is compiled with
// -ffp-contract=off, so that its own expressions are the same on every machine.
#pragma once

#ifdef __clang__
#define TESSERA_FUSED _Pragma("clang fp contract(on)")
#else
#define TESSERA_FUSED
#endif
