// Numeric environment variables.
#pragma once

namespace tessera::host {

// A variable's value, if it is a number and at least `least`. Other values are reported once and
// ignored.
double number_setting(const char *name, double otherwise, double least);

} // namespace tessera::host
