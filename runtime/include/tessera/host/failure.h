// The message of a kernel that failed without a GPU. Part of the library tessera_cpu.
#pragma once

namespace tessera::host {

// "x.cu:12: ...", of the failure whose error the device keeps; "" if there is none.
const char *failure_message();

} // namespace tessera::host
