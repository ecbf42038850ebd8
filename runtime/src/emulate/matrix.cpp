// The matrix unit: lanes meet, the last one spreads the registers of all into plain matrices,
// multiplies, and hands the results out.
#include <tessera/emulate/engine.h>
#include <tessera/emulate/matrix.h>
#include <tessera/emulate/memory.h>

#include <bit>
#include <cstdint>

namespace tessera::emulate {
namespace {

constexpr int lanes = warp_size;

std::uint16_t half_of(unsigned word, int half) {
  return static_cast<std::uint16_t>(word >> (16 * half));
}

// Moves the exponent by multiplication, which is exact for subnormals too, and without branches.
float float_of_half(std::uint16_t bits) {
  unsigned magnitude = (bits & 0x7FFFu) << 13;
  bool is_finite = magnitude < 0x7C00u << 13;
  float value = is_finite ? std::bit_cast<float>(magnitude) * 0x1p112f
                          : std::bit_cast<float>(magnitude | 0x7F800000u);
  return std::bit_cast<float>(std::bit_cast<unsigned>(value) | (bits & 0x8000u) << 16);
}

float float_of_bf16(std::uint16_t bits) { return std::bit_cast<float>(unsigned(bits) << 16); }

float float_of_tf32(unsigned bits) { return std::bit_cast<float>(bits & 0xFFFFE000u); }

unsigned halves_of(float low, float high) {
  auto bits = [](float x) {
    return unsigned(std::bit_cast<std::uint16_t>(static_cast<_Float16>(x)));
  };
  return bits(low) | bits(high) << 16;
}

template <int K> struct matrices {
  float a[16][K];
  float b[K][8];
  float d[16][8];

  float &at_d(int lane, int reg) {
    position p = element_of_accumulator(lane, reg);
    return d[p.row][p.column];
  }

  void multiply() {
    for (int i = 0; i != 16; ++i)
      for (int k = 0; k != K; ++k)
        for (int j = 0; j != 8; ++j)
          d[i][j] += a[i][k] * b[k][j];
  }
};

// What a lane brings to a multiplication. Acc is float, or unsigned for two halves.
template <class Acc> struct mma_operands {
  Acc *d;
  const unsigned *a;
  const unsigned *b;
};

template <class Acc> const mma_operands<Acc> &at(void *const *operands, int lane) {
  return *static_cast<const mma_operands<Acc> *>(operands[lane]);
}

template <auto Convert, class Acc> void gather_16(matrices<16> &m, void *const *operands) {
  for (int lane = 0; lane != lanes; ++lane) {
    const auto &own = at<Acc>(operands, lane);
    for (int half = 0; half != 2; ++half) {
      for (int reg = 0; reg != 4; ++reg) {
        position p = element_of_a16(lane, reg, half);
        m.a[p.row][p.column] = Convert(half_of(own.a[reg], half));
      }
      for (int reg = 0; reg != 2; ++reg) {
        position p = element_of_b16(lane, reg, half);
        m.b[p.row][p.column] = Convert(half_of(own.b[reg], half));
      }
    }
  }
}

void gather_tf32(matrices<8> &m, void *const *operands) {
  for (int lane = 0; lane != lanes; ++lane) {
    const auto &own = at<float>(operands, lane);
    for (int reg = 0; reg != 4; ++reg) {
      position p = element_of_a32(lane, reg);
      m.a[p.row][p.column] = float_of_tf32(own.a[reg]);
    }
    for (int reg = 0; reg != 2; ++reg) {
      position p = element_of_b32(lane, reg);
      m.b[p.row][p.column] = float_of_tf32(own.b[reg]);
    }
  }
}

template <int K> void accumulate(matrices<K> &m, void *const *operands) {
  for (int lane = 0; lane != lanes; ++lane)
    for (int reg = 0; reg != 4; ++reg)
      m.at_d(lane, reg) = at<float>(operands, lane).d[reg];
  m.multiply();
  for (int lane = 0; lane != lanes; ++lane)
    for (int reg = 0; reg != 4; ++reg)
      at<float>(operands, lane).d[reg] = m.at_d(lane, reg);
}

template <auto Convert> void multiply_16(void *const *operands, unsigned) {
  matrices<16> m;
  gather_16<Convert, float>(m, operands);
  accumulate(m, operands);
}

void multiply_16_half(void *const *operands, unsigned) {
  matrices<16> m;
  gather_16<float_of_half, unsigned>(m, operands);
  for (int lane = 0; lane != lanes; ++lane)
    for (int reg = 0; reg != 4; ++reg)
      m.at_d(lane, reg) = float_of_half(half_of(at<unsigned>(operands, lane).d[reg / 2], reg % 2));
  m.multiply();
  for (int lane = 0; lane != lanes; ++lane)
    for (int pair = 0; pair != 2; ++pair)
      at<unsigned>(operands, lane).d[pair] =
          halves_of(m.at_d(lane, 2 * pair), m.at_d(lane, 2 * pair + 1));
}

void multiply_8_tf32(void *const *operands, unsigned) {
  matrices<8> m;
  gather_tf32(m, operands);
  accumulate(m, operands);
}

struct ldmatrix_operands {
  unsigned *d;
  int count;
  bool transposed;
  std::uint16_t row[8]; // of matrix lane / 8, if there is one
};

struct stmatrix_operands {
  const unsigned *d;
  std::uint16_t row[8];
};

void collect(void *const *operands, unsigned) {
  auto at = [&](int lane) -> stmatrix_operands & {
    return *static_cast<stmatrix_operands *>(operands[lane]);
  };
  for (int lane = 0; lane != lanes; ++lane)
    for (int matrix = 0; matrix != 4; ++matrix)
      for (int half = 0; half != 2; ++half) {
        position p = element_of_ldmatrix(lane, half, false);
        at(8 * matrix + p.row).row[p.column] =
            static_cast<std::uint16_t>(at(lane).d[matrix] >> 16 * half);
      }
}

void distribute(void *const *operands, unsigned) {
  auto at = [&](int lane) -> ldmatrix_operands & {
    return *static_cast<ldmatrix_operands *>(operands[lane]);
  };
  for (int lane = 0; lane != lanes; ++lane)
    for (int matrix = 0; matrix != at(lane).count; ++matrix) {
      auto element = [&](int half) {
        position p = element_of_ldmatrix(lane, half, at(lane).transposed);
        return unsigned(at(8 * matrix + p.row).row[p.column]);
      };
      at(lane).d[matrix] = element(0) | element(1) << 16;
    }
}

} // namespace

void load_matrices(unsigned *d, const void *row, int count, bool transposed) {
  ldmatrix_operands own{d, count, transposed, {}};
  if (current->lane() < 8u * static_cast<unsigned>(count))
    read_shared(row, own.row, sizeof own.row, __builtin_return_address(0));
  warp_meeting("ldmatrix", whole_warp, &own, distribute);
}

void store_matrices(void *row, const unsigned *d) {
  stmatrix_operands own{d, {}};
  warp_meeting("stmatrix", whole_warp, &own, collect);
  write_shared(row, own.row, sizeof own.row, __builtin_return_address(0));
}

void multiply_m16n8k16(float *d, const unsigned *a, const unsigned *b, operand type) {
  mma_operands<float> own{d, a, b};
  warp_meeting("mma_m16n8k16", whole_warp, &own,
               type == operand::half ? multiply_16<float_of_half> : multiply_16<float_of_bf16>);
}

void multiply_m16n8k16_half(unsigned *d, const unsigned *a, const unsigned *b) {
  mma_operands<unsigned> own{d, a, b};
  warp_meeting("mma_m16n8k16 with half accumulators", whole_warp, &own, multiply_16_half);
}

void multiply_m16n8k8_tf32(float *d, const unsigned *a, const unsigned *b) {
  mma_operands<float> own{d, a, b};
  warp_meeting("mma_m16n8k8_tf32", whole_warp, &own, multiply_8_tf32);
}

} // namespace tessera::emulate
