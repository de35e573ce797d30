// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/crash_guard.h"

#include <clang/Basic/Stack.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

#include "base/machine/large_stack.h"
#include "base/machine/memory_limit.h"

namespace heddle::frontend {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

/// Where a signal said that memory was missing, for the thread that is guarded: there is one at a time.
std::atomic<std::uintptr_t> faulting_address = 0;
struct sigaction handlers_of_llvm[2];
constexpr int guarded_signals[2] = {SIGSEGV, SIGBUS};

extern "C" void note_address(int number, siginfo_t* information, void*) {
  faulting_address = reinterpret_cast<std::uintptr_t>(information->si_addr);
  for (int i = 0; i < 2; ++i)
    if (guarded_signals[i] == number && handlers_of_llvm[i].sa_handler != nullptr)
      handlers_of_llvm[i].sa_handler(number);
}

/// A handler for an overflowing stack needs a stack of its own. LLVM installs its handler without saying so.
void note_where_it_crashed() {
  for (int i = 0; i < 2; ++i) {
    if (sigaction(guarded_signals[i], nullptr, &handlers_of_llvm[i]) != 0) continue;
    struct sigaction action = handlers_of_llvm[i];
    action.sa_sigaction = note_address;
    action.sa_flags |= SA_ONSTACK | SA_SIGINFO;
    sigaction(guarded_signals[i], &action, nullptr);
  }
}

void refuse_memory(void*, const char*, bool) {
  note_no_memory();
  throw std::bad_alloc();
}

class AlternateStack {
 public:
  AlternateStack() : memory_(1U << 16) {
    stack_t stack{};
    stack.ss_sp = memory_.data();
    stack.ss_size = memory_.size();
    sigaltstack(&stack, &before_);
  }
  ~AlternateStack() { sigaltstack(&before_, nullptr); }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  std::vector<char> memory_;
  stack_t before_{};
};

/// The stack of the calling thread, from its lowest address.
struct StackBounds {
  std::uintptr_t low = 0;
  std::size_t size = 0;
};

StackBounds own_stack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  StackBounds out;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return out;
  if (pthread_attr_getstack(&attributes, &low, &out.size) == 0) out.low = reinterpret_cast<std::uintptr_t>(low);
  pthread_attr_destroy(&attributes);
  return out;
}

struct Job {
  const std::function<void()>* work;
  WorkEnd end = WorkEnd::Crashed;

  void run() {
    faulting_address = 0;
    const StackBounds stack = own_stack();
    bool has_memory = true;
    llvm::CrashRecoveryContext recovery;
    const bool is_done = recovery.RunSafely([&] {
      const AlternateStack alternative;
      clang::noteBottomOfStack();
      try {
        (*work)();
      } catch (const std::bad_alloc&) {
        has_memory = false;
      }
    });
    end = !has_memory                             ? WorkEnd::OutOfMemory
          : is_done                               ? WorkEnd::Done
          : was_memory_refused()                  ? WorkEnd::OutOfMemory
          : is_at_end_of(stack, faulting_address) ? WorkEnd::OutOfStack
          : is_address_space_full()               ? WorkEnd::OutOfMemory
                                                  : WorkEnd::Crashed;
  }

  static bool is_at_end_of(const StackBounds& stack, std::uintptr_t address) {
    return stack.low != 0 && address + megabyte >= stack.low && address < stack.low + megabyte;
  }
};

}  // namespace

CrashGuard::CrashGuard() {
  llvm::CrashRecoveryContext::Enable();
  llvm::install_bad_alloc_error_handler(refuse_memory);
  note_where_it_crashed();
}

CrashGuard::~CrashGuard() {
  llvm::remove_bad_alloc_error_handler();
  llvm::CrashRecoveryContext::Disable();
}

WorkEnd run_guarded(const std::function<void()>& work) {
  Job job{.work = &work};
  const auto run = [&] { job.run(); };
  // Address space; pages are used only when reached.
  constexpr std::size_t for_work = 128 * megabyte;
  if (!run_on_stack(256 * megabyte, for_work, run) && !run_on_stack(32 * megabyte, for_work, run)) job.run();
  return job.end;
}

std::string words_of(WorkEnd end) {
  switch (end) {
    case WorkEnd::Done: return "is compiled";
    case WorkEnd::OutOfStack: return "clang cannot read this file, because it nests too deeply";
    case WorkEnd::OutOfMemory:
      return "out of memory while clang read this file; end something, raise the limit (ulimit -v), or capture fewer "
             "units at a time (-j)";
    case WorkEnd::Crashed: break;
  }
  return "clang crashed on this file; if your own clang 19 compiles it, please report that";
}

}  // namespace heddle::frontend
