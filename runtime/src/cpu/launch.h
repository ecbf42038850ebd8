// Launches by the address of an entry, for the functions of the runtime that have nothing else.
#pragma once

#include <tessera/host/cpu.h>

namespace tessera::host {

// Null for what is no entry of a kernel.
const entry_record *find_entry(const void *entry);

// Runs the kernel behind an entry; the arguments are given by their addresses.
cudaError_t launch_entry(const void *entry, const launch_configuration &c, void **arguments);

} // namespace tessera::host
