// Arithmetic of float is the same to the last bit on every target: every operation, rounding and
// subnormals mode, on values dense in special ones.
#include "numerics_floats.h"

using namespace numerics;

#define FLUSHED_OPERATIONS(X)                                                                      \
  X("min ftz", ct::min(a, b, ct::suppress_nan_t{}, ct::round_subnormals_to_zero_t{}))              \
  X("max nan ftz", ct::max(a, b, ct::propagate_nan_t{}, ct::round_subnormals_to_zero_t{}))         \
  IN_EVERY_MODE(X, " ftz", , ct::round_subnormals_to_zero_t{})

__tile_global__ void flushed(const float *x, const float *y, const float *z, bits *out, int n) {
  auto a = LOAD(x), b = LOAD(y), c = LOAD(z);
  results keep{out, n};
  FLUSHED_OPERATIONS(KEEP)
}

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : nullptr;
  check_floats<float>("f32");
  operands<float> in;
  REPORT("f32", FLUSHED_OPERATIONS, in.count, &in,
         (flushed<<<in.count / width, 1>>>(in.x, in.y, in.z, out, in.count)))
  return run::finish();
}
