// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/crash_guard.h"

#include <clang/Basic/Stack.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <signal.h>

#include <vector>

namespace heddle::frontend {
namespace {

constexpr unsigned stack_bytes = 256U << 20;  // address space; pages are used only when reached

/// A handler for an overflowing stack needs a stack of its own. LLVM installs its handler without saying so.
void handle_on_alternate_stack(int number) {
  struct sigaction action{};
  if (sigaction(number, nullptr, &action) != 0) return;
  action.sa_flags |= SA_ONSTACK;
  sigaction(number, &action, nullptr);
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

}  // namespace

CrashGuard::CrashGuard() {
  llvm::CrashRecoveryContext::Enable();
  handle_on_alternate_stack(SIGSEGV);
  handle_on_alternate_stack(SIGBUS);
}

CrashGuard::~CrashGuard() { llvm::CrashRecoveryContext::Disable(); }

bool run_guarded(const std::function<void()>& work) {
  llvm::CrashRecoveryContext recovery;
  return recovery.RunSafelyOnThread(
      [&] {
        const AlternateStack stack;
        clang::noteBottomOfStack();
        work();
      },
      stack_bytes);
}

}  // namespace heddle::frontend
