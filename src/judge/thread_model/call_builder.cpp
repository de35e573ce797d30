// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of functions with a body, which are put in their place, and of the library, by its models.
#include <algorithm>
#include <utility>

#include "api/object_size.h"
#include "judge/thread_model/relevance.h"
#include "judge/thread_model/thread_builder.h"
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
  if (!callee.is_function() && !known(frame, callee).function) return call_pointer(frame, index, code);
  const FunctionId id = callee.is_function() ? callee.as_function() : *known(frame, callee).function;
  const Function& target = program_.functions[id];
  if (target.has_body()) return call_body(frame, index, code, id);
  call_library({frame, index, code, shop_.models.find(target.name)}, target);
  if (frame.function->calls[code.extra].no_return || target.no_return) is_over_ = true;
}

/// A way for each function that it may be.
void ThreadBuilder::call_pointer(Frame& frame, std::uint32_t index, const Instruction& code) {
  std::vector<FunctionId> callees;
  for (const Target& target : targets(frame, frame.function->operands_of(code)[0])) {
    const alias::PointedObject& object = shop_.memory.object(target.object);
    if (object.kind != alias::PointedObject::Kind::Function || !program_.functions[object.function].has_body())
      throw NoModel{"it calls through a pointer that may lead to anything"};
    callees.push_back(object.function);
  }
  if (callees.empty()) throw NoModel{"it calls through a pointer of which nothing is known"};
  const PointIndex from = at_, behind = point();
  const std::vector<Act> before = std::exchange(acts_, {});
  for (const FunctionId callee : callees) {
    at_ = from;
    acts_ = before;
    call_body(frame, index, code, callee);
    connect(at_, behind, std::exchange(acts_, {}));
  }
  at_ = behind;
}

void ThreadBuilder::call_body(Frame& frame, std::uint32_t index, const Instruction& code, FunctionId callee) {
  const Function& target = program_.functions[callee];
  const unsigned bits = number_bits(code.type);
  const auto is_copied = [&](std::size_t k) {
    return std::ranges::any_of(frame.function->calls[code.extra].byval,
                               [&](const ByValue& copy) { return copy.index == k; });
  };
  if (!shop_.relevant[callee.index()]) return any_result(frame, index);
  Frame inner;
  for (const Operand operand : frame.function->arguments_of(code)) {
    const std::size_t k = inner.arguments.size();
    inner.arguments.push_back(is_copied(k) ? Known() : known(frame, operand));
    inner.given.push_back(is_copied(k) ? Operand() : operand);
    // Of another width than the parameter, or passed as something else: any number.
    if (!operand.is_global() &&
        (k >= target.parameters.size() || bits_of(frame, operand) != number_bits(target.parameters[k])))
      inner.arguments[k].number.reset();
  }
  for (const Frame* above = &frame; above != nullptr; above = above->caller)
    if (above->id == callee) throw NoModel{"'" + std::string(target.shown_name()) + "' calls itself"};
  inner.id = callee;
  inner.function = &target;
  inner.caller = &frame;
  inner.call = index;
  inner.number = shop_.frames++;
  const bool same_type = target.type &&
                         program_.types[code.type].kind == program_.types[program_.types[target.type].element].kind &&
                         bits == number_bits(program_.types[target.type].element);
  if (bits != 0 && same_type) {
    inner.result = local(frame, index);
    inner.result_is_it = told_result(frame, index);
  }
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
  lose_objects(site, action_of(effect));
  treat(
      action_of(effect), [&](const TakeLock& action) { take(site, action); },
      [&](const GiveLock& action) { give(site, action); }, [&](const StartThread& action) { start(site, action); },
      [&](const LeaveThread& action) {
        leave(site, action);
        library_writes(site, action.result, program_.layout.pointer_bits / 8);
      },
      [&](const UseCondition& action) { wait(site, action); }, [&](const End& action) { end(action); },
      [&](const RunLater&) { no_model("it has functions that run later: at its end, or when a signal comes"); },
      [&](const RunOnce&) { no_model("it has functions that run once"); },
      [&](const CallBack&) { no_model("the library calls functions of it"); },
      [&](const MaskEntries&) { no_model("it holds back interrupts"); },
      [&](const DoUnsupported&) { no_model("it calls functions that are not supported"); },
      [&](const UseThreadValue& value) {
        library_writes(site, value.step == UseThreadValue::Step::Create ? value.key : Effect::none, 4);
        if (value.step != UseThreadValue::Step::Create || value.destructor == Effect::none) return;
        const auto arguments = site.frame.function->arguments_of(site.code);
        const auto at = static_cast<std::size_t>(value.destructor);
        const Known destructor = at < arguments.size() ? known(site.frame, arguments[at]) : Known();
        if (!destructor.is(0)) no_model("it has destructors of thread-specific values");
      },
      [&](const Assume& assume) {
        const auto arguments = site.frame.function->arguments_of(site.code);
        const auto at = static_cast<std::size_t>(assume.object);
        if (at >= arguments.size()) return;
        if (const auto form = number(site.frame, arguments[at])) go_on_if(*form);
      },
      [&](const MakeMemory& make) { library_writes(site, make.into, program_.layout.pointer_bits / 8); },
      [&](const Touch& touch) { library_writes(site, touch); },
      [&](const TouchAtomic& touch) {
        library_writes(site, touch.step == TouchAtomic::Step::Read ? touch.value : touch.object, std::nullopt);
        library_writes(site, touch.expected, std::nullopt);
      },
      [&](const MovePointers& move) { library_writes(site, move.to, std::nullopt); },
      // Locks and conditions begin and end without anybody inside; barriers and semaphores order nothing here.
      Nothing<SetUpObject, WaitAtBarrier, UseSemaphore, ReturnValue>{});
}

