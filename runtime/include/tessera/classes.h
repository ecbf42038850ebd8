// The classes of element types, by name: the headers that define them cost more than this runtime,
// and a program that uses one includes its header.
#pragma once

#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, ...) struct CLASS;
#include "elements.def"
