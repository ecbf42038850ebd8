// What all GPUs of Machines.def have in common, by PTX and the CUDA guide.
#pragma once

#include <cstdint>

namespace tessera {

// Registers of a thread, rounded up to a power of two: an instruction can name one less. They are
// allocated in units of the granularity.
constexpr int64_t registersOfThread = 256, registerGranularity = 8;
// What an SM keeps of its shared memory for each block, in bytes.
constexpr int64_t sharedOfSystem = 1024;

// Bytes that an instruction of a thread moves at most, and that an asynchronous copy moves at
// least.
constexpr int64_t bytesPerInstruction = 16, minBytesOfCopy = 4;
// Bytes of a line of a cache, and of the sectors in which memory moves.
constexpr int64_t bytesOfLine = 128, bytesOfSector = 32;

// Tensor maps of bulk copies: their bytes, the elements of a box along a dimension, and dimensions.
constexpr int64_t bytesOfTensorMap = 128, maxOfBox = 256, maxDimensions = 5;

// A tile in panels, with the swizzle of 128, 64 or 32 bytes of wgmma and TMA: the bytes of a row at
// most and at least, and the rows over which the swizzle repeats.
constexpr int64_t bytesOfPanel = 128, minBytesOfPanel = 32, rowsOfSwizzle = 8;

} // namespace tessera
