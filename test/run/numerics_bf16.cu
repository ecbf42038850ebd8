// Arithmetic of bf16 is the same to the last bit on every target: every operation and rounding, on
// values dense in special ones. So are conversions of every code of the smaller formats.
#include "numerics_floats.h"

using namespace numerics;

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : nullptr;
  check_floats<__nv_bfloat16>("bf16");
  check_codes<__nv_fp8_e4m3>("e4m3", 256);
  check_codes<__nv_fp8_e5m2>("e5m2", 256);
  return run::finish();
}
