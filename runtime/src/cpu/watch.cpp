// The thread that watches launches: it polls once a second while there are any, and otherwise
// sleeps.
#include "watch.h"
#include "fault.h"
#include "settings.h"
#include "source_line.h"

#include <tessera/host/fork.h>

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace tessera::host {
namespace {

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

const double timeout = number_setting("TESSERA_TIMEOUT", 0, 0); // 0: none
const double patience = number_setting("TESSERA_PATIENCE", 30, 0);
const clock::time_point beginning = clock::now();

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text + std::string(number == 1 ? " second" : " seconds");
}

class watcher {
public:
  void add(watched_launch &launch) {
    std::scoped_lock lock(mutex_);
    launches_.push_back({&launch, 0, clock::now(), false});
    begin();
    if (is_asleep_)
      came_.notify_one();
  }
  void remove(watched_launch &launch) {
    std::scoped_lock lock(mutex_);
    std::erase_if(launches_, [&](const entry &e) { return e.launch == &launch; });
  }
  void begin_by_itself() {
    std::scoped_lock lock(mutex_);
    begin();
  }

private:
  struct entry {
    watched_launch *launch;
    std::uint64_t ended;
    clock::time_point since; // the last change of the count of ended blocks
    bool is_told;
  };

  void begin() {
    if (!std::exchange(has_begun_, true))
      std::thread([this] { watch(); }).detach();
  }

  [[noreturn]] void watch() {
    constexpr std::chrono::milliseconds often(1000);
    for (std::unique_lock lock(mutex_);;) {
      const seconds left(timeout - seconds(clock::now() - beginning).count());
      if (timeout > 0 && left.count() <= 0)
        end_program();
      is_asleep_ = launches_.empty();
      if (is_asleep_ && timeout <= 0)
        came_.wait(lock);
      else
        came_.wait_for(lock, timeout > 0 ? std::min<seconds>(often, left) : seconds(often));
      is_asleep_ = false;
      for (entry &e : launches_)
        look_at(e);
    }
  }

  void look_at(entry &e) {
    const auto now = clock::now();
    if (const std::uint64_t ended = e.launch->ended(); std::exchange(e.ended, ended) != ended)
      e.since = now;
    if (patience <= 0 || e.is_told || seconds(now - e.since).count() < patience)
      return;
    e.is_told = true;
    const std::string text = "tessera: kernel " + std::string(e.launch->kernel()) +
                             ": no block has ended for " + text_of(patience) + "; " +
                             describe(*e.launch) +
                             "\n  (TESSERA_TIMEOUT=SECONDS ends a program that takes longer)";
    std::fprintf(stderr, "%s\n", text.c_str());
  }

  static std::string describe(watched_launch &launch) {
    return std::to_string(launch.ended()) + " of " + std::to_string(launch.blocks()) +
           " blocks have ended" + launch.describe_blocks();
  }

  [[noreturn]] void end_program() {
    constexpr int timed_out = 124; // as that of timeout(1)
    std::string text = "tessera: the program did not end within " + text_of(timeout);
    for (const entry &e : launches_)
      text += "\ntessera: kernel " + std::string(e.launch->kernel()) + ": " + describe(*e.launch);
    if (launches_.empty())
      text += "; no kernel runs";
    std::fprintf(stderr, "%s\n", text.c_str());
    std::_Exit(timed_out);
  }

  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<entry> launches_;
  bool has_begun_ = false, is_asleep_ = false;
};

watcher &the_watcher() {
  static constinit per_process<watcher> one;
  return one.get();
}

[[maybe_unused]] const bool is_watched_from_now_on =
    timeout > 0 && (the_watcher().begin_by_itself(), true);

// ---- The location of a thread: it reports it in the handler of a signal that is else ignored ----

constexpr int asking = SIGURG;
void *frames_of_asked[64];
std::span<void *const> frames_found;
sem_t has_answered;

void answer(int, siginfo_t *, void *context) {
  const int before = errno;
  frames_found = interrupted_frames(frames_of_asked, context);
  sem_post(&has_answered);
  errno = before;
}

bool wait_for_answer() {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  int result;
  while ((result = sem_timedwait(&has_answered, &until)) != 0 && errno == EINTR)
    ;
  return result == 0;
}

} // namespace

std::string location_of_thread(pthread_t thread) {
  static std::mutex one_at_a_time;
  std::scoped_lock lock(one_at_a_time);
  static const bool is_ready = sem_init(&has_answered, 0, 0) == 0;
  struct sigaction own = {}, before;
  own.sa_sigaction = answer;
  own.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  if (!is_ready || sigaction(asking, &own, &before) != 0)
    return {};
  const auto ask = [&] { return pthread_kill(thread, asking) == 0 && wait_for_answer(); };
  bool is_told = ask();
  // In a linker's stub of a call the thread's callers are unknown; a little later it is elsewhere.
  for (int more = 8; is_told && frames_found.size() == 1 && more > 0; more--) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    is_told = ask();
  }
  // A late signal finds the handler, and its answer is dropped.
  if (is_told)
    sigaction(asking, &before, nullptr);
  const std::string line = is_told ? find_location(frames_found).text() : std::string();
  return line.empty() ? line : " at " + line;
}

watching::watching(watched_launch &of) : launch(of) { the_watcher().add(of); }
watching::~watching() { the_watcher().remove(launch); }

} // namespace tessera::host
