// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ runtime: exceptions, the library's exception classes, dynamic_cast. The classes are natives by mangled name;
// objects of theirs hold a virtual table and, where they have a message, the address of its text.
#include <algorithm>

#include "interpret/library/cxx/class_hierarchy.h"
#include "interpret/library/cxx/exceptions.h"
#include "interpret/library/natives.h"
#include "interpret/sync/effects.h"
#include "interpret/sync/external_call.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void throw_object(Call& c) {
  c.stays = true;
  throw_exception(c.core, c.thread, {c.slot(0), c.word(1), c.slot(2).bits, 0});
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
  enter(c.core, c.thread, over.destructor, {&over.exception, 1});
  if (!c.core.frames.function_at({over.destructor, 0, 0, 0}).has_body) c.stays = false;
}

void rethrow(Call& c) {
  if (c.thread.exceptions.empty()) c.core.account.end_run(OutcomeKind::Aborted, "rethrow without an exception");
  CaughtException again = c.thread.exceptions.back();
  again.handlers = 0;
  c.thread.exceptions.pop_back();
  c.stays = true;
  throw_exception(c.core, c.thread, again);
}

void end_by_terminate(Call& c) {
  if (c.core.library.now().terminate_handler == 0)
    c.core.account.end_run(OutcomeKind::Aborted, c.name(), exit_code_of_abort);
  begin_terminate(c.core, c.thread);
  c.stays = true;
}

/// The library class of a member such as _ZNSt12out_of_rangeC1EPKc, and what follows its name.
const LibraryClass& class_of(Call& c, std::string_view& rest) {
  std::string_view name = c.core.image.symbol_of(c.callee);
  name.remove_prefix(name.starts_with("_ZNK") ? 4 : 3);
  for (const LibraryClass& known : library_classes())
    if (name.starts_with(known.name)) {
      rest = name.substr(known.name.size());
      return known;
    }
  c.refuse();
}

Slot message_place(Call& c) { return {c.slot(0).bits + c.core.image.pointer_bytes, 0, c.slot(0).object, 0}; }

/// Constructors and destructors of the library's exception classes.
void exception_member(Call& c) {
  std::string_view rest;
  const LibraryClass& known = class_of(c, rest);
  if (rest == "D0Ev") {
    c.core.heap.release(c.slot(0));
    return;
  }
  if (rest == "D1Ev" || rest == "D2Ev") return;
  const bool is_constructor = rest.starts_with("C1E") || rest.starts_with("C2E");
  const std::string_view from = is_constructor ? rest.substr(3) : rest;
  Slot message;
  if (is_constructor && from == "PKc") {
    message = c.core.objects.make_string(c.text(1));
  } else if (is_constructor && from.starts_with("RKNSt7__cxx11")) {
    message = c.core.objects.make_string(c.core.space.read_string(c.core.space.read_pointer(c.slot(1))));
  } else if (is_constructor && (from == "RKS_" || from == "OS_") && known.text.empty()) {
    message = c.core.space.read_pointer({c.slot(1).bits + c.core.image.pointer_bytes, 0, c.slot(1).object, 0});
  } else {
    c.refuse();
  }
  c.core.space.write_pointer(c.slot(0), c.core.space.pointer_at(ClassHierarchy(c.core).library_table(known.name)));
  c.core.space.write_pointer(message_place(c), message);
}

void give_what(Call& c) {
  std::string_view rest;
  const LibraryClass& known = class_of(c, rest);
  if (known.text.empty())
    c.give_pointer(c.core.space.read_pointer(message_place(c)));
  else
    c.give_pointer(c.core.objects.make_string(std::string(known.text)));
}

template <std::size_t length>
struct Name {
  char text[length];
  constexpr Name(const char (&from)[length]) { std::copy_n(from, length, text); }
};

template <Name name>
void throw_with_text(Call& c) {
  const bool has_text = c.count() > 0 && c.slot(0).bits != 0;
  throw_library(c, name.text, has_text ? c.text(0) : "");
}
template <Name name>
void throw_plain(Call& c) {
  throw_library(c, name.text, "");
}

void throw_out_of_range(Call& c) {
  throw_library(c, "St12out_of_range", format_text(c.core, c.text(0), ArgumentSource(c, 1)));
}

