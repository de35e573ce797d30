// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/watch/build_signals.h"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <optional>

namespace heddle::build {
namespace {

// Handlers of signals see nothing else. One build runs at a time.
std::atomic<int> caught = 0;
std::atomic<pid_t> running = 0;

extern "C" void hand_on(int signal, siginfo_t* from, void*) {
  caught = signal;
  // The terminal has told the whole group, the build included.
  if (from->si_code != SI_KERNEL && running > 0) kill(running, signal);
}

/// Until the process ends or a moment has passed.
void wait_a_moment(int process) {
  constexpr int moment = 100, nap = 10;  // milliseconds
  pollfd file{process, POLLIN, 0};
  if (process >= 0)
    poll(&file, 1, moment);
  else
    poll(nullptr, 0, nap);
}

}  // namespace

BuildSignals::BuildSignals() {
  caught = 0;
  struct sigaction action{};
  action.sa_sigaction = hand_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGQUIT, &ignore, &quit_);
}

BuildSignals::~BuildSignals() {
  running = 0;
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGQUIT, &quit_, nullptr);
}

bool BuildSignals::was_interrupted() const { return caught != 0; }

int BuildSignals::wait_for(pid_t build) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{4}, last_chance{6};
  running = build;
  if (caught != 0) kill(build, caught);  // it came before there was a build
  const int process = static_cast<int>(syscall(SYS_pidfd_open, build, 0));
  std::optional<Clock::time_point> since;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(build, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    if (caught != 0 && !since) since = Clock::now();
    if (since && Clock::now() - *since > last_chance)
      kill(build, SIGKILL);
    else if (since && Clock::now() - *since > patience)
      kill(build, SIGTERM);
    wait_a_moment(process);
  }
  running = 0;
  if (process >= 0) close(process);
  return status;
}

}  // namespace heddle::build
