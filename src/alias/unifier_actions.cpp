// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a library call moves pointers to, and which functions it calls, by the actions of its model. Everything else
// that a call may do leaves the classes as they are: plain accesses read and write data, and locks hold no pointers.
#include "alias/unifier.h"
#include "api/action.h"

namespace heddle::alias {

/// One call: its arguments, and the place of its result.
struct Unifier::LibraryCall {
  CallSite site;
  const std::vector<Place>& arguments;
  Place result;

  /// None if the call does not pass it.
  [[nodiscard]] Place operator[](api::Argument index) const {
    return index >= 0 && static_cast<std::size_t>(index) < arguments.size() ? arguments[static_cast<std::size_t>(index)]
                                                                            : Place{};
  }
};

void Unifier::apply_model(const CallSite& site, const api::Model& model, const std::vector<Place>& arguments,
                          Place result) {
  const LibraryCall call{site, arguments, result};
  for (const api::Effect& effect : model.effects) apply_action(call, api::action_of(effect));
}

void Unifier::apply_action(const LibraryCall& call, const api::Action& action) {
  api::treat(
      action, [&](const api::StartThread& start) { start_thread(call, start); },
      [&](const api::RunLater& later) { run_later(call, later); },
      [&](const api::LeaveThread& leave) { unify(content(call[leave.result]), thread_results_); },
      [&](const api::RunOnce& once) { call_through(call[once.entry], {call.site, {call[once.argument]}, {}}); },
      [&](const api::UseThreadValue& use) { use_thread_value(call, use); },
      // New memory through `into` is what that pointer leads to from now on; of a moved block, the old class goes on.
      [&](const api::MakeMemory& make) { unify(call.result, call[make.old]); },
      [&](const api::Touch& touch) { touch_memory(call, touch); },
      [&](const api::TouchAtomic& touch) { touch_atomic(call, touch); },
      [&](const api::MovePointers& move) { move_pointers(call, move); },
      [&](const api::ReturnValue& value) { return_value(call, value); },
      [&](const api::CallBack& back) { call_back(call, back); }, [&](const api::End& end) { end_here(call, end); },
      // A handler that was given to an untreated call may run: who looks for functions that run must see it.
      [&](const api::DoUnsupported& what) { call_through(call[what.entry], {call.site, {}, {}}); },
      api::Nothing<api::TakeLock, api::GiveLock, api::SetUpObject, api::UseCondition, api::WaitAtBarrier,
                   api::UseSemaphore, api::Assume, api::MaskEntries>{});
}

void Unifier::start_thread(const LibraryCall& call, const api::StartThread& start) {
  Place entry = call[start.entry];
  if (start.entry_slot < 0) return call_through(entry, {call.site, {call[start.argument]}, thread_results_});
  // A C++ object: its first word leads to the virtual table, whose slots hold the functions.
  if (start.indirect) entry = content(entry);
  const Place table = content(entry);
  const auto word = static_cast<std::int64_t>(program_.layout.pointer_bits / 8);
  for (const int slot : {start.entry_slot, start.after_slot})
    if (slot >= 0 && table.valid())
      call_through(content(facts_.classes_.at(table, slot * word)), {call.site, {entry}, {}});
}

void Unifier::run_later(const LibraryCall& call, const api::RunLater& later) {
  const Place given = call[later.argument];
  switch (later.when) {
    case api::RunLater::When::Outside:  // handlers of interrupts get it second
      return call_through(call[later.entry], {call.site, {given, given}, {}});
    case api::RunLater::When::Terminate:
    case api::RunLater::When::ExceptionEnd:
    case api::RunLater::When::ProgramEnd:
    case api::RunLater::When::ThreadEnd: return call_through(call[later.entry], {call.site, {given}, {}});
  }
}

/// All keys are one: what was set under any of them may be what another one gives.
void Unifier::use_thread_value(const LibraryCall& call, const api::UseThreadValue& use) {
  switch (use.step) {
    case api::UseThreadValue::Step::Create:
      return call_through(call[use.destructor], {call.site, {thread_values_}, {}});
    case api::UseThreadValue::Step::Get: return unify(call.result, thread_values_);
    case api::UseThreadValue::Step::Set: return unify(call[use.value], thread_values_);
  }
}

void Unifier::touch_memory(const LibraryCall& call, const api::Touch& touch) {
  switch (touch.extent) {
    case api::Touch::Extent::Reachable:
      for (const Place each : call.arguments) {
        unify_reachable(each);
        unify(call[touch.object], each);
      }
      return;
    case api::Touch::Extent::Object:
    case api::Touch::Extent::Variadic:
    case api::Touch::Extent::Hidden: return;  // what is written is data
  }
}

void Unifier::touch_atomic(const LibraryCall& call, const api::TouchAtomic& touch) {
  const Place held = content(call[touch.object]);
  const Place value = call[touch.value];
  switch (touch.step) {
    case api::TouchAtomic::Step::Read: return unify(held, value.valid() ? content(value) : call.result);
    case api::TouchAtomic::Step::Write: return unify(held, touch.indirect ? content(value) : value);
    case api::TouchAtomic::Step::Update:
      unify(held, touch.indirect ? content(value) : value);
      unify(held, content(call[touch.expected]));
      return unify(held, call.result);
  }
}

void Unifier::move_pointers(const LibraryCall& call, const api::MovePointers& move) {
  switch (move.how) {
    case api::MovePointers::How::Content: return copy(call[move.to], call[move.from]);
    case api::MovePointers::How::Into: return unify(content(call[move.to]), call[move.from]);
  }
}

void Unifier::return_value(const LibraryCall& call, const api::ReturnValue& value) {
  switch (value.what) {
    case api::ReturnValue::What::Argument:
    case api::ReturnValue::What::Own:
    case api::ReturnValue::What::Into: return unify(call.result, call[value.object]);
    case api::ReturnValue::What::Reachable:
      unify_reachable(call[value.object]);
      return unify(call.result, call[value.object]);
    case api::ReturnValue::What::Hidden: {
      Place& hidden = hidden_[std::string(value.name)];
      if (!hidden.valid()) hidden = fresh();
      unify_reachable(hidden);
      return unify(call.result, hidden);
    }
    case api::ReturnValue::What::ThisThread:
    case api::ReturnValue::What::Anything: return;  // data
  }
}

void Unifier::call_back(const LibraryCall& call, const api::CallBack& back) {
  if (!back.global.empty()) {
    const GlobalId global = program_.find_global(back.global);
    if (!global.valid()) return;
    return call_through(content(place({}, Operand::global(global))), {call.site, {}, {}});
  }
  // The callee gets pointers into both objects, in an order only the library knows.
  unify(call[back.argument], call[back.value]);
  const Place into = call[back.argument].valid() ? call[back.argument] : call[back.value];
  call_through(call[back.entry], {call.site, {into, into, into}, {}});
}

void Unifier::end_here(const LibraryCall& call, const api::End& end) {
  switch (end.of) {
    case api::End::Of::Thread: return unify(call[end.value], thread_results_);
    case api::End::Of::Frame: return unify(call[end.value], exceptions_);
    case api::End::Of::Program:
    case api::End::Of::Terminate:
    case api::End::Of::Exit: return;
  }
}

}  // namespace heddle::alias
