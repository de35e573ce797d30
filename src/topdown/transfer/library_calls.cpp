// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/library_calls.h"

#include <algorithm>
#include <optional>

#include "topdown/transfer/calls.h"

namespace heddle::topdown {

using api::Effect;

void LibraryCalls::apply(const Site& site, const Effect& effect, const State& before, States& out, Exits& exits) {
  State s = before;
  const api::Action action = api::action_of(effect);
  if (!use_objects(site, action, s)) return;
  api::treat(
      action, [&](const api::TakeLock& take) { do_.locks.take_lock(site, take, s, out); },
      [&](const api::GiveLock& give) { do_.locks.give_lock(site, give, s, out); },
      [&](const api::SetUpObject& object) { do_.locks.set_up(site, object, s, out); },
      [&](const api::StartThread& start) { do_.threads.spawn(site, start, s, out); },
      [&](const api::RunLater& later) { run_later(site, later, s, out); },
      [&](const api::LeaveThread& leave) {
        if (do_.threads.leave_thread(site, leave, s, out)) do_.ending.throw_here(site, s, exits);
      },
      [&](const api::UseCondition& use) { do_.locks.use_condition(site, use, s, out); },
      [&](const api::WaitAtBarrier& wait) {
        do_.teams.wait(site, wait, s);
        out.push_back(s);
      },
      [&](const api::UseSemaphore& use) { do_.semaphores.semaphore(site, use, s, out); },
      [&](const api::RunOnce& once) { do_.once.run_once(site, once, s, out); },
      [&](const api::UseThreadValue& use) {
        if (use.step == api::UseThreadValue::Step::Create && do_.own_values.may_run_out(site)) {
          State failed = s;
          call_.return_status(site, failed, use.success, false);
          out.push_back(failed);
        }
        do_.own_values.thread_specific(site, use, s);
        out.push_back(s);
      },
      [&](const api::MakeMemory& make) { do_.memory.allocate(site, make, s, out); },
      [&](const api::Touch& touch) {
        if (do_.memory.touch_memory(site, touch, s)) out.push_back(s);
      },
      [&](const api::TouchAtomic& touch) {
        if (do_.memory.touch_atomic(site, touch, s)) out.push_back(s);
      },
      [&](const api::MovePointers& move) {
        if (do_.memory.move_pointers(site, move, s)) out.push_back(s);
      },
      [&](const api::ReturnValue& value) {
        if (value.what == api::ReturnValue::What::Own)
          do_.teams.return_own(site, value, s);
        else
          do_.memory.return_value(site, value, s);
        out.push_back(s);
      },
      [&](const api::CallBack& back) {
        if (back.ends_exception) return do_.exceptions.end(site, s, out);
        if (!back.global.empty()) return calls_.invoke_global(site, back, s, out);
        recorder_.untreated(site);
        out.push_back(s);
      },
      [&](const api::End& end) {
        do_.ending.end_here(site, end, s, exits);
        if (end.may_return) out.push_back(s);
      },
      [&](const api::Assume& assume) {
        const Operand condition = site.operands()[static_cast<std::size_t>(assume.object) + 1];
        if (d.assume(s, call_.argument(site, s, assume.object), values_.operand_bits(site, condition), true))
          out.push_back(s);
      },
      [&](const api::MaskEntries&) {
        recorder_.untreated(site);
        out.push_back(s);
      },
      [&](const api::DoUnsupported& what) {
        unsupported(site, what, s);
        out.push_back(s);
      });
}

/// A synchronisation object is memory: what is done to it meets who overwrites, copies or frees it. False: no execution
/// gets behind the call.
bool LibraryCalls::use_objects(const Site& site, const api::Action& action, State& s) {
  for (const api::ObjectUse& use : api::object_uses(action)) {
    FormId where = call_.argument(site, s, use.object);
    if (use.indirect)
      where = memory_.load(s, where, u.pointer_bits() / 8, u.pointer_bits(), values_.result_symbol(site));
    const auto bytes = call_.known_length(site, s, use.bytes);
    if (!recorder_.use_object(site, s, where, static_cast<std::uint64_t>(bytes.value_or(1)), use.is_atomic,
                              use.is_read))
      return false;
  }
  return true;
}

/// No function and no memory that anybody changes: a number, or the text of a literal.
bool LibraryCalls::is_constant(const State& s, FormId value) const {
  const Info info = u.infos[d.info_of(s, value, u.pointer_bits())];
  if (info.is_number()) return true;
  if (info.any_address || !info.addresses) return false;
  return std::ranges::all_of(u.points_to[info.addresses].targets, [&](const Target& t) {
    const Object& o = u.objects[t.object];
    return o.kind == ObjectKind::Global && u.program.globals[GlobalId(o.a)].is_constant;
  });
}

void LibraryCalls::unsupported(const Site& site, const api::DoUnsupported& what, const State& s) {
  if (what.entry != Effect::none && is_constant(s, call_.argument(site, s, what.entry))) return;
  const auto number = [&](api::Argument argument) -> std::optional<std::int64_t> {
    if (argument == Effect::none) return std::nullopt;
    const Info info = u.infos[d.info_of(s, call_.argument(site, s, argument), 64)];
    return info.is_number() && info.number.is_constant() ? std::optional(info.number.low) : std::nullopt;
  };
  if (number(what.argument) == what.except) return;
  if (const auto flags = number(what.flags); flags && (*flags & what.bits) == 0) return;
  recorder_.obstacle(site, "a call of '" + std::string(u.program.functions[site.callee()].name) +
                               "': " + std::string(what.what) + " is not treated");
}

void LibraryCalls::run_later(const Site& site, const api::RunLater& later, State s, States& out) {
  switch (later.when) {
    case api::RunLater::When::Outside: recorder_.untreated(site); break;
    case api::RunLater::When::ThreadEnd:
      recorder_.obstacle(site, "a function to run at the end that is not known");
      [[fallthrough]];
    case api::RunLater::When::ProgramEnd: do_.ending.run_at_end(site, later, s); break;
    case api::RunLater::When::Terminate: do_.ending.run_at_terminate(site, later, s); break;
    case api::RunLater::When::ExceptionEnd: do_.exceptions.keep(site, later, s); break;
  }
  out.push_back(s);
}

}  // namespace heddle::topdown
