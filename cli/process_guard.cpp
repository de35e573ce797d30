// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/process_guard.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace heddle::cli {
namespace {

// The sanitizers bring handlers that say more than ours.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool own_crash_handler = false;
#else
constexpr bool own_crash_handler = true;
#endif

extern "C" void report_crash(int) {
  // Only async-signal-safe calls from here on.
  constexpr std::string_view message =
      "heddle: error: heddle crashed. This is a bug in heddle, not in your program; please report it with the input "
      "that caused it. No verdict was reached.\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(ExitCode::Incomplete));
}

/// A stack overflow leaves no stack to handle it on, so the handler gets one of its own.
class CrashHandler {
 public:
  CrashHandler() : stack_(std::size_t{64} * 1024) {
    if (!own_crash_handler) return;
    stack_t alternative{};
    alternative.ss_sp = stack_.data();
    alternative.ss_size = stack_.size();
    sigaltstack(&alternative, nullptr);
    struct sigaction action{};
    action.sa_handler = report_crash;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigaction(signal, &action, nullptr);
  }
  ~CrashHandler() {
    if (!own_crash_handler) return;
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
  }
  CrashHandler(const CrashHandler&) = delete;
  CrashHandler& operator=(const CrashHandler&) = delete;

 private:
  std::vector<std::byte> stack_;
};

struct Job {
  const std::function<int()>* work;
  int result = static_cast<int>(ExitCode::Incomplete);
};

void* run_job(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  const CrashHandler handler;
  job.result = (*job.work)();
  return nullptr;
}

bool run_on_thread(Job& job, std::size_t stack_bytes) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const bool started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                       pthread_create(&thread, &attributes, run_job, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return started;
}

}  // namespace

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

int run_guarded(const std::function<int()>& work) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  Job job{.work = &work};
  for (const std::size_t size : {1024 * megabyte, 256 * megabyte, 64 * megabyte})
    if (run_on_thread(job, size)) return job.result;
  run_job(&job);
  return job.result;
}

}  // namespace heddle::cli
