// targets: cpu,emulate
// arch: sm_100a
// Conversions to and from e8m0 and e2m1, which GPUs before sm_100 have not, are the same to the
// last bit.
#define NUMERICS_OF_NEWER
#include "numerics.h"

using namespace numerics;

template <class T> void check(const std::string &type) {
  operands<T> in;
  REPORT(type, TO_FLOATS, in.count, &in,
         (from_others<T><<<in.count / width, 1>>>(in.x, out, in.count)))
}

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : nullptr;
  check<double>("f64");
  check<float>("f32");
  check<__half>("f16");
  check<__nv_bfloat16>("bf16");
  check<int>("s32");
  check<unsigned char>("u8");
  check_codes<__nv_fp8_e4m3>("e4m3", 256);
  check_codes<__nv_fp8_e5m2>("e5m2", 256);
  check_codes<__nv_fp8_e8m0>("e8m0", 256);
  check_codes<__nv_fp4_e2m1>("e2m1", 16);
  return run::finish();
}
