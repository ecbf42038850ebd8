// How a block on the CPU ends before its kernel returns.
#pragma once

namespace tessera::host {

// Leaves the running block, after fail_device(), without running destructors. Outside of a block it
// ends the process.
[[noreturn]] void leave_block();

} // namespace tessera::host
