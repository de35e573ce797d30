// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the thread libraries have beside their synchronisation (which the models describe).
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void success(Call& c) { c.give(0); }
void nothing(Call&) {}
/// Attributes are opaque: their first word is all that anybody looks at.
void clear_attributes(Call& c) {
  c.core.space.write_word(c.slot(0), 4, 0);
  c.give(0);
}
void ignore_attribute(Call& c) { c.give(0); }

/// The smallest stack depends on the processor: 16384 bytes, or 131072.
void set_stack_size(Call& c) {
  if (c.word(1) >= 16384 && c.word(1) < 131072) c.refuse();
  c.give(c.word(1) < 16384 ? 22 : 0);  // EINVAL
}

/// Cancellation itself is not supported, so its state is only a number that is kept.
template <std::uint32_t which>
void set_cancel(Call& c) {
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

constexpr NativeEntry threads[] = {
    {"sched_yield", success},
    {"pthread_yield", success},
    {"thrd_yield", nothing},
    {"usleep", success},
    {"sleep", success},
    {"nanosleep", success},
    {"thrd_sleep", success},
    {"pthread_testcancel", nothing},
    {"pthread_setcancelstate", set_cancel<library::cancel_state>},
    {"pthread_setcanceltype", set_cancel<library::cancel_type>},
    {"pthread_setconcurrency", success},
    {"pthread_mutexattr_init", clear_attributes},
    {"pthread_mutexattr_destroy", success},
    {"pthread_mutexattr_setpshared", ignore_attribute},
    {"pthread_mutexattr_setprotocol", ignore_attribute},
    {"pthread_mutexattr_gettype",
     [](Call& c) {
       c.core.space.write_word(c.slot(1), 4, c.core.space.read_word(c.slot(0), 4));
       c.give(0);
     }},
    {"pthread_attr_init", clear_attributes},
    {"pthread_attr_destroy", success},
    {"pthread_attr_setstacksize", set_stack_size},
    {"pthread_attr_setscope", ignore_attribute},
    {"pthread_attr_setschedpolicy", ignore_attribute},
    {"pthread_attr_setinheritsched", ignore_attribute},
    {"pthread_attr_setguardsize", ignore_attribute},
    {"pthread_attr_setschedparam", ignore_attribute},
    {"pthread_condattr_init", clear_attributes},
    {"pthread_condattr_destroy", success},
    {"pthread_condattr_setclock", ignore_attribute},
    {"pthread_condattr_setpshared", ignore_attribute},
    {"pthread_rwlockattr_init", clear_attributes},
    {"pthread_rwlockattr_destroy", success},
    {"pthread_rwlockattr_setpshared", ignore_attribute},
    {"pthread_rwlockattr_setkind_np", ignore_attribute},
    {"pthread_barrierattr_init", clear_attributes},
    {"pthread_barrierattr_destroy", success},
    {"pthread_key_delete", delete_key},
    {"tss_delete", delete_key},
    {"pthread_setname_np", success},
    {"pthread_setschedparam", success},
    {"pthread_setaffinity_np", success},
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

std::span<const NativeEntry> thread_natives() { return threads; }

}  // namespace heddle::interpret
