// How far a walk up the definitions of a value goes.
#pragma once

namespace tessera::plan {

// Deep enough for address arithmetic, and cheap on any input: a value that is used twice at every
// step, as in a chain of squares, would be visited 2^depth times.
class Reach {
public:
  explicit Reach(int &steps) : steps(&steps) {}

  // One step further; false beyond the limit, where nothing is known.
  bool goesOn() { return --depth >= 0 && --*steps >= 0; }

private:
  int depth = 24;
  int *steps;
};

constexpr int stepsOfWalk = 4096;

} // namespace tessera::plan