/// Else the thread stays where it is for ever; what it did before is done.
void ThreadBuilder::go_on_if(const LinearForm& form) {
  const PointIndex behind = point(), for_ever = point();
  for (const bool goes_on : {true, false}) {
    std::vector<Act> acts = acts_;
    acts.push_back(Guard{goes_on ? Predicate::Ne : Predicate::Eq, form, LinearForm::number(0)});
    connect(at_, goes_on ? behind : for_ever, std::move(acts));
  }
  acts_ = {};
  at_ = behind;
}

std::optional<std::uint64_t> ThreadBuilder::bytes_of(const CallSite& site, const api::Length& length) const {
  if (length.kind == api::Length::Kind::Constant) return static_cast<std::uint64_t>(length.value);
  if (length.kind == api::Length::Kind::Type)
    return static_cast<std::uint64_t>(
        api::bytes_of(static_cast<api::LibraryType>(length.value), program_.layout.pointer_bits));
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(length.value);
  if (length.kind != api::Length::Kind::Argument || at >= arguments.size()) return std::nullopt;
  const auto number = constant(site.frame, arguments[at]);
  return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

/// Locks and their like are memory, and what their operations leave there is the library's own business.
void ThreadBuilder::lose_objects(const CallSite& site, const api::Action& action) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  for (const api::ObjectUse& use : api::object_uses(action)) {
    if (use.object < 0 || static_cast<std::size_t>(use.object) >= arguments.size() || use.indirect) continue;
    const Operand pointer = arguments[static_cast<std::size_t>(use.object)];
    if (known(site.frame, pointer).is(0)) continue;
    const std::uint64_t bytes = bytes_of(site, use.bytes).value_or(1);
    for (const Region& region : regions(site.frame, pointer, bytes)) shop_.names.lose_cells(region);
    shop_.names.lose_fields(lead(site.frame, pointer, bytes), bytes);
  }
}

/// A format that may have %n in it, which writes.
bool ThreadBuilder::may_count(const CallSite& site, api::Argument format) const {
  const auto arguments = site.frame.function->arguments_of(site.code);
  if (format < 0 || static_cast<std::size_t>(format) >= arguments.size()) return true;
  const auto text = memory(site.frame, arguments[static_cast<std::size_t>(format)]);
  if (!text || !text->is_single() || text->offset != 0) return true;
  const alias::PointedObject& object = shop_.memory.object(text->object);
  if (object.kind != alias::PointedObject::Kind::Global || !program_.globals[object.global].is_constant) return true;
  bool is_conversion = false;
  constexpr std::string_view before_the_letter = "0123456789.*#+ -'hlqjztLI$";
  for (const std::uint8_t byte : program_.globals[object.global].bytes) {
    const char c = static_cast<char>(byte);
    if (is_conversion && c == 'n') return true;
    is_conversion = is_conversion ? before_the_letter.contains(c) : c == '%';
  }
  return false;
}

