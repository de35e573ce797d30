// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/interrupt_flag.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "cli/command.h"

namespace heddle::cli {
namespace {

constexpr unsigned patience = 5;  // seconds

// A signal handler has no other way to say it, or to know.
std::atomic<bool> is_raised = false;
std::atomic<const Progress*> watched = nullptr;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const Progress*>::is_always_lock_free);

extern "C" void end_by(int signal) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(signal);
  _exit(128 + signal);  // the first process of a container is not ended by signals
}

extern "C" void end_without_result(int) {
  constexpr std::string_view message =
      "heddle: error: interrupted; what it was doing did not end by itself, and no verdict was reached\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(ExitCode::Incomplete));
}

extern "C" void note_interrupt(int signal) {
  const Progress* progress = watched;
  const bool has_begun = progress == nullptr || progress->stage() != nullptr;
  if (is_raised.exchange(true) || !has_begun) end_by(signal);
  alarm(patience);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptFlag::InterruptFlag(const Progress* progress) {
  is_raised = false;
  watched = progress;
  handle(SIGALRM, end_without_result);
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, note_interrupt);
}

void InterruptFlag::end() {
  alarm(0);
  end_on_signals();
  watched = nullptr;
}

const std::atomic<bool>& InterruptFlag::raised() const { return is_raised; }

void end_on_signals() {
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, end_by);
  sigset_t both;  // whoever started us may have blocked them
  sigemptyset(&both);
  for (const int signal : {SIGINT, SIGTERM, SIGALRM}) sigaddset(&both, signal);
  pthread_sigmask(SIG_UNBLOCK, &both, nullptr);
}

}  // namespace heddle::cli
