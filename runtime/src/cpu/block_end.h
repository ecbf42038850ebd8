// How a block on the CPU ends before its kernel returns.
#pragma once

namespace tessera::host {

// Leaves the running block where it is, after fail_device(); no destructor of a caller runs.
// Outside of a block it ends the process.
[[noreturn]] void leave_block();

} // namespace tessera::host
