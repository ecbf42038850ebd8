#include "interrupts.h"

#include <unistd.h>

#include <atomic>
#include <string_view>

namespace tessera::driver {
namespace {

struct sigaction before;               // written by the outermost launch alone
std::atomic<int> launches, interrupts; // that run; since the outermost began

void handle(int signal, siginfo_t *from, void *context) {
  if (interrupts++ != 0) {
    struct sigaction otherwise{};
    otherwise.sa_handler = SIG_DFL;
    sigaction(signal, &otherwise, nullptr);
    raise(signal);
    return;
  }
  constexpr std::string_view text =
      "tessera: interrupted when the kernel has ended; interrupt again to end the program\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, from, context);
  else
    before.sa_handler(signal);
}

} // namespace

interruptible::interruptible() : is_outer(launches++ == 0) {
  if (!is_outer)
    return;
  sigaction(SIGINT, nullptr, &before);
  interrupts = 0;
  const bool has_handler = before.sa_flags & SA_SIGINFO ||
                           (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN);
  if (!has_handler) { // which ends the program at once, or never
    is_outer = false;
    return;
  }
  struct sigaction ours{};
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK; // stacks of kernels are small
  sigaction(SIGINT, &ours, nullptr);
}

interruptible::~interruptible() {
  if (is_outer)
    sigaction(SIGINT, &before, nullptr);
  --launches;
}

} // namespace tessera::driver
