// Behind the runtime's own text: gives back what macros_begin.h has put aside.
// Made by test/runtime_names.py, which says more, of the names in the runtime's headers.
//
// Included once for each pair, so there is no #pragma once.
#if defined __tessera_aside_4
#undef __tessera_aside_4
#elif defined __tessera_aside_3
#undef __tessera_aside_3
#elif defined __tessera_aside_2
#undef __tessera_aside_2
#else
#undef __tessera_aside_1
#ifdef __tessera_aside
#undef __tessera_aside
#include "macros_back.h"
#endif
#endif
