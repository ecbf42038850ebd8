// Kernels that fail where there is no GPU: an assertion, a trap, and signals - an access of memory
// that is not there, a division by zero, an instruction that the processor lacks. The kernel is
// named and its launch fails; the process goes on, as the host does when a kernel fails on a GPU. A
// signal that is not a kernel's goes to whoever handled it before.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tessera::host {

struct kernel_failure {
  cudaError_t error;
  std::string line;              // "x.cu:12"; empty: that of the frames
  std::string what;              // "segmentation fault: access of 0x10, ..."
  std::span<void *const> frames; // the instruction's address and its callers; none: unknown
};

// What a thread that runs a kernel does when that fails: it tells, perhaps within the handler of a
// signal, and then goes on behind the kernel.
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

// Within the handler of a signal, with its third argument: the interrupted instruction and its
// callers, as find_place() takes them, in a part of `frames`.
std::span<void *const> interrupted_frames(std::span<void *> frames, const void *context);

// ", 8 bytes behind the 64 bytes allocated at 0x7f1200": what is near an address that is no
// kernel's to access.
std::string describe_surroundings(std::uintptr_t address, std::size_t bytes);
bool is_mapped(std::uintptr_t address);
std::string hexadecimal(std::uintptr_t address);
std::string count_of_bytes(std::size_t bytes); // "1 byte"

} // namespace tessera::host