/// __dynamic_cast(object, its static type, wanted type, hint): by the most derived object, which the virtual table
/// tells.
void cast_dynamically(Call& c) {
  Core& core = c.core;
  const std::uint64_t word = core.image.pointer_bytes;
  const Address table = core.space.read_pointer(c.slot(0)).bits;
  const std::uint64_t to_top = core.space.read_pointer(core.space.pointer_at(table - 2 * word)).bits;
  const Address type = core.space.read_pointer(core.space.pointer_at(table - word)).bits;
  const Address whole = (c.slot(0).bits + to_top) & core.memory.address_mask();
  ClassHierarchy classes(core);
  const std::vector<Address> sources = classes.find(type, whole, c.word(1));
  const std::vector<Address> targets = classes.find(type, whole, c.word(2));
  if (targets.size() > 1 || (!targets.empty() && std::ranges::find(sources, c.slot(0).bits) == sources.end()))
    core.account.unsupported("dynamic_cast with a base that is repeated or not public");
  if (!targets.empty()) c.give_pointer(core.space.pointer_at(targets.front()));
}

/// operator new in all its forms.
void allocate_new(Call& c) {
  const std::string& name = c.name();
  const bool is_aligned = name.find("St11align_val_t") != std::string::npos;
  const Slot fresh = c.core.heap.allocate(c.word(0), is_aligned ? c.word(1) : 16, false, true);
  if (fresh.bits == 0 && !name.ends_with("RKSt9nothrow_t"))
    throw_library(c, "St9bad_alloc", "");
  else
    c.give_pointer(fresh);
}

/// A future waits for a word to change; the inline code around the call reads it again. To come back at once is
/// allowed: the time is not over.
void wait_for_future(Call& c) {
  if (c.is_admitted(c.slot(1).bits)) c.give(1);
}

/// std::__future_base::_Result_base: a virtual table, which the derived class writes, and the exception, none yet.
void make_result(Call& c) {
  c.core.space.write_pointer(c.slot(0), {});
  c.core.space.write_pointer(message_place(c), {});
}

/// std::__1::__thread_struct leads to what is to be done at the thread's end: nothing yet.
void make_thread_struct(Call& c) { c.core.space.write_pointer(c.slot(0), {}); }

/// The destructor of libc++'s std::thread; libstdc++ has it inline.
void destroy_thread(Call& c) {
  if (c.core.space.read_word(c.slot(0), c.core.image.pointer_bytes) != 0) end_by_terminate(c);
}

void nothing(Call&) {}

