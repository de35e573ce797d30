// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What library calls do to a state, by the actions of their models. Locks are in locks.cpp, threads in
// thread_effects.cpp, memory in memory_effects.cpp. An action that has no transfer function is an obstacle.
#include <algorithm>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

using api::Effect;

FormId TopDownAnalysis::argument(const Site& site, const State& s, int number) {
  const auto given = site.function->arguments_of(site.code());
  const auto k = static_cast<std::size_t>(number);
  if (number < 0 || k >= given.size()) return u.opaque(u.unknown(u.pointer_bits()));
  return evaluate(site, s, given[k]);
}

std::optional<std::int64_t> TopDownAnalysis::known_length(const Site& site, const State& s, const api::Length& length) {
  auto number = [&](std::int64_t which) -> std::optional<std::int64_t> {
    const Interval i = d.interval_of(s, argument(site, s, static_cast<int>(which)), u.pointer_bits());
    return i.is_constant() && i.low >= 0 ? std::optional(i.low) : std::nullopt;
  };
  switch (length.kind) {
    case api::Length::Kind::Constant: return length.value;
    case api::Length::Kind::Words: return length.value * (u.pointer_bits() / 8);
    case api::Length::Kind::Argument: return number(length.value);
    case api::Length::Kind::Product: {
      const auto a = number(length.value);
      const auto b = number(length.second);
      return a && b ? std::optional(*a * *b) : std::nullopt;
    }
    case api::Length::Kind::Unknown:
    case api::Length::Kind::String: return std::nullopt;
  }
  return std::nullopt;
}

void TopDownAnalysis::return_status(const Site& site, State& s, api::Success success, bool succeeded) {
  const unsigned bits = bits_of(site.code().type);
  if (program_.types[site.code().type].kind == TypeKind::Void) return;
  auto not_zero = [&] {
    Info i;
    i.number = Interval::of_width(bits);
    i.has_excluded = true;
    i.excluded = 0;
    return u.info(i);
  };
  InfoId info = u.any_number(bits);
  switch (success) {
    case api::Success::Zero: info = succeeded ? u.number(Interval::constant(0)) : not_zero(); break;
    case api::Success::NonZero: info = succeeded ? not_zero() : u.number(Interval::constant(0)); break;
    case api::Success::NonNegative: {
      const Interval all = Interval::of_width(bits);
      info = u.number(succeeded ? Interval{0, all.high} : Interval{all.low, -1});
      break;
    }
    case api::Success::Always: return;
  }
  assign(site, s, defined(site, s, info));
}

void TopDownAnalysis::return_any(const Site& site, State& s) {
  if (program_.types[site.code().type].kind == TypeKind::Void) return;
  assign(site, s, defined(site, s, u.any_number(bits_of(site.code().type))));
}

void TopDownAnalysis::apply(const Site& site, const Effect& effect, const State& before, States& out, Exits& exits) {
  State s = before;
  api::treat(
      api::action_of(effect), [&](const api::TakeLock& take) { take_lock(site, take, s, out); },
      [&](const api::GiveLock& give) { give_lock(site, give, s, out); },
      [&](const api::SetUpObject& object) { set_up(site, object, s, out); },
      [&](const api::StartThread& start) { spawn(site, start, s, out); },
      [&](const api::RunLater& later) { run_later(site, later, s, out); },
      [&](const api::LeaveThread& leave) { leave_thread(site, leave, s, out); },
      [&](const api::UseCondition& use) { use_condition(use, s, out); },
      [&](const api::WaitAtBarrier&) { out.push_back(s); },  // no order is derived from barriers
      [&](const api::UseSemaphore& use) { semaphore(site, use, s, out); },
      [&](const api::RunOnce& once) { run_once(site, once, s, out); },
      [&](const api::UseThreadValue& use) {
        thread_specific(site, use, s);
        out.push_back(s);
      },
      [&](const api::MakeMemory& make) {
        allocate(site, make, s);
        out.push_back(s);
      },
      [&](const api::Touch& touch) {
        if (touch_memory(site, touch, s)) out.push_back(s);
      },
      [&](const api::TouchAtomic& touch) {
        if (touch_atomic(site, touch, s)) out.push_back(s);
      },
      [&](const api::MovePointers& move) {
        if (move_pointers(site, move, s)) out.push_back(s);
      },
      [&](const api::ReturnValue& value) {
        return_value(site, value, s);
        out.push_back(s);
      },
      [&](const api::CallBack& back) {
        if (!back.global.empty()) return invoke_global(site, back, s, out);
        untreated(site);
        out.push_back(s);
      },
      [&](const api::End& end) { end_here(site, end, s, exits); },
      [&](const api::Assume& assume) {
        const Operand condition = site.operands()[static_cast<std::size_t>(assume.object) + 1];
        if (d.assume(s, argument(site, s, assume.object), operand_bits(site, condition), true)) out.push_back(s);
      },
      [&](const api::MaskEntries&) {
        untreated(site);
        out.push_back(s);
      },
      [&](const api::DoUnsupported& what) {
        unsupported(site, what, s);
        out.push_back(s);
      });
}

/// An action that has no transfer function here.
void TopDownAnalysis::untreated(const Site& site) {
  obstacle(site, "a call of '" + std::string(program_.functions[callees_of(site)].name) +
                     "', an effect of which is not treated yet");
}

