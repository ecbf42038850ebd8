// Arithmetic of bf16 is the same to the last bit on every target: every operation and rounding, on
// values dense in special ones. So are conversions of every code of the smaller formats.
#include "numerics_floats.h"

using namespace numerics;

template <class T> void check_codes(const std::string &type, int codes) {
  constexpr int n = 256;
  run::array<T> x(n);
  for (int i = 0; i < n; ++i)
    x.host[i] = from_bits<T>(i % codes);
  run::require(cudaMemcpy(x.device, x.host.get(), n, cudaMemcpyHostToDevice));
  REPORT(type, TO_FLOATS, n, static_cast<const operands<int> *>(nullptr),
         (from_others<T><<<n / width, 1>>>(x, out, n)))
}

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : nullptr;
  check_floats<__nv_bfloat16>("bf16");
  check_codes<__nv_fp8_e4m3>("e4m3", 256);
  check_codes<__nv_fp8_e5m2>("e5m2", 256);
  check_codes<__nv_fp8_e8m0>("e8m0", 256);
  check_codes<__nv_fp4_e2m1>("e2m1", 16);
  return run::finish();
}