constexpr NativeEntry cxx_table[] = {
    {"__cxa_throw", throw_object},
    {"__cxa_begin_catch", begin_catch},
    {"__cxa_end_catch", end_catch},
    {"__cxa_rethrow", rethrow},
    {"__cxa_get_exception_ptr", [](Call& c) { c.result = c.slot(0); }},
    {"__dynamic_cast", cast_dynamically},
    {"_Znw*", allocate_new},
    {"_Zna*", allocate_new},
    {"__cxa_bad_cast", throw_plain<"St8bad_cast">},
    {"__cxa_bad_typeid", throw_plain<"St10bad_typeid">},
    {"__cxa_throw_bad_array_new_length", throw_plain<"St20bad_array_new_length">},
    {"_ZSt17__throw_bad_allocv", throw_plain<"St9bad_alloc">},
    {"_ZSt28__throw_bad_array_new_lengthv", throw_plain<"St20bad_array_new_length">},
    {"_ZSt16__throw_bad_castv", throw_plain<"St8bad_cast">},
    {"_ZSt18__throw_bad_typeidv", throw_plain<"St10bad_typeid">},
    {"_ZSt25__throw_bad_function_callv", throw_plain<"St17bad_function_call">},
    {"_ZSt19__throw_logic_errorPKc", throw_with_text<"St11logic_error">},
    {"_ZSt20__throw_length_errorPKc", throw_with_text<"St12length_error">},
    {"_ZSt20__throw_out_of_rangePKc", throw_with_text<"St12out_of_range">},
    {"_ZSt24__throw_out_of_range_fmtPKcz", throw_out_of_range},
    {"_ZSt24__throw_invalid_argumentPKc", throw_with_text<"St16invalid_argument">},
    {"_ZSt20__throw_domain_errorPKc", throw_with_text<"St12domain_error">},
    {"_ZSt21__throw_runtime_errorPKc", throw_with_text<"St13runtime_error">},
    {"_ZSt19__throw_range_errorPKc", throw_with_text<"St11range_error">},
    {"_ZSt22__throw_overflow_errorPKc", throw_with_text<"St14overflow_error">},
    {"_ZSt23__throw_underflow_errorPKc", throw_with_text<"St15underflow_error">},
    {"_ZSt9terminatev", end_by_terminate},
    {"__cxa_pure_virtual", end_by_terminate},
    {"__cxa_deleted_virtual", end_by_terminate},
    {"__cxa_call_terminate", end_by_terminate},
    {"__clang_call_terminate", end_by_terminate},
    {"_ZNKSt9exception4whatEv", give_what},
    {"_ZNKSt9bad_alloc4whatEv", give_what},
    {"_ZNKSt20bad_array_new_length4whatEv", give_what},
    {"_ZNKSt8bad_cast4whatEv", give_what},
    {"_ZNKSt10bad_typeid4whatEv", give_what},
    {"_ZNKSt13bad_exception4whatEv", give_what},
    {"_ZNKSt17bad_function_call4whatEv", give_what},
    {"_ZNKSt12bad_weak_ptr4whatEv", give_what},
    {"_ZNKSt19bad_optional_access4whatEv", give_what},
    {"_ZNKSt18bad_variant_access4whatEv", give_what},
    {"_ZNKSt11logic_error4whatEv", give_what},
    {"_ZNKSt13runtime_error4whatEv", give_what},
    {"_ZNSt9exceptionD*", exception_member},
    {"_ZNSt9bad_allocD*", exception_member},
    {"_ZNSt20bad_array_new_lengthD*", exception_member},
    {"_ZNSt8bad_castD*", exception_member},
    {"_ZNSt10bad_typeidD*", exception_member},
    {"_ZNSt13bad_exceptionD*", exception_member},
    {"_ZNSt17bad_function_callD*", exception_member},
    {"_ZNSt12bad_weak_ptrD*", exception_member},
    {"_ZNSt19bad_optional_accessD*", exception_member},
    {"_ZNSt18bad_variant_accessD*", exception_member},
    {"_ZNSt11logic_error*", exception_member},
    {"_ZNSt12out_of_range*", exception_member},
    {"_ZNSt16invalid_argument*", exception_member},
    {"_ZNSt12length_error*", exception_member},
    {"_ZNSt12domain_error*", exception_member},
    {"_ZNSt13runtime_error*", exception_member},
    {"_ZNSt11range_error*", exception_member},
    {"_ZNSt14overflow_error*", exception_member},
    {"_ZNSt15underflow_error*", exception_member},
    {"_ZNSt12system_errorD*", exception_member},
    {"_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_until*", wait_for_future},
    {"_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steady*", wait_for_future},
    {"_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj", nothing},
    {"_ZNSt13__future_base12_Result_baseC2Ev", make_result},
    {"_ZNSt13__future_base12_Result_baseC1Ev", make_result},
    {"_ZNSt13__future_base12_Result_baseD2Ev", nothing},
    {"_ZNSt13__future_base12_Result_baseD1Ev", nothing},
    {"_ZNSt6thread6_StateD2Ev", nothing},
    {"_ZNSt6thread6_StateD1Ev", nothing},
    {"_ZNSt3__115__thread_structC1Ev", make_thread_struct},
    {"_ZNSt3__115__thread_structC2Ev", make_thread_struct},
    {"_ZNSt3__115__thread_structD1Ev", nothing},
    {"_ZNSt3__115__thread_structD2Ev", nothing},
    {"_ZNSt3__16threadD1Ev", destroy_thread},
    {"_ZNSt3__16threadD2Ev", destroy_thread},
    {"_ZNSaIcEC1Ev", nothing},
    {"_ZNSaIcED1Ev", nothing},
    {"_ZNSt11this_thread11__sleep_for*", nothing},
};

}  // namespace

std::span<const NativeEntry> cxx_natives() { return cxx_table; }

}  // namespace heddle::interpret