void TopDownAnalysis::unsupported(const Site& site, const api::DoUnsupported& what, const State& s) {
  if (what.entry != Effect::none && u.infos[d.info_of(s, argument(site, s, what.entry), u.pointer_bits())].is_number())
    return;
  obstacle(site, "a call of '" + std::string(program_.functions[callees_of(site)].name) +
                     "': " + std::string(what.what) + " is not treated");
}

void TopDownAnalysis::use_condition(const api::UseCondition& use, State s, States& out) {
  switch (use.step) {
    case api::UseCondition::Step::Wait: {
      // Released and taken again: the lock is held as before, but what it protects may have changed.
      assume_named("waits-return");
      State without = s;
      without.locks = 0;
      memory_.forget_unprotected(without);
      s.memory = without.memory;
      break;
    }
    case api::UseCondition::Step::Signal:
    case api::UseCondition::Step::Broadcast: break;
  }
  out.push_back(s);
}

void TopDownAnalysis::run_later(const Site& site, const api::RunLater& later, State s, States& out) {
  switch (later.when) {
    case api::RunLater::When::Outside: untreated(site); break;
    case api::RunLater::When::ThreadEnd:
      obstacle(site, "a function to run at the end that is not known");
      [[fallthrough]];
    case api::RunLater::When::ProgramEnd: run_at_end(site, later, s); break;
  }
  out.push_back(s);
}

void TopDownAnalysis::run_at_end(const Site& site, const api::RunLater& later, State& s) {
  bool known = false;
  const std::vector<FunctionId> functions =
      functions_in(d.info_of(s, argument(site, s, later.entry), u.pointer_bits()), known);
  const Operand callee = site.operands()[static_cast<std::size_t>(later.entry) + 1];
  const api::Model* model =
      callee.is_function() ? models_.find(program_.functions[callee.as_function()].name) : nullptr;
  const bool has_nothing_to_do = model && std::ranges::all_of(model->effects, [](const Effect& at_end) {
                                   const auto set_up = api::get<api::SetUpObject>(at_end);
                                   return set_up && set_up->what == api::SetUpObject::What::LockEnd;
                                 });
  if (!known && !has_nothing_to_do) obstacle(site, "a function to run at the end that is not known");
  InfoId given = u.any_number(u.pointer_bits());
  if (later.argument != Effect::none) {
    given = d.info_of(s, argument(site, s, later.argument), u.pointer_bits());
    memory_.publish(s, given);
    given = memory_.settled(given);
  }
  for (const FunctionId f : functions) {
    const auto [it, inserted] = at_exit_.try_emplace(f, given);
    const InfoId joined = u.join(it->second, given);
    if (inserted || joined != it->second) changed_ = true;
    it->second = joined;
  }
  return_status(site, s, api::Success::Zero, true);
}

void TopDownAnalysis::return_value(const Site& site, const api::ReturnValue& value, State& s) {
  switch (value.what) {
    case api::ReturnValue::What::Argument: assign(site, s, argument(site, s, value.object)); return;
    case api::ReturnValue::What::Into: {
      const InfoId into = d.blur(d.info_of(s, argument(site, s, value.object), u.pointer_bits()), u.pointer_bits());
      assign(site, s, defined(site, s, u.with_addresses_of(u.number(Interval::constant(0)), into)));
      return;
    }
    case api::ReturnValue::What::Reachable: return untreated(site);
    case api::ReturnValue::What::Hidden: return return_hidden(site, value, s);
    case api::ReturnValue::What::ThisThread: return return_any(site, s);
    case api::ReturnValue::What::Anything: return;  // what the call returns if no action says more
  }
}

void TopDownAnalysis::return_hidden(const Site& site, const api::ReturnValue& value, State& s) {
  const std::string name(value.name);
  const ThreadId owner = value.per_thread ? thread_of(site) : ThreadId();
  const ObjectId hidden = u.object(ObjectKind::Hidden, 0, {}, owner, value.per_thread, name);
  if (value.per_thread) u.objects[hidden].settled = u.object(ObjectKind::Hidden, 0, {}, owner, false, name);
  const bool published = value.per_thread && u.maps.contains(s.allocated, u.objects[hidden].settled.index());
  assign(site, s,
         published ? u.opaque(u.addresses({{hidden, 0, 0, 0}, {u.objects[hidden].settled, 0, 0, 0}}))
                   : u.address_of(hidden));
  if (value.holds_key)
    memory_.store(s, u.address_of(hidden), u.address_of(u.object(ObjectKind::Key, 0, {}, {}, false, name)), 4,
                  u.pointer_bits());
}

void TopDownAnalysis::end_here(const Site& site, const api::End& end, State s, Exits& exits) {
  switch (end.of) {
    case api::End::Of::Thread:
      note_thread_end(thread_of(site), s);
      if (thread_of(site) == main_) run_at_exit(s);
      if (has_landing_pads_) obstacle(site, "a thread that ends here runs the destructors of its frames");
      return;
    case api::End::Of::Program: return;
    case api::End::Of::Exit: run_at_exit(s); return;
    case api::End::Of::Frame: exits.unwinds.push_back(s); return;
  }
}

}  // namespace heddle::topdown
