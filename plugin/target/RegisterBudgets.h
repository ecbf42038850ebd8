// How many registers the plan counts on: policy, measured against ptxas over the kernels of the
// tests, the samples and TileGym (bench/registers.py). Registers of a thread, if not said
// otherwise.
#pragma once

#include <cstdint>

namespace tessera {

// Addresses, indices, predicates. Besides tiles: of the kernels with wgmma none spills that is left
// this many; one that is left 14 does.
constexpr int64_t registersBesidesMultiply = 40, registersBesidesTiles = 15;
// Of rows besides tiles: the addresses and partial results of as many chains of instructions as
// hide one another's latency.
constexpr int64_t registersBesidesRows = 24;
// Of a chain's loop besides its accumulators and operands: statistics of rows, addresses. With
// fewer, a second block does not fit the SM: attention of 128x64 tiles, D 128.
constexpr int64_t registersBesidesChain = 24;
// The same where sums of fp8 are promoted: D 128 by 128x128 takes 208 besides, and spills nothing
// in 224.
constexpr int64_t registersBesidesPromotedChain = 16;
// Of consumers beside a producer warp besides their tiles and scalars of floats: they start no
// copies, and ptxas keeps integers, which all threads of a block share, in uniform registers.
// Attention of fp8, which has 220 in tiles and scalars, spills nothing in 224.
constexpr int64_t registersBesidesTilesOfConsumers = 12;
// The coordinates of the remainder loop of the pass unroll-along-k.
constexpr int64_t registersOfRemainder = 16;
// A kernel of multiplies besides its accumulators, and one that calls functions of a math library
// besides its live tiles.
constexpr int64_t registersOfAddresses = 64, registersOfFunctions = 40;

// Of a block with a producer warp: what its threads keep, and the consumers' of two warpgroups
// (setmaxnreg). Chains of multiplies have two accumulators and an operand in registers, and their
// producer warp computes no threadblock swizzle; where they need no more than 232, the pass
// plan-occupancy divides as for one multiply.
struct RoleRegisters {
  int64_t producer, consumers;
};
constexpr RoleRegisters rolesOfMatmul{40, 232}, rolesOfChain{24, 240};
constexpr int64_t warpgroupsOfConsumers = 2;

// An accumulator of wgmma; several accumulators together, and their parts where they are split.
constexpr int64_t registersOfAccumulator = 128, registersOfAccumulators = 200,
                  registersOfParts = 128;
// Sums of fp8 that are promoted, of 64 rows and 128 columns of a warpgroup (promoted_mma_start).
constexpr int64_t registersOfPromotion = 64;
// The batches of a multiply that a thread holds together.
constexpr int64_t registersOfBatches = 128;
// An accumulator of two warpgroups and the tiles that its epilogue combines with it.
constexpr int64_t registersOfEpilogue = 160;
// An accumulator and operand A in registers; and an operand that is read ahead, too.
constexpr int64_t registersOfOperandAndAccumulator = 160, registersOfOperandsAhead = 192;
// A tile of more elements certainly lies in local memory.
constexpr int64_t maxRegistersOfTile = 224;

// Elements of an accumulator: that one warpgroup holds; that a block of two holds, and each of two
// blocks on an SM.
constexpr int64_t elementsOfWarpgroup = int64_t(64) * 128, elementsOfBlock = int64_t(128) * 256,
                  elementsOfTwoBlocks = int64_t(128) * 128;

} // namespace tessera
