// Without a GPU, selects the body of a function for host and device: the device's on a thread that
// is running a kernel.
#pragma once

namespace tessera::host {

// Written by whatever runs kernels' blocks.
inline constinit thread_local bool is_running_kernel = false;

// Constant evaluation uses the host's body.
constexpr bool on_device() { return !__builtin_is_constant_evaluated() && is_running_kernel; }

} // namespace tessera::host
