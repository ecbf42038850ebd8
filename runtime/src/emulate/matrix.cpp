// The tensor core: lanes meet, the last one unpacks the registers of all into plain matrices,
// multiplies, and distributes the results.
#include <tessera/emulate/engine.h>
#include <tessera/emulate/matrix.h>
#include <tessera/emulate/memory.h>
#include <tessera/tile/cpu/formats.h>

#include <bit>
#include <cstdint>

namespace tessera::emulate {
namespace {

constexpr int lanes = warp_size;

std::uint16_t half_of(unsigned word, int half) {
  return static_cast<std::uint16_t>(word >> (16 * half));
}

// Scales the exponent by multiplication, which is exact for subnormals too, and branch-free.
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

namespace formats = cuda::tiles::__prim::cpu;
float float_of_e4m3(std::uint8_t bits) { return formats::e4m3_format::read(bits); }
float float_of_e5m2(std::uint8_t bits) { return formats::e5m2_format::read(bits); }
unsigned of_signed(std::uint8_t bits) {
  return static_cast<unsigned>(static_cast<std::int8_t>(bits));
}
unsigned of_unsigned(std::uint8_t bits) { return bits; }

// Number is float, or unsigned for integers, which wrap.
template <int K, class Number = float> struct matrices {
  Number a[16][K];
  Number b[K][8];
  Number d[16][8];

  Number &at_d(int lane, int reg) {
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

// A lane's operands of a multiply. Acc is float, or unsigned for two halves.
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

template <auto ConvertA, auto ConvertB, class Number, class Acc>
void gather_8(matrices<32, Number> &m, void *const *operands) {
  for (int lane = 0; lane != lanes; ++lane) {
    const auto &own = at<Acc>(operands, lane);
    for (int byte = 0; byte != 4; ++byte) {
      for (int reg = 0; reg != 4; ++reg) {
        position p = element_of_a8(lane, reg, byte);
        m.a[p.row][p.column] = ConvertA(static_cast<std::uint8_t>(own.a[reg] >> 8 * byte));
      }
      for (int reg = 0; reg != 2; ++reg) {
        position p = element_of_b8(lane, reg, byte);
        m.b[p.row][p.column] = ConvertB(static_cast<std::uint8_t>(own.b[reg] >> 8 * byte));
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

template <class Acc = float, int K, class Number>
void accumulate(matrices<K, Number> &m, void *const *operands) {
  for (int lane = 0; lane != lanes; ++lane)
    for (int reg = 0; reg != 4; ++reg)
      m.at_d(lane, reg) = static_cast<Number>(at<Acc>(operands, lane).d[reg]);
  m.multiply();
  for (int lane = 0; lane != lanes; ++lane)
    for (int reg = 0; reg != 4; ++reg)
      at<Acc>(operands, lane).d[reg] = static_cast<Acc>(m.at_d(lane, reg));
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

template <auto Convert> void multiply_32(void *const *operands, unsigned) {
  matrices<32> m;
  gather_8<Convert, Convert, float, float>(m, operands);
  accumulate(m, operands);
}

template <auto ConvertA, auto ConvertB>
void multiply_32_in_integers(void *const *operands, unsigned) {
  matrices<32, unsigned> m;
  gather_8<ConvertA, ConvertB, unsigned, int>(m, operands);
  accumulate<int>(m, operands);
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

void multiply_m16n8k32(float *d, const unsigned *a, const unsigned *b, operand type) {
  mma_operands<float> own{d, a, b};
  warp_meeting("mma_m16n8k32", whole_warp, &own,
               type == operand::e4m3 ? multiply_32<float_of_e4m3> : multiply_32<float_of_e5m2>);
}

void multiply_m16n8k32(int *d, const unsigned *a, const unsigned *b, bool is_a_signed,
                       bool is_b_signed) {
  mma_operands<int> own{d, a, b};
  auto of_a = [=]<auto ConvertA>() {
    return is_b_signed ? multiply_32_in_integers<ConvertA, of_signed>
                       : multiply_32_in_integers<ConvertA, of_unsigned>;
  };
  warp_meeting("mma_m16n8k32 in integers", whole_warp, &own,
               is_a_signed ? of_a.operator()<of_signed>() : of_a.operator()<of_unsigned>());
}

} // namespace tessera::emulate
