// The other name under which CUDA Tile C++ programs include the public header.
#pragma once
#include "../cuda_tile.h"
