// Which addresses this process can read and write.
#pragma once

#include <tessera/interop/foreign_array.h>

namespace tessera::python {

// Is the memory of all elements there? An array that has passed interop::check_memory.
bool isReachable(const interop::foreign_array &array);

} // namespace tessera::python
