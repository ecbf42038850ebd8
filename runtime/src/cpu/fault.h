// Kernels that fail without a GPU: assertions, traps, and signals, such as an access of unmapped
// memory, a division by zero, or an instruction that the processor lacks. The kernel is named and
// its launch fails; the process continues, as the host does when a kernel fails on a GPU. Signals
// outside of kernels go to the previous handler.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tessera::host {

struct kernel_failure {
  cudaError_t error;
  std::string line;              // "x.cu:12"; empty: from the frames
  std::string what;              // "segmentation fault: access of 0x10, ..."
  std::span<void *const> frames; // the instruction's address and its callers; none: unknown
};

// What a thread does when its kernel fails: `tell` reports, perhaps within a signal handler, and
// `leave` continues after the kernel.
struct kernel_thread {
  void (*tell)(const kernel_failure &f);
  void (*leave)();
};
// Null where no kernel runs.
inline constinit thread_local const kernel_thread *running_kernel_thread = nullptr;

// Fails the running kernel; outside of kernels it ends the process.
[[noreturn]] void fail_kernel(cudaError_t error, const std::string &line, const std::string &what);

// Called by each thread that is to run kernels.
void handle_faults();

// In a signal handler, from its third argument: the interrupted instruction and its callers, as
// find_location() takes them, in a part of `frames`.
std::span<void *const> interrupted_frames(std::span<void *> frames, const void *context);

// ", 8 bytes behind the 64 bytes allocated at 0x7f1200": the allocation nearest to an invalid
// address.
std::string describe_surroundings(std::uintptr_t address, std::size_t bytes);
bool is_mapped(std::uintptr_t address);
std::string hexadecimal(std::uintptr_t address);
std::string count_of_bytes(std::size_t bytes); // "1 byte"

} // namespace tessera::host
