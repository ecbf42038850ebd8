// Arithmetic of double is the same to the last bit on every target: every operation and rounding,
// on values dense in special ones.
#include "numerics_floats.h"

using namespace numerics;

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : nullptr;
  check_floats<double>("f64");
  return run::finish();
}