void ThreadBuilder::library_writes(const CallSite& site, const api::Touch& touch) {
  const bool counts = touch.mode == api::Touch::Mode::Read && touch.extent == api::Touch::Extent::Variadic &&
                      may_count(site, touch.format);
  if (touch.mode != api::Touch::Mode::Write && !counts) return;  // what is given back is not looked at any more
  switch (touch.extent) {
    case api::Touch::Extent::Object: return library_writes(site, touch.object, bytes_of(site, touch.length));
    case api::Touch::Extent::Variadic: {
      if (touch.is_list) throw NoModel{"the library writes through a list of arguments"};
      const auto count = static_cast<api::Argument>(site.frame.function->arguments_of(site.code).size());
      for (api::Argument k = touch.object; k < count; ++k)
        if (!targets(site.frame, site.frame.function->arguments_of(site.code)[static_cast<std::size_t>(k)]).empty())
          library_writes(site, k, std::nullopt);
      return;
    }
    case api::Touch::Extent::Reachable: throw NoModel{"the library rearranges its memory"};
    case api::Touch::Extent::Hidden: return;
  }
}

void ThreadBuilder::library_writes(const CallSite& site, api::Argument argument, std::optional<std::uint64_t> bytes) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  if (argument < 0 || static_cast<std::size_t>(argument) >= arguments.size()) return;
  const Operand pointer = arguments[static_cast<std::size_t>(argument)];
  if (known(site.frame, pointer).is(0)) return;
  write_bytes(site.frame, pointer, bytes, [](const Cell&) { return std::nullopt; });
}

bool ThreadBuilder::grants(api::Granted granted) {
  const std::string name(api::assumption_of(granted));
  if (name.empty() || shop_.options.without.contains(name)) return false;
  shop_.assumptions.insert(name);
  return true;
}

/// Which it is, on each way that there is.
std::vector<ThreadBuilder::LockWay> ThreadBuilder::locks_of(const CallSite& site, const api::LockRef& lock) {
  switch (lock.kind) {
    case api::LockRef::Kind::Section: return {LockWay{.locks = {shop_.names.lock(section_name)}}};
    case api::LockRef::Kind::Named:
      return {LockWay{.locks = {shop_.names.lock("the library's " + std::string(lock.name))}}};
    case api::LockRef::Kind::Object: return object_locks(site, lock.object);
  }
  return {LockWay()};
}

/// None: it may be one of several, and nothing can be said of any of these; but for one in an element, which is that of
/// the element that is followed or not.
std::vector<ThreadBuilder::LockWay> ThreadBuilder::object_locks(const CallSite& site, api::Argument argument) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(argument);
  const Operand pointer = argument >= 0 && at < arguments.size() ? arguments[at] : Operand();
  LockWay known;
  if (const auto exact = memory(site.frame, pointer); exact && exact->is_single()) {
    known.locks.push_back(shop_.names.lock(*exact));
  } else {
    const std::vector<Target> all = targets(site.frame, pointer);
    if (all.empty()) shop_.names.lose_locks();
    for (const Target& target : all) {
      if (shop_.memory.is_unknown(target.object)) shop_.names.lose_locks();
      if (!target.is_past) shop_.names.lose_lock(target);
    }
  }
  const Rows::Lead to = lead(site.frame, pointer, 1);
  const auto spot = to.only();
  if (!spot) {
    shop_.names.lose_locks(to);
    return {std::move(known)};
  }
  const auto form = is_it(site.frame, pointer);
  LockWay of_element{known.locks, if_it(form, true)};
  of_element.locks.push_back(shop_.names.lock(*spot));
  known.guards = if_it(form, false);
  return {std::move(of_element), std::move(known)};
}

/// What is done to all locks of a way, at once.
template <class Change>
std::vector<std::vector<Act>> ThreadBuilder::acts_on(const std::vector<LockWay>& ways, const Change& change) {
  std::vector<std::vector<Act>> out;
  for (const LockWay& way : ways) {
    std::vector<Act>& acts = out.emplace_back(way.guards);
    for (const LockIndex lock : way.locks) acts.push_back(change(lock));
  }
  return out;
}

