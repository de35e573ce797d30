// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the thread libraries have beside their synchronisation (which the models describe).
#include <cerrno>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void success(Call& c) { c.give(0); }

/// Attributes are opaque: their first word is all that anybody looks at.
void clear_attributes(Call& c) {
  c.core.space.write_word(c.slot(0), 4, 0);
  c.give(0);
}
/// Who sets an attribute or ends it writes; here its first word stays what it is.
void touch_attributes(Call& c) {
  const std::uint64_t kept = c.core.space.read_word(c.slot(0), 4);
  c.core.space.write_word(c.slot(0), 4, kept);
  c.give(0);
}
/// An attribute that changes nothing here, with a value from 0 to `last`; any other value is refused.
template <std::int64_t last>
void set_attribute(Call& c) {
  if (c.number(1) < 0 || c.number(1) > last) return c.give(EINVAL);
  touch_attributes(c);
}
void set_scope(Call& c) {
  constexpr std::int64_t of_process = 1;
  if (c.number(1) == of_process) return c.give(ENOTSUP);
  set_attribute<0>(c);
}
/// The least size of a stack is the machine's affair; these two bounds hold for all.
void set_stack_size(Call& c) {
  constexpr std::uint64_t too_small = 16384, large_enough = 1 << 18;
  if (c.word(1) < too_small) return c.give(EINVAL);
  if (c.word(1) < large_enough && c.site.is_used) c.refuse();
  touch_attributes(c);
}
void set_priority(Call& c) {
  if (c.site.is_used) c.refuse();
  (void)c.core.space.read_word(c.slot(1), 4);
  touch_attributes(c);
}
/// With a ceiling a lock call may fail.
void set_protocol(Call& c) {
  constexpr std::int64_t ceiling = 2;
  if (c.number(1) == ceiling) c.refuse();
  set_attribute<ceiling>(c);
}

/// The time to sleep, seconds and nanoseconds, is read; false: it is none. That a signal interrupts is another run.
bool is_time(Call& c) {
  const std::uint32_t word = c.core.image.pointer_bytes;
  const Slot& time = c.slot(0);
  const auto seconds = sign_extend(c.core.space.read_word(time, word), word * 8);
  const auto rest = sign_extend(c.core.space.read_word({time.bits + word, 0, time.object, 0}, word), word * 8);
  return seconds >= 0 && rest >= 0 && rest < 1'000'000'000;
}
void sleep_for(Call& c) {
  if (is_time(c)) return c.give(0);
  c.set_errno(EINVAL);
  c.give(minus_one);
}

/// The kernel takes 15 characters. Of another thread, which may have ended, nothing is known.
void set_name(Call& c) {
  const bool is_long = c.text(1).size() > 15;
  const bool is_own = c.slot(0).bits == Threads::handle_of(c.core.threads.current());
  if (!is_long && !is_own && c.site.is_used) c.refuse();
  c.give(is_long ? ERANGE : 0);
}

/// Cancellation itself is not supported, so its state is only a number that is kept.
template <std::uint32_t which>
void set_cancel(Call& c) {
  if (c.word(0) > 1) return c.give(EINVAL);
  const Slot kept = c.core.space.pointer_to(c.core.objects.of_thread(which, 4));
  if (c.slot(1).bits != 0) c.core.space.write_word(c.slot(1), 4, c.core.space.read_word(kept, 4));
  c.core.space.write_word(kept, 4, c.word(0));
  c.give(0);
}

void delete_key(Call& c) {
  auto& destructors = c.core.library.change().key_destructors;
  if (c.word(0) < destructors.size()) destructors[c.word(0)] = 0;
  c.give(c.word(0) < destructors.size() ? 0 : 22);
}

constexpr NativeEntry thread_table[] = {
    {"sched_yield", success},
    {"pthread_yield", success},
    {"thrd_yield", no_effect},
    {"usleep", success},
    {"sleep", success},
    {"nanosleep", sleep_for},
    {"thrd_sleep", [](Call& c) { c.give(is_time(c) ? 0 : static_cast<std::uint64_t>(-2)); }},
    {"pthread_testcancel", no_effect},
    {"pthread_setcancelstate", set_cancel<library::cancel_state>},
    {"pthread_setcanceltype", set_cancel<library::cancel_type>},
    {"pthread_setconcurrency", [](Call& c) { c.give(c.number(0) < 0 ? EINVAL : 0); }},
    {"pthread_mutexattr_init", clear_attributes},
    {"pthread_mutexattr_destroy", touch_attributes},
    {"pthread_mutexattr_setpshared", set_attribute<1>},
    {"pthread_mutexattr_setprotocol", set_protocol},
    {"pthread_mutexattr_gettype",
     [](Call& c) {
       c.core.space.write_word(c.slot(1), 4, c.core.space.read_word(c.slot(0), 4));
       c.give(0);
     }},
    {"pthread_attr_init", clear_attributes},
    {"pthread_attr_destroy", touch_attributes},
    {"pthread_attr_setstacksize", set_stack_size},
    {"pthread_attr_setscope", set_scope},
    {"pthread_attr_setschedpolicy", set_attribute<2>},
    {"pthread_attr_setinheritsched", set_attribute<1>},
    {"pthread_attr_setguardsize", touch_attributes},
    {"pthread_attr_setschedparam", set_priority},
    {"pthread_condattr_init", clear_attributes},
    {"pthread_condattr_destroy", touch_attributes},
    {"pthread_condattr_setclock", set_attribute<1>},
    {"pthread_condattr_setpshared", set_attribute<1>},
    {"pthread_rwlockattr_init", clear_attributes},
    {"pthread_rwlockattr_destroy", touch_attributes},
    {"pthread_rwlockattr_setpshared", set_attribute<1>},
    {"pthread_rwlockattr_setkind_np", set_attribute<2>},
    {"pthread_barrierattr_init", clear_attributes},
    {"pthread_barrierattr_setpshared", set_attribute<1>},
    {"pthread_barrierattr_destroy", touch_attributes},
    {"pthread_key_delete", delete_key},
    {"tss_delete", delete_key},
    {"pthread_setname_np", set_name},
    {"pthread_setschedparam", ignore},
    {"pthread_setaffinity_np", ignore},
    {"_ZNSt6thread20hardware_concurrencyEv",
     [](Call& c) { c.give(c.core.choices.value(10, false, "std::thread::hardware_concurrency")); }},
    {"pthread_equal", [](Call& c) { c.give(c.slot(0).bits == c.slot(1).bits ? 1 : 0); }},
    {"thrd_equal", [](Call& c) { c.give(c.slot(0).bits == c.slot(1).bits ? 1 : 0); }},
    {"sem_getvalue",
     [](Call& c) {
       c.core.space.write_word(c.slot(1), 4, c.core.syncs.at(c.core.space.resolve_sync(c.slot(0))).count);
       c.give(0);
     }},
    {"__VERIFIER_nondet_memory",
     [](Call& c) {
       for (std::uint64_t i = 0; i < c.word(1); ++i)
         c.core.space.write_word({c.slot(0).bits + i, 0, c.slot(0).object, 0}, 1,
                                 c.core.choices.value(8, false, "__VERIFIER_nondet_memory"));
     }},
    {"__VERIFIER_assert",
     [](Call& c) {
       if (c.word(0) == 0) c.core.account.end_run(OutcomeKind::AssertionFailed, "__VERIFIER_assert");
     }},
};

}  // namespace

std::span<const NativeEntry> thread_natives() { return thread_table; }

}  // namespace heddle::interpret
