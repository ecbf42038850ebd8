// Numbers that the environment sets.
#pragma once

namespace tessera::host {

// That of a variable, if it is a number and no less than this. What is none is told of, once, and
// does not count.
double number_setting(const char *name, double otherwise, double least);

} // namespace tessera::host
