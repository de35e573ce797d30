// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the thread libraries have beside their synchronisation (which the models describe), and the C++ runtime.
#include "interpret/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void success(Call& c) { c.give(0); }
void nothing(Call&) {}
/// Attributes are opaque: their first word is all that anybody looks at.
void clear_attributes(Call& c) {
  c.core.write_word(c.slot(0), 4, 0);
  c.give(0);
}
void ignore_attribute(Call& c) { c.give(0); }

constexpr NativeEntry threads[] = {
    {"sched_yield", success},
    {"pthread_yield", success},
    {"thrd_yield", nothing},
    {"usleep", success},
    {"sleep", success},
    {"nanosleep", success},
    {"thrd_sleep", success},
    {"pthread_testcancel", nothing},
    {"pthread_setcancelstate", success},
    {"pthread_setcanceltype", success},
    {"pthread_setconcurrency", success},
    {"pthread_mutexattr_init", clear_attributes},
    {"pthread_mutexattr_destroy", success},
    {"pthread_mutexattr_setpshared", ignore_attribute},
    {"pthread_mutexattr_setprotocol", ignore_attribute},
    {"pthread_mutexattr_gettype",
     [](Call& c) {
       c.core.write_word(c.slot(1), 4, c.core.read_word(c.slot(0), 4));
       c.give(0);
     }},
    {"pthread_attr_init", clear_attributes},
    {"pthread_attr_destroy", success},
    {"pthread_attr_setdetachstate", ignore_attribute},
    {"pthread_attr_setstacksize", ignore_attribute},
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
    {"pthread_cond_init", success},
    {"pthread_cond_destroy", success},
    {"cnd_init", success},
    {"cnd_destroy", nothing},
    {"pthread_barrier_destroy", success},
    {"pthread_key_delete", success},
    {"tss_delete", nothing},
    {"sem_destroy", success},
    {"pthread_setname_np", success},
    {"pthread_setschedparam", success},
    {"pthread_setaffinity_np", success},
    {"pthread_equal", [](Call& c) { c.give(c.word(0) == c.word(1) ? 1 : 0); }},
    {"thrd_equal", [](Call& c) { c.give(c.word(0) == c.word(1) ? 1 : 0); }},
    {"sem_getvalue",
     [](Call& c) {
       c.core.write_word(c.slot(1), 4, c.core.sync(c.core.sync_address(c.slot(0))).count);
       c.give(0);
     }},
    {"__VERIFIER_nondet_memory",
     [](Call& c) {
       for (std::uint64_t i = 0; i < c.word(1); ++i)
         c.core.write_word({c.slot(0).bits + i, 0, c.slot(0).object, 0}, 1,
                           c.core.choose_value(8, false, "__VERIFIER_nondet_memory"));
     }},
    {"__VERIFIER_assert",
     [](Call& c) {
       if (c.word(0) == 0) c.core.end_run(OutcomeKind::AssertionFailed, "__VERIFIER_assert");
     }},
};

void throw_object(Call& c) {
  c.stays = true;
  c.core.throw_exception(c.thread, {c.slot(0), c.word(1), c.slot(2).bits, 0});
}

void begin_catch(Call& c) {
  if (!c.thread.exceptions.empty()) ++c.thread.exceptions.back().handlers;
  c.result = c.slot(0);
}

void end_catch(Call& c) {
  auto& exceptions = c.thread.exceptions;
  if (exceptions.empty() || --exceptions.back().handlers != 0) return;
  const CaughtException over = exceptions.back();
  exceptions.pop_back();
  if (over.destructor == 0) return;
  c.stays = true;  // the destructor returns to behind this call
  c.core.enter(c.thread, over.destructor, &over.exception, 1);
}

void rethrow(Call& c) {
  if (c.thread.exceptions.empty()) c.core.end_run(OutcomeKind::Aborted, "rethrow without an exception");
  CaughtException again = c.thread.exceptions.back();
  again.handlers = 0;
  c.thread.exceptions.pop_back();
  c.stays = true;
  c.core.throw_exception(c.thread, again);
}

void end_by_terminate(Call& c) {
  c.core.outcome.exit_code = 134;
  c.core.end_run(OutcomeKind::Aborted, std::string(c.core.program.functions[c.callee].name));
}

constexpr NativeEntry cxx[] = {
    {"__cxa_throw", throw_object},
    {"__cxa_begin_catch", begin_catch},
    {"__cxa_end_catch", end_catch},
    {"__cxa_rethrow", rethrow},
    {"__cxa_get_exception_ptr", [](Call& c) { c.result = c.slot(0); }},
    {"_ZSt9terminatev", end_by_terminate},
    {"__cxa_pure_virtual", end_by_terminate},
    {"__cxa_call_terminate", end_by_terminate},
    {"__clang_call_terminate", end_by_terminate},
    {"_ZNSt6thread20hardware_concurrencyEv", [](Call& c) { c.give(2); }},
    {"_ZNSt6thread6_StateD2Ev", nothing},
    {"_ZNSt6thread6_StateD1Ev", nothing},
    {"_ZNSaIcEC1Ev", nothing},
    {"_ZNSaIcED1Ev", nothing},
    {"_ZNSt18condition_variableC1Ev", nothing},
    {"_ZNSt18condition_variableC2Ev", nothing},
    {"_ZNSt18condition_variableD1Ev", nothing},
    {"_ZNSt18condition_variableD2Ev", nothing},
    {"_ZNSt9exceptionD2Ev", nothing},
    {"_ZNSt9exceptionD1Ev", nothing},
    {"_ZNSt11this_thread11__sleep_for*", nothing},
};

}  // namespace

std::span<const NativeEntry> thread_natives() { return threads; }
std::span<const NativeEntry> cxx_natives() { return cxx; }

}  // namespace heddle::interpret
