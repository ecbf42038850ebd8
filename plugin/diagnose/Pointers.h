// Rules that plain and atomic accesses through pointers share. The pointers are operand 0.
#pragma once

#include "diagnose/Explain.h"

namespace tessera::diagnose {

// The operand is pointers, to a readable or writable type.
Explanation explainPointee(const Case &given, bool isWritten);
// The value has the pointers' shape, and does not narrow.
Explanation explainValue(const Case &given, unsigned operand);
// The mask broadcasts to the pointers.
Explanation explainMask(const Case &given, unsigned operand);
bool isMask(const Case &given, unsigned operand);

} // namespace tessera::diagnose
