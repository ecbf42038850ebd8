// Launches by the address of an entry, for functions of the runtime that have only an address.
#pragma once

#include <tessera/host/cpu.h>

namespace tessera::host {

// Null if `entry` is no entry of a kernel.
const entry_record *find_entry(const void *entry);

// Runs the kernel of an entry; the arguments are passed by address.
cudaError_t launch_entry(const void *entry, const launch_configuration &c, void **arguments);

} // namespace tessera::host
