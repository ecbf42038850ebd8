// The signal handlers, and their description of an address.
//
// A handler runs on its own stack, since the thread's may be exhausted. It looks up lines and
// allocates, which a handler for asynchronous signals may not do: these signals come from a
// kernel's own instructions, which hold no lock of the C library.
#include "fault.h"

#include <tessera/host/allocations.h>
#include <tessera/host/fork.h>

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <utility>

namespace tessera::host {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction handled_before[std::size(signals)];
constinit thread_local bool is_at_fault = false; // a second fault comes from the handler

// Of the interrupted instruction; null on an unknown machine.
void *program_counter([[maybe_unused]] const ucontext_t &at) {
#if defined(__x86_64__)
  // NOLINTNEXTLINE(performance-no-int-to-ptr): how the kernel holds a register
  return reinterpret_cast<void *>(at.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void *>(at.uc_mcontext.pc);
#else
  return nullptr;
#endif
}
std::uintptr_t stack_pointer([[maybe_unused]] const ucontext_t &at) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(at.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return at.uc_mcontext.sp;
#else
  return 0;
#endif
}

// Frames extend below the stack pointer by less than this, where each page is touched in sequence.
bool is_on_stack(std::uintptr_t address, std::uintptr_t pointer) {
  constexpr std::uintptr_t reach = 1 << 16;
  return pointer && address + reach > pointer && address < pointer + reach;
}

std::string describe_access(const siginfo_t &of, std::uintptr_t pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(of.si_addr);
  std::string what = of.si_signo == SIGBUS ? "bus error" : "segmentation fault";
  if (of.si_code == SI_KERNEL || of.si_code <= 0) // which is unknown
    return what;
  if (is_on_stack(address, pointer))
    return what + ": the stack of its thread is exhausted";
  return what + ": access of " + hexadecimal(address) + describe_surroundings(address, 1);
}

std::string describe(const siginfo_t &of, std::uintptr_t pointer) {
  switch (of.si_signo) {
  case SIGFPE:
    return of.si_code == FPE_INTDIV ? "an integer is divided by zero, or the quotient is too large"
                                    : "floating-point exception";
  case SIGILL: return "illegal instruction";
  default: return describe_access(of, pointer);
  }
}

bool is_access(int signal) { return signal == SIGSEGV || signal == SIGBUS; }

// Behaves as if this handler were not installed.
void pass_on(int signal, siginfo_t *of, void *context) {
  const auto which = std::find(std::begin(signals), std::end(signals), signal) - signals;
  const struct sigaction &before = handled_before[which];
  if (before.sa_flags & SA_SIGINFO)
    return before.sa_sigaction(signal, of, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(signal);
  // The instruction runs again and ends the process; a signal that was sent is sent again.
  struct sigaction otherwise = before;
  otherwise.sa_handler = SIG_DFL;
  sigaction(signal, &otherwise, nullptr);
  if (of->si_code <= 0)
    raise(signal);
}

void handle(int signal, siginfo_t *of, void *context) {
  const kernel_thread *const thread = running_kernel_thread;
  if (!thread || is_at_fault)
    return pass_on(signal, of, context);
  is_at_fault = true;
  std::array<void *, 64> frames;
  thread->tell({is_access(signal) ? cudaErrorIllegalAddress : cudaErrorLaunchFailure,
                {},
                describe(*of, stack_pointer(*static_cast<const ucontext_t *>(context))),
                interrupted_frames(frames, context)});
  is_at_fault = false;
  thread->leave();
}

// Never in a function's static variable: another thread may fork() while it is made, and the child
// would wait for it forever.
std::mutex &installing() {
  static constinit std::mutex mutex;
  return mutex;
}
[[maybe_unused]] const bool is_whole_in_forks = keep_whole_in_forks<std::mutex, installing>();

class installed_handlers {
public:
  constexpr installed_handlers() = default;
  void install() {
    std::scoped_lock lock(installing());
    if (std::exchange(are_installed, true))
      return;
    struct sigaction action = {};
    action.sa_sigaction = handle;
    // A handler that is left by a jump leaves its signal unblocked.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (std::size_t i = 0; i < std::size(signals); i++)
      sigaction(signals[i], &action, &handled_before[i]);
    void *frame;
    backtrace(&frame, 1); // loads the library that it needs
  }
  // A library may be unloaded before the process ends.
  ~installed_handlers() {
    for (std::size_t i = 0; are_installed && i < std::size(signals); i++)
      if (struct sigaction now; sigaction(signals[i], nullptr, &now) == 0 &&
                                (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle)
        sigaction(signals[i], &handled_before[i], nullptr);
  }

private:
  bool are_installed = false;
};
constinit installed_handlers handlers;

// A thread's stack for handlers, unless it has one.
class alternate_stack {
public:
  alternate_stack() {
    stack_t now;
    if (sigaltstack(nullptr, &now) != 0 || !(now.ss_flags & SS_DISABLE))
      return;
    low =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    const stack_t own = {.ss_sp = low, .ss_flags = 0, .ss_size = size};
    if (low != MAP_FAILED)
      sigaltstack(&own, nullptr);
  }
  ~alternate_stack() {
    if (low == MAP_FAILED)
      return;
    const stack_t none = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
    munmap(low, size);
  }

private:
  static constexpr std::size_t size = 256 << 10;
  void *low = MAP_FAILED;
};

std::string distance_to(const allocation &a, std::uintptr_t address) {
  return address < a.address  ? count_of_bytes(a.address - address) + " before"
         : address >= a.end() ? count_of_bytes(address - a.end()) + " behind"
                              : count_of_bytes(a.end() - address) + " before the end of";
}

std::string name_of(const allocation &a) {
  return "the " + count_of_bytes(a.bytes) + " allocated at " + hexadecimal(a.address);
}

// Is the address 2^32 elements of some size away from an allocation?
bool is_wrapped(std::uintptr_t address) {
  for (std::uintptr_t away = std::uintptr_t(1) << 32; away <= std::uintptr_t(16) << 32; away *= 2)
    for (const std::uintptr_t meant : {address + away, address - away})
      if (const auto a = allocations().nearest(meant); a && a->has(meant))
        return true;
  return false;
}

} // namespace

void fail_kernel(cudaError_t error, const std::string &line, const std::string &what) {
  if (const kernel_thread *const thread = running_kernel_thread) {
    thread->tell({error, line, what, {}});
    thread->leave();
  }
  std::fprintf(stderr, "%s%s%s\n", line.c_str(), line.empty() ? "" : ": ", what.c_str());
  std::abort();
}

void handle_faults() {
  handlers.install();
  static thread_local const alternate_stack stack;
  (void)&stack;
}

std::span<void *const> interrupted_frames(std::span<void *> frames, const void *context) {
  void *const location = program_counter(*static_cast<const ucontext_t *>(context));
  const auto count = backtrace(frames.data(), static_cast<int>(frames.size()));
  const auto all = frames.first(static_cast<std::size_t>(count));
  auto first = std::ranges::find(all, location);
  const bool is_known = first != all.end();
  if (!is_known)
    *(first = all.begin()) = location;
  // Return addresses follow their calls; this address is the start of the instruction.
  *first = static_cast<char *>(*first) + 1;
  return {first, is_known ? all.end() : first + 1};
}

std::string hexadecimal(std::uintptr_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
  return text;
}

std::string count_of_bytes(std::size_t bytes) {
  return bytes == 1 ? "1 byte" : std::to_string(bytes) + " bytes";
}

bool is_mapped(std::uintptr_t address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a page's address, only asked about
  return msync(reinterpret_cast<void *>(address / page * page), 1, MS_ASYNC) == 0;
}

std::string describe_surroundings(std::uintptr_t address, std::size_t bytes) {
  constexpr std::uintptr_t first_page = 4096;
  if (address < first_page)
    return address ? ", " + count_of_bytes(address) + " behind a null pointer" : ", a null pointer";
  auto a = allocations().near(address);
  if (!a)
    a = allocations().near(address + bytes - 1);
  if (const auto freed = allocations().forgotten(address); freed && !a)
    return ", " + distance_to(*freed, address) + " " + name_of(*freed) + ", which have been freed";
  if (!a)
    a = allocations().nearest(address);
  if (!a)
    return {};
  return ", " + distance_to(*a, address) + " " + name_of(*a) +
         (is_wrapped(address) ? "; a 32-bit index that wrapped around would give this address"
                              : "");
}

} // namespace tessera::host
