// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of functions with a body, which are put in their place, and of the library, by its models.
#include <algorithm>

#include "judge/transaction/relevance.h"
#include "judge/transaction/thread_builder.h"
#include "program/model/function_queries.h"
#include "program/model/inline_asm.h"

namespace heddle::judge::transaction {

namespace {
const std::string section_name = "the atomic section";
}  // namespace

void ThreadBuilder::call(Frame& frame, std::uint32_t index, const Instruction& code) {
  const Operand callee = frame.function->operands_of(code)[0];
  if (callee.kind() == Operand::Kind::Asm) {
    if (!touches_no_memory(frame.function->calls[code.extra].asm_text)) throw NoModel{"it has inline assembly"};
    return any_result(frame, index);
  }
  if (!callee.is_function()) throw NoModel{"it calls functions through pointers"};
  const Function& target = program_.functions[callee.as_function()];
  if (target.has_body()) return call_body(frame, index, code, callee.as_function());
  call_library({frame, index, code, shop_.models.find(target.name)}, target);
  if (frame.function->calls[code.extra].no_return || target.no_return) is_over_ = true;
}

void ThreadBuilder::call_body(Frame& frame, std::uint32_t index, const Instruction& code, FunctionId callee) {
  const Function& target = program_.functions[callee];
  const unsigned bits = number_bits(code.type);
  std::vector<Known> arguments;
  for (const Operand operand : frame.function->arguments_of(code)) {
    arguments.push_back(known(frame, operand));
    // Of another width than the parameter, or passed as something else: any number.
    const std::size_t k = arguments.size() - 1;
    const bool is_number = std::holds_alternative<LinearForm>(arguments[k]);
    if (is_number && !operand.is_global() &&
        (k >= target.parameters.size() || bits_of(frame, operand) != number_bits(target.parameters[k])))
      arguments[k] = Known();
  }
  for (const ByValue& copy : frame.function->calls[code.extra].byval)
    if (copy.index < arguments.size()) arguments[copy.index] = Known();
  const bool takes_memory =
      std::ranges::any_of(arguments, [](const Known& k) { return std::holds_alternative<Memory>(k); });
  if (!shop_.relevant[callee.index()] && !takes_memory) {
    return any_result(frame, index);
  }
  for (const Frame* above = &frame; above != nullptr; above = above->caller)
    if (above->id == callee) throw NoModel{"'" + std::string(target.shown_name()) + "' calls itself"};
  Frame inner;
  inner.id = callee;
  inner.function = &target;
  inner.caller = &frame;
  inner.number = shop_.frames++;
  inner.arguments = std::move(arguments);
  const bool same_type = target.type &&
                         program_.types[code.type].kind == program_.types[program_.types[target.type].element].kind &&
                         bits == number_bits(program_.types[target.type].element);
  if (bits != 0 && same_type) inner.result = local(frame, index);
  inner.in_section = frame.in_section;
  if (shop_.models.is_atomic_function(target.name) && !frame.in_section) {
    inner.in_section = inner.owns_section = true;
    stop_here();
    add(Take{shop_.names.lock(section_name), false});
  }
  const PointIndex begin = point();
  connect(at_, begin, std::move(acts_));
  inner.behind = point();
  function(inner, begin);
  at_ = inner.behind;
  acts_ = {};
  is_over_ = false;
  if (!same_type) any_result(frame, index);
}

void ThreadBuilder::call_library(CallSite site, const Function& callee) {
  if (callee.is_intrinsic && site.model == nullptr) {
    return any_result(site.frame, site.instruction);
  }
  if (site.model == nullptr) {
    if (!shop_.models.is_closed(program_) || shop_.options.without.contains("undefined-functions"))
      throw NoModel{"it calls '" + std::string(callee.name) + "', which has neither a body nor a model"};
    shop_.assumptions.insert("undefined-functions");
  } else if (site.model->is_declared) {
    if (shop_.options.without.contains("declared-locks")) throw NoModel{"it has locks that are only declared"};
    shop_.assumptions.insert("declared-locks");
  }
  visit(site.frame, site.instruction);
  // What the call returns besides its success; acts that tell of that say so afterwards.
  any_result(site.frame, site.instruction);
  if (site.model == nullptr) return;
  for (const api::Effect& effect : site.model->effects) act(site, effect);
  // One that waits, or starts somebody, may access memory before and behind that.
  if (!is_plain(*site.model) && !is_over_) visit(site.frame, site.instruction);
}

void ThreadBuilder::act(const CallSite& site, const api::Effect& effect) {
  using namespace api;
  const auto no_model = [](const char* why) { throw NoModel{why}; };
  treat(
      action_of(effect), [&](const TakeLock& action) { take(site, action); },
      [&](const GiveLock& action) { give(site, action); }, [&](const StartThread& action) { start(site, action); },
      [&](const LeaveThread& action) { leave(site, action); }, [&](const UseCondition& action) { wait(site, action); },
      [&](const End& action) { end(action); },
      [&](const RunLater&) { no_model("it has functions that run later: at its end, or when a signal comes"); },
      [&](const RunOnce&) { no_model("it has functions that run once"); },
      [&](const CallBack&) { no_model("the library calls functions of it"); },
      [&](const MaskEntries&) { no_model("it holds back interrupts"); },
      [&](const DoUnsupported&) { no_model("it calls functions that are not supported"); },
      [&](const UseThreadValue& value) {
        if (value.step != UseThreadValue::Step::Create || value.destructor == Effect::none) return;
        const auto arguments = site.frame.function->arguments_of(site.code);
        const auto at = static_cast<std::size_t>(value.destructor);
        const Known destructor = at < arguments.size() ? known(site.frame, arguments[at]) : Known();
        if (destructor != Known(LinearForm::number(0))) no_model("it has destructors of thread-specific values");
      },
      [&](const Assume& assume) {
        const auto arguments = site.frame.function->arguments_of(site.code);
        const auto at = static_cast<std::size_t>(assume.object);
        if (at >= arguments.size()) return;
        if (const auto form = number(site.frame, arguments[at]))
          add(Guard{Predicate::Ne, *form, LinearForm::number(0)});
      },
      // Locks and conditions begin and end without anybody inside; barriers and semaphores order nothing here; library
      // functions do not reach followed memory.
      Nothing<SetUpObject, WaitAtBarrier, UseSemaphore, MakeMemory, Touch, TouchAtomic, MovePointers, ReturnValue>{});
}

bool ThreadBuilder::grants(api::Granted granted) {
  const std::string name(api::assumption_of(granted));
  if (name.empty() || shop_.options.without.contains(name)) return false;
  shop_.assumptions.insert(name);
  return true;
}

std::optional<LockIndex> ThreadBuilder::lock_of(const CallSite& site, const api::LockRef& lock) {
  switch (lock.kind) {
    case api::LockRef::Kind::Section: return shop_.names.lock(section_name);
    case api::LockRef::Kind::Named: return shop_.names.lock("the library's " + std::string(lock.name));
    case api::LockRef::Kind::Object: {
      const auto memory = argument_memory(site, lock.object);
      return memory && memory->global ? std::optional(shop_.names.lock(*memory)) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// What the call returns if it did what it is for, or if it did not.
void ThreadBuilder::status(const CallSite& site, std::vector<Act>& acts, api::Success success, bool good) {
  if (number_bits(site.code.type) == 0) return;
  const LinearForm value = LinearForm::variable(local(site.frame, site.instruction));
  const auto say = [&](Predicate predicate, std::int64_t number) {
    acts.push_back(Guard{predicate, value, LinearForm::number(number)});
  };
  switch (success) {
    case api::Success::Always: return;
    case api::Success::Zero: return say(good ? Predicate::Eq : Predicate::Ne, 0);
    case api::Success::NonZero: return say(good ? Predicate::Ne : Predicate::Eq, 0);
    case api::Success::NonNegative: return say(good ? Predicate::Sge : Predicate::Slt, 0);
    case api::Success::NotMinusOne: return say(good ? Predicate::Ne : Predicate::Eq, -1);
  }
}

/// Goes on behind a call that did it, and, if that may be, behind one that did not.
void ThreadBuilder::split(const CallSite& site, std::vector<Act> good, api::Success success, bool may_fail) {
  std::vector<Act> bad = acts_;
  std::vector<Act> all = std::move(acts_);
  acts_ = {};
  // Others notice the first act of an edge: it comes before what was collected only if that is of the same call.
  all.insert(all.begin(), good.begin(), good.end());
  status(site, all, success, true);
  const PointIndex behind = point();
  connect(at_, behind, std::move(all));
  if (may_fail) {
    status(site, bad, success, false);
    connect(at_, behind, std::move(bad));
  }
  at_ = behind;
}

void ThreadBuilder::take(const CallSite& site, const api::TakeLock& take) {
  stop_here();
  const auto lock = lock_of(site, take.lock);
  std::vector<Act> good;
  if (lock) good.push_back(Take{*lock, take.mode == api::LockMode::Shared});
  any_result(site.frame, site.instruction);
  const bool may_fail =
      !take.outcome.blocking || (take.outcome.success != api::Success::Always && !grants(take.outcome.granted));
  split(site, std::move(good), take.outcome.success, may_fail);
}

void ThreadBuilder::give(const CallSite& site, const api::GiveLock& give) {
  const auto lock = lock_of(site, give.lock);
  if (!lock) return;
  stop_here();
  add(Give{*lock});
}

void ThreadBuilder::wait(const CallSite& site, const api::UseCondition& use) {
  if (use.step != api::UseCondition::Step::Wait) return;
  const auto memory = use.indirect ? std::nullopt : argument_memory(site, use.lock);
  if (!memory || !memory->global) return;
  const LockIndex lock = shop_.names.lock(*memory);
  stop_here();
  add(Give{lock});
  stop_here();
  visit(site.frame, site.instruction);
  stop_here();
  add(Take{lock, false});
  stop_here();
}

void ThreadBuilder::start(const CallSite& site, const api::StartThread& start) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto argument = [&](api::Argument k) {
    return k >= 0 && static_cast<std::size_t>(k) < arguments.size() ? arguments[static_cast<std::size_t>(k)]
                                                                    : Operand();
  };
  const Known entry = known(site.frame, argument(start.entry));
  if (start.indirect || start.several || !std::holds_alternative<FunctionId>(entry))
    throw NoModel{"it starts threads whose first function is not known"};
  const FunctionId function = std::get<FunctionId>(entry);
  if (!program_.functions[function].has_body()) throw NoModel{"it starts threads in functions without a body"};
  if (shop_.threads.size() >= shop_.options.most_threads) throw NoModel{"it has too many threads"};
  const auto thread = static_cast<ThreadIndex>(shop_.threads.size());
  StartedThread& started = shop_.threads.emplace_back();
  started.entry = function;
  const Known given = known(site.frame, argument(start.argument));
  std::vector<Act> acts;
  if (const LinearForm* form = std::get_if<LinearForm>(&given)) {
    started.argument = given;
    if (!form->terms.empty()) {
      const VariableIndex handed = shop_.names.argument(thread);
      acts.push_back(Assign{handed, *form, Interval::of_width(64), false});
      started.argument = LinearForm::variable(handed);
    }
  }
  const Known attributes = known(site.frame, argument(start.attributes));
  if (start.attributes != api::Effect::none && attributes != Known(LinearForm::number(0)))
    started.may_be_detached = true;
  if (const auto handle = argument_memory(site, start.handle)) shop_.names.handle(*handle, thread);
  stop_here();
  any_result(site.frame, site.instruction);
  acts.push_back(Start{thread});
  split(site, std::move(acts), start.success, start.success != api::Success::Always && !grants(start.granted));
}

/// Where the handle of the thread lies that is waited for.
std::optional<Memory> ThreadBuilder::handle_of(const CallSite& site, const api::LeaveThread& leave) const {
  if (leave.indirect || leave.several || !leave.outcome.blocking) return std::nullopt;
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(leave.handle);
  if (at >= arguments.size()) return std::nullopt;
  const Instruction* load = definition_of(*site.frame.function, arguments[at]);
  if (load == nullptr || load->opcode != Opcode::Load) return std::nullopt;
  return memory(site.frame, site.frame.function->operands_of(*load)[0]);
}

void ThreadBuilder::leave(const CallSite& site, const api::LeaveThread& leave) {
  if (leave.how == api::LeaveThread::How::Detach) {
    shop_.some_are_detached = true;
    return;
  }
  const auto handle = handle_of(site, leave);
  if (!handle) {
    joins_.push_back({at_, 0, std::nullopt});
    return;
  }
  stop_here();
  joins_.push_back({at_, thread_.points[at_].edges.size(), handle});
  add(Join{0});
  const PointIndex behind = point();
  connect(at_, behind, std::move(acts_));
  acts_ = {};
  at_ = behind;
}

void ThreadBuilder::end(const api::End& end) {
  switch (end.of) {
    case api::End::Of::Frame: throw NoModel{"it throws exceptions"};
    case api::End::Of::Thread: connect(at_, Thread::ended, std::move(acts_)); break;
    case api::End::Of::Terminate:
      if (end.may_return) return;
      [[fallthrough]];
    case api::End::Of::Program:
    case api::End::Of::Exit: connect(at_, Thread::exits, std::move(acts_)); break;
  }
  acts_ = {};
  is_over_ = true;
}

}  // namespace heddle::judge::transaction
