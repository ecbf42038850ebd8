// The tensor core of a warp: the matrix element in each register of each lane, and the
// instructions over it.
//
// Lane = 4 * group + member. In m16n8k16 a register holds two 16-bit elements, the one with the
// lower column (row, for b) in its low half:
//
//   a (16x16)          columns 2m, 2m+1   columns 2m+8, 2m+9      b (16x8)            column g      c, d (16x8)   columns 2m, 2m+1
//   row g              a[0]               a[2]                    rows 2m, 2m+1       b[0]          row g         c[0] c[1]
//   row g + 8          a[1]               a[3]                    rows 2m+8, 2m+9     b[1]          row g + 8     c[2] c[3]
//
// In m16n8k8 a register holds one tf32; c and d are as above:
//
//   a (16x8)           column m           column m + 4            b (8x8)             column g
//   row g              a[0]               a[2]                    row m               b[0]
//   row g + 8          a[1]               a[3]                    row m + 4           b[1]
//
// In m16n8k32 a register holds four bytes, the one with the lowest column (row, for b) lowest:
//
//   a (16x32)          columns 4m..4m+3   columns 4m+16..4m+19    b (32x8)            column g
//   row g              a[0]               a[2]                    rows 4m..4m+3       b[0]
//   row g + 8          a[1]               a[3]                    rows 4m+16..4m+19   b[1]
#pragma once

#include <cstddef>

namespace tessera::emulate {

struct position {
  int row;
  int column;

  friend constexpr bool operator==(position, position) = default;
};

constexpr int lane_group(int lane) { return lane / 4; }
constexpr int lane_member(int lane) { return lane % 4; }

// `half` is 0 for the low and 1 for the high 16 bits of the register.
constexpr position element_of_a16(int lane, int reg, int half) {
  return {lane_group(lane) + 8 * (reg % 2), 2 * lane_member(lane) + 8 * (reg / 2) + half};
}

constexpr position element_of_b16(int lane, int reg, int half) {
  return {2 * lane_member(lane) + 8 * reg + half, lane_group(lane)};
}

constexpr position element_of_a32(int lane, int reg) {
  return {lane_group(lane) + 8 * (reg % 2), lane_member(lane) + 4 * (reg / 2)};
}

constexpr position element_of_b32(int lane, int reg) {
  return {lane_member(lane) + 4 * reg, lane_group(lane)};
}

constexpr position element_of_a8(int lane, int reg, int byte) {
  return {lane_group(lane) + 8 * (reg % 2), 4 * lane_member(lane) + 16 * (reg / 2) + byte};
}

constexpr position element_of_b8(int lane, int reg, int byte) {
  return {4 * lane_member(lane) + 16 * reg + byte, lane_group(lane)};
}

constexpr position element_of_accumulator(int lane, int reg) {
  return {lane_group(lane) + 8 * (reg / 2), 2 * lane_member(lane) + reg % 2};
}

// The element of each 8x8 matrix that ldmatrix gives to a lane.
constexpr position element_of_ldmatrix(int lane, int half, bool transposed) {
  position p{lane_group(lane), 2 * lane_member(lane) + half};
  return transposed ? position{p.column, p.row} : p;
}

// d[0 .. count) from `count` = 1, 2 or 4 matrices, whose rows lanes 0 .. 8 * count point to.
void load_matrices(unsigned *d, const void *row, int count, bool transposed);
// Four matrices from d[0 .. 4), to rows that the lanes point to.
void store_matrices(void *row, const unsigned *d);

enum class operand { half, bf16, e4m3, e5m2 };

// d += a * b. Products are added in the order of k, in float; half accumulators are rounded once.
void multiply_m16n8k16(float *d, const unsigned *a, const unsigned *b, operand type);
void multiply_m16n8k16_half(unsigned *d, const unsigned *a, const unsigned *b);
// The low 13 bits of each element are ignored.
void multiply_m16n8k8_tf32(float *d, const unsigned *a, const unsigned *b);
// For fp8, and for 8-bit integers into ints, which wrap.
void multiply_m16n8k32(float *d, const unsigned *a, const unsigned *b, operand type);
void multiply_m16n8k32(int *d, const unsigned *a, const unsigned *b, bool is_a_signed,
                       bool is_b_signed);

} // namespace tessera::emulate
