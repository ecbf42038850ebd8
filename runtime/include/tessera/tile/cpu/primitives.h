// The bodies of the primitives for the CPU: plain C++ over the elements of a tile, one file per
// topic.
//
// Rules for all of them: loops run over contiguous elements and are written to vectorise, nothing
// allocates, nothing calls through a pointer inside a loop, and no input traps or is undefined
// where a GPU continues (division by zero, shifts past the width, conversions out of range).
#pragma once

// A loop that calls the C library, or any loop in an unoptimised build, stays scalar; users need no
// warning.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"

#include "elementwise.h"
#include "grid.h"
#include "memory.h"
#include "mma.h"
#include "reduce.h"
#include "shape.h"
#include "view.h"

#pragma clang diagnostic pop
