// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process knows of itself and of the system it runs on, and the signals it sends to itself. What the system
// decides is an input that is asked for once and stays the same for the run; what has a relation to something else
// keeps it: main's thread number is that of the process, no other thread's is.
//
// No handler is ever installed here: `signal` and `sigaction` end the run as unsupported. So a signal does what it does
// by default.
#include <cerrno>
#include <csignal>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;
constexpr std::uint32_t process_bits = 21;  // Linux gives numbers up to 2^22; threads need some too

void fail(Call& c, int error, std::uint64_t result = minus_one) {
  c.set_errno(error);
  c.give(result);
}

std::uint64_t process(Call& c) {
  if (c.core.library.now().process == 0) {
    const std::uint64_t chosen = c.core.choices.value(process_bits, false, "getpid");
    c.core.library.change().process = chosen + 1;
  }
  return c.core.library.now().process;
}

/// Another one than the process; 0 is a parent in another namespace.
void give_parent(Call& c) {
  const std::uint64_t own = process(c);
  if (c.core.library.now().parent == 0) {
    const std::uint64_t chosen = c.core.choices.value(process_bits, false, "getppid") + 1;
    c.core.library.change().parent = chosen != own ? chosen : chosen == 1 ? 2 : chosen - 1;
  }
  c.give(c.core.library.now().parent);
}

/// Threads are numbered behind the process, as a system does that nobody else uses.
void give_thread(Call& c) { c.give(process(c) + c.core.threads.current()); }

/// A number of so many bits that stays the same for the run.
std::uint64_t constant(Call& c, const std::string& name, std::uint32_t bits) {
  const auto& known = c.core.library.now().constants;
  if (const auto it = known.find(name); it != known.end()) return it->second;
  const std::uint64_t value = c.core.choices.value(bits, false, name);
  return c.core.library.change().constants[name] = value;
}

/// The largest number means "nobody".
void give_owner(Call& c) { c.give(constant(c, c.name(), 31)); }

void give_system_value(Call& c) {
  constexpr std::int64_t page_size = 30, processors_configured = 83, processors_online = 84;
  switch (c.number(0)) {
    case page_size: c.give(4096); return;
    case processors_configured:
    case processors_online: c.give(constant(c, "number of processors", 8) + 1); return;
    default: c.refuse();
  }
}

void set_mask(Call& c) {
  const std::uint64_t before = constant(c, "umask", 9);
  c.core.library.change().constants["umask"] = c.word(0) & 0777;
  c.give(before);
}

/// The rest of the alarm before, of which a part of a second counts as one; that it rings is another run.
void set_alarm(Call& c) {
  const std::uint64_t before = c.core.library.now().alarm;
  const std::uint64_t rest = before == 0 ? 0 : before - c.core.choices.value(32, false, "alarm") % before;
  c.core.library.change().alarm = c.word(0);
  c.give(rest);
}

void give_priority(Call& c, std::uint64_t real_time) {
  constexpr std::int64_t other = 0, first_in = 1, in_turn = 2, batch = 3, idle = 5;
  switch (c.number(0)) {
    case first_in:
    case in_turn: c.give(real_time); return;
    case other:
    case batch:
    case idle: c.give(0); return;
    default: fail(c, EINVAL);
  }
}

// The numbers of signals on Linux, x86 and Arm.
constexpr std::int64_t last_signal = 64, abort_signal = 6, child = 17, go_on = 18, stop = 19, terminal_out = 22,
                       urgent = 23, window = 28;

void send(Call& c, std::int64_t signal) {
  if (signal < 0 || signal > last_signal) {
    fail(c, EINVAL);
  } else if (signal == 0 || signal == child || signal == go_on || signal == urgent || signal == window) {
    c.give(0);
  } else if (signal >= stop && signal <= terminal_out) {
    c.core.account.unsupported("a signal that stops the program");
  } else {
    if (c.core.gate.in_section()) throw SectionFailed{};
    const OutcomeKind outcome = signal == abort_signal ? OutcomeKind::Aborted : OutcomeKind::Exited;
    c.core.account.end_run(outcome, c.name(), static_cast<int>(128 + signal));
  }
}

/// To itself: anybody else is not there.
void send_to_process(Call& c) {
  if (c.number(0) <= 0 || static_cast<std::uint64_t>(c.number(0)) != process(c)) c.refuse();
  send(c, c.number(1));
}

/// Waits for a handler to run, and there is none.
void wait_for_ever(Call& c) {
  const Slot never = c.core.space.pointer_to(c.core.objects.of_main(library::signal_state, 8));
  c.stops = !c.core.gate.admit(OpKind::SemWait, never.bits);
  if (!c.stops) c.core.account.end_run(OutcomeKind::Exited, "the program waits for a signal");
}

/// A descriptor below zero is none; what such a call does to others is not known here.
void need_descriptor(Call& c) {
  if (c.number(0) >= 0) c.refuse();
  fail(c, EBADF);
}

constexpr NativeEntry process_table[] = {
    {"getpid", [](Call& c) { c.give(process(c)); }},
    {"getppid", give_parent},
    {"gettid", give_thread},
    {"getuid", give_owner},
    {"geteuid", give_owner},
    {"getgid", give_owner},
    {"getegid", give_owner},
    {"getpagesize", [](Call& c) { c.give(4096); }},
    {"sysconf", give_system_value},
    {"get_nprocs", [](Call& c) { c.give(constant(c, "number of processors", 8) + 1); }},
    {"get_nprocs_conf", [](Call& c) { c.give(constant(c, "number of processors", 8) + 1); }},
    {"umask", set_mask},
    {"alarm", set_alarm},
    {"sched_get_priority_max", [](Call& c) { give_priority(c, 99); }},
    {"sched_get_priority_min", [](Call& c) { give_priority(c, 1); }},
    {"raise", [](Call& c) { send(c, c.number(0)); }},
    {"kill", send_to_process},
    {"pause", wait_for_ever},
    {"isatty",
     [](Call& c) {
       if (c.number(0) >= 0) c.refuse();
       fail(c, EBADF, 0);
     }},
    {"listen", need_descriptor},
    {"shutdown", need_descriptor},
    {"flock", need_descriptor},
    {"lockf", need_descriptor},
    {"ftruncate", need_descriptor},
    {"ftruncate64", need_descriptor},
    {"dup", need_descriptor},
    {"dup2", need_descriptor},
    {"dup3", need_descriptor},
    {"fchmod", need_descriptor},
    {"fchown", need_descriptor},
    {"fchdir", need_descriptor},
    {"fstat", need_descriptor},
    {"fstat64", need_descriptor},
    {"bind", need_descriptor},
    {"connect", need_descriptor},
    {"accept", need_descriptor},
    {"accept4", need_descriptor},
    {"send", need_descriptor},
    {"recv", need_descriptor},
    {"fsync",
     [](Call& c) {
       if (c.number(0) < 0)
         fail(c, EBADF);
       else
         ignore(c);
     }},
    {"fdatasync", ignore},
    {"nice", ignore},
    {"setpriority", ignore},
    {"mlock", ignore},
    {"munlock", ignore},
    {"mlockall", ignore},
    {"munlockall", ignore},
    {"posix_fadvise", ignore},
    {"malloc_trim", ignore},
    {"llvm.set.rounding", [](Call& c) { c.refuse(); }},
};

}  // namespace

std::span<const NativeEntry> process_natives() { return process_table; }

}  // namespace heddle::interpret
