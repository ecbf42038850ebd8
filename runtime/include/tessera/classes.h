// The classes of element types, by name: their headers cost more to parse than this runtime; a
// program that uses a class includes its header.
#pragma once

#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, ...) struct CLASS;
#include "elements.def"