void ThreadBuilder::step_on_ways(std::vector<std::vector<Act>> ways) {
  if (ways.size() == 1 && ways[0].empty()) return;
  stop_here();
  if (ways.size() == 1) return acts_.swap(ways[0]);
  const PointIndex behind = point();
  for (std::vector<Act>& acts : ways) connect(at_, behind, std::move(acts));
  at_ = behind;
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

/// Goes on behind a call that did it, in one of these ways, and, if that may be, behind one that did not.
void ThreadBuilder::split(const CallSite& site, std::vector<std::vector<Act>> good, api::Success success,
                          bool may_fail) {
  const std::vector<Act> before = std::exchange(acts_, {});
  const PointIndex behind = point();
  // Others notice the first act of an edge: it comes before what was collected only if that is of the same call.
  for (std::vector<Act>& acts : good) {
    acts.insert(acts.end(), before.begin(), before.end());
    status(site, acts, success, true);
    connect(at_, behind, std::move(acts));
  }
  if (may_fail) {
    std::vector<Act> bad = before;
    status(site, bad, success, false);
    connect(at_, behind, std::move(bad));
  }
  at_ = behind;
}

void ThreadBuilder::take(const CallSite& site, const api::TakeLock& take) {
  stop_here();
  const bool is_shared = take.mode == api::LockMode::Shared;
  auto good = acts_on(locks_of(site, take.lock), [&](LockIndex lock) { return Take{lock, is_shared}; });
  any_result(site.frame, site.instruction);
  const bool may_fail =
      !take.outcome.blocking || (take.outcome.success != api::Success::Always && !grants(take.outcome.granted));
  split(site, std::move(good), take.outcome.success, may_fail);
}

void ThreadBuilder::give(const CallSite& site, const api::GiveLock& give) {
  step_on_ways(acts_on(locks_of(site, give.lock), [](LockIndex lock) { return Give{lock}; }));
}

void ThreadBuilder::wait(const CallSite& site, const api::UseCondition& use) {
  if (use.step != api::UseCondition::Step::Wait) return;
  if (use.indirect) return shop_.names.lose_locks();
  const std::vector<LockWay> ways = object_locks(site, use.lock);
  if (ways.size() == 1 && ways[0].locks.empty()) return;
  step_on_ways(acts_on(ways, [](LockIndex lock) { return Give{lock}; }));
  stop_here();
  visit(site.frame, site.instruction);
  step_on_ways(acts_on(ways, [](LockIndex lock) { return Take{lock, false}; }));
  stop_here();
}

void ThreadBuilder::start(const CallSite& site, const api::StartThread& start) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto argument = [&](api::Argument k) {
    return k >= 0 && static_cast<std::size_t>(k) < arguments.size() ? arguments[static_cast<std::size_t>(k)]
                                                                    : Operand();
  };
  std::optional<FunctionId> entry = known(site.frame, argument(start.entry)).function;
  if (const auto all = targets(site.frame, argument(start.entry)); !entry && all.size() == 1)
    if (const alias::PointedObject& only = shop_.memory.object(all.front().object);
        only.kind == alias::PointedObject::Kind::Function)
      entry = only.function;
  if (start.indirect || start.several || !entry) throw NoModel{"it starts threads whose first function is not known"};
  if (!program_.functions[*entry].has_body()) throw NoModel{"it starts threads in functions without a body"};
  if (shop_.threads.size() >= shop_.options.most_threads) throw NoModel{"it has too many threads"};
  const auto thread = static_cast<ThreadIndex>(shop_.threads.size());
  StartedThread& started = shop_.threads.emplace_back();
  started.entry = *entry;
  started.targets = targets(site.frame, argument(start.argument));
  started.argument = known(site.frame, argument(start.argument));
  std::vector<Act> acts;
  if (auto& number = started.argument.number; number && !number->terms.empty()) {
    const VariableIndex handed = shop_.names.argument(thread);
    acts.push_back(Assign{handed, *number, Interval::of_width(64), false});
    number = LinearForm::variable(handed);
  }
  if (const auto is_it = this->is_it(site.frame, argument(start.argument))) {
    const VariableIndex handed = shop_.names.whether_argument_is_it(thread);
    acts.push_back(Assign{handed, *is_it, {0, 1}, false});
    started.is_it = LinearForm::variable(handed);
  }
  if (start.attributes != api::Effect::none && !known(site.frame, argument(start.attributes)).is(0))
    started.may_be_detached = true;
  if (const auto handle = argument_memory(site, start.handle)) shop_.names.handle(*handle, thread);
  // It is written at some time before the call returns.
  const auto write_handle = [&] {
    const Operand pointer = argument(start.handle);
    const auto word = std::optional<std::uint64_t>(program_.layout.pointer_bits / 8);
    if (start.handle != api::Effect::none && !known(site.frame, pointer).is(0))
      write_bytes(site.frame, pointer, word, [](const Cell&) { return std::nullopt; }, Leaves::Handle);
  };
  write_handle();
  stop_here();
  any_result(site.frame, site.instruction);
  acts.push_back(Start{thread});
  split(site, {std::move(acts)}, start.success, start.success != api::Success::Always && !grants(start.granted));
  write_handle();
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
