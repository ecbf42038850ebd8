// Which of its two bodies a function for host and device takes where there is no GPU: the device's
// on a thread that is running a kernel.
#pragma once

namespace tessera::host {

// Written by whatever runs kernels' blocks.
inline constinit thread_local bool is_running_kernel = false;

// What is computed while the program is compiled is the host's.
constexpr bool on_device() { return !__builtin_is_constant_evaluated() && is_running_kernel; }

} // namespace tessera::host
