// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/interrupt_flag.h"

#include <csignal>

namespace heddle::cli {
namespace {

std::atomic<bool> interrupted = false;  // a signal handler has no other way to say it
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_interrupt(int signal) {
  if (interrupted.exchange(true)) std::signal(signal, SIG_DFL), std::raise(signal);
}

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted = false;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note_interrupt);
}

InterruptFlag::~InterruptFlag() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

const std::atomic<bool>& InterruptFlag::raised() const { return interrupted; }

}  // namespace heddle::cli
