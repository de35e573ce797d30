// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/process_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/machine/large_stack.h"
#include "base/machine/memory_limit.h"
#include "cli/command.h"
#include "cli/interrupt_flag.h"

namespace heddle::cli {
namespace {

// The sanitizers bring handlers that say more than ours.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool own_crash_handler = false;
#else
constexpr bool own_crash_handler = true;
#endif

void say(std::string_view message) noexcept {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
}

/// Nothing is left, or something was refused already.
bool is_memory_gone() noexcept {
  if (was_memory_refused()) return true;
  constexpr std::size_t little = std::size_t{8} << 20;
  void* probe = mmap(nullptr, little, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe != MAP_FAILED) munmap(probe, little);
  return probe == MAP_FAILED;
}

extern "C" void report_crash(int) {
  // Only async-signal-safe calls from here on.
  if (is_memory_gone())
    tell_of_no_memory();
  else
    say("heddle: error: heddle crashed. This is a bug in heddle, not in your program; please report it with the input "
        "that caused it. No verdict was reached.\n");
  _exit(static_cast<int>(ExitCode::Incomplete));
}

void refuse_memory() {
  note_no_memory();
  throw std::bad_alloc();
}

/// An exception left where none may: in a destructor, say.
void end_at_once() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    note_no_memory();
  } catch (const std::system_error& refused) {
    say("heddle: error: the system refused what heddle needs: ");
    say(refused.what());
    say("; no verdict was reached\n");
    _exit(static_cast<int>(ExitCode::Incomplete));
  } catch (...) {
    report_crash(0);
  }
  report_crash(0);
}

void handle_crashes() {
  if (!own_crash_handler) return;
  struct sigaction action{};
  action.sa_handler = report_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigaction(signal, &action, nullptr);
}

/// Tables of the libraries are made before main, and memory may be gone by then.
[[gnu::constructor(101)]] void prepare_early() {
  std::set_new_handler(refuse_memory);
  std::set_terminate(end_at_once);
  handle_crashes();
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
    handle_crashes();
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

}  // namespace

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  end_on_signals();
}

void tell_of_no_memory() noexcept {
  say("heddle: error: out of memory: no verdict was reached; try fewer files at once, a higher limit (ulimit -v, "
      "--memory-limit) or a machine with more memory\n");
}

int run_guarded(const std::function<int()>& work) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  int result = static_cast<int>(ExitCode::Incomplete);
  const auto run = [&] {
    const CrashHandler handler;
    result = work();
  };
  for (const std::size_t size : {1024 * megabyte, 256 * megabyte, 64 * megabyte})
    if (run_on_stack(size, 256 * megabyte, run)) return result;
  run();
  return result;
}

}  // namespace heddle::cli
