// element_cast between element types: floats round to nearest, floats to integers towards zero,
// integers wrap.
#include "run.h"
#include <cuda_tile.h>
#include <cstdint>
namespace ct = cuda::tiles;

template <class From, class To> __tile_global__ void convert(const From *x, To *y) {
  auto lane = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(y + lane, ct::element_cast<To>(ct::load(x + lane)));
}

template <class From, class To> void check(const char *name, double scale, double shift = 0) {
  run::array<From> x(64, [&](auto i) { return float(run::small(i) * scale + shift); });
  run::array<To> y(64);
  convert<From, To><<<1, 1>>>(x, y);
  run::expect(name, y, [&](auto i) {
    if constexpr (std::is_integral_v<To> && std::is_integral_v<From>)
      return double(To(x.host[i]));
    else if constexpr (std::is_integral_v<To>)
      return double(To(float(x.host[i])));
    else
      return run::number(To(float(x.host[i])));
  });
}

int main() {
  check<float, __half>("f32 to f16", 3.3);
  check<float, __nv_bfloat16>("f32 to bf16", 3.3);
  check<float, double>("f32 to f64", 3.3);
  check<double, float>("f64 to f32", 3.3);
  check<__half, float>("f16 to f32", 3.3);
  check<__nv_bfloat16, float>("bf16 to f32", 3.3);
  check<__half, __nv_bfloat16>("f16 to bf16", 3.3);
  // With the sign of the type that they are read as they would be negative.
  check<unsigned char, float>("u8 to f32", 4, 200);
  check<unsigned short, int>("u16 to s32", 100, 40000);
  check<unsigned, double>("u32 to f64", 256, 3e9);
  check<float, int>("f32 to s32", 100.7);
  check<float, unsigned>("f32 to u32", 100.7, 300);
  check<float, signed char>("f32 to s8", 50);
  check<float, unsigned char>("f32 to u8", 50, 110);
  check<float, short>("f32 to s16", 1000);
  check<float, long long>("f32 to s64", 1000);
  check<int, float>("s32 to f32", 1000);
  check<unsigned, float>("u32 to f32", 1e9, 2.1e9);
  check<signed char, __half>("s8 to f16", 60);
  check<unsigned char, int>("u8 to s32", 60, 128);
  check<int, signed char>("s32 to s8", 1000);
  check<int, unsigned short>("s32 to u16", 1e6);
  check<long long, int>("s64 to s32", 1e9);
  check<int, long long>("s32 to s64", 1e8);
  check<float, bool>("f32 to bool", 1);
  check<bool, float>("bool to f32", 1);
  return run::finish();
}
