// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that are started and waited for: by a function, or, as in C++, by an object with a virtual one.
#include <algorithm>
#include <utility>

#include "judge/thread_model/thread_builder.h"
#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

namespace {

Operand argument_of(const Function& f, const Instruction& call, api::Argument k) {
  const auto arguments = f.arguments_of(call);
  return k >= 0 && static_cast<std::size_t>(k) < arguments.size() ? arguments[static_cast<std::size_t>(k)] : Operand();
}

}  // namespace

std::optional<FunctionId> ThreadBuilder::only_function(const std::vector<Target>& all) const {
  if (all.size() != 1) return std::nullopt;
  const alias::PointedObject& only = shop_.memory.object(all.front().object);
  return only.kind == alias::PointedObject::Kind::Function ? std::optional(only.function) : std::nullopt;
}

/// Of objects whose first word leads to their table of virtual functions.
std::vector<Target> ThreadBuilder::in_table(const std::vector<Target>& objects, int slot) const {
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  std::vector<Target> at = contents(objects, word);
  for (Target& table : at)
    if (table.offset != alias::anywhere) table.offset += std::int64_t{slot} * static_cast<std::int64_t>(word);
  return contents(at, word);
}

/// Which functions it runs, and what they are given.
StartedThread ThreadBuilder::started_at(const CallSite& site, const api::StartThread& start) const {
  const auto argument = [&](api::Argument k) { return argument_of(*site.frame.function, site.code, k); };
  const NoModel not_known{"it starts threads whose first function is not known"};
  if (start.several) throw not_known;
  StartedThread out;
  std::optional<FunctionId> entry, after;
  if (start.entry_slot >= 0) {
    out.targets = targets(site.frame, argument(start.entry));
    if (start.indirect) out.targets = contents(out.targets, program_.layout.pointer_bits / 8);
    entry = only_function(in_table(out.targets, start.entry_slot));
    if (start.after_slot >= 0 && !(after = only_function(in_table(out.targets, start.after_slot)))) throw not_known;
  } else {
    out.targets = targets(site.frame, argument(start.argument));
    out.argument = known(site.frame, argument(start.argument));
    out.is_it = is_it(site.frame, argument(start.argument));
    entry = known(site.frame, argument(start.entry)).function;
    if (!entry) entry = only_function(targets(site.frame, argument(start.entry)));
    if (start.indirect) throw not_known;
  }
  if (!entry) throw not_known;
  for (const auto& function : {entry, after})
    if (function && !program_.functions[*function].has_body())
      throw NoModel{"it starts threads in functions without a body"};
  out.entry = *entry;
  out.context = context_of(site.frame, site.instruction, *entry);
  if (after) out.after = *after;
  if (after) out.after_context = context_of(site.frame, site.instruction, *after);
  return out;
}

void ThreadBuilder::start(const CallSite& site, const api::StartThread& start) {
  const auto argument = [&](api::Argument k) { return argument_of(*site.frame.function, site.code, k); };
  StartedThread started = started_at(site, start);
  if (shop_.threads.size() >= shop_.options.most_threads) throw NoModel{"it has too many threads"};
  const auto thread = static_cast<ThreadIndex>(shop_.threads.size());
  std::vector<Act> acts;
  if (auto& number = started.argument.number; number && !number->terms.empty()) {
    const VariableIndex handed = shop_.names.argument(thread);
    acts.push_back(Assign{handed, *number, Interval::of_width(64), false});
    number = LinearForm::variable(handed);
  }
  if (auto& is_it = started.is_it) {
    const VariableIndex handed = shop_.names.whether_argument_is_it(thread);
    acts.push_back(Assign{handed, *is_it, {0, 1}, false});
    is_it = LinearForm::variable(handed);
  }
  if (start.attributes != api::Effect::none && !known(site.frame, argument(start.attributes)).is(0))
    started.may_be_detached = true;
  shop_.threads.push_back(std::move(started));
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
  const bool may_fail = !grants(start.granted);
  if (may_fail && start.success == api::Success::Always) may_throw_from(site.frame);
  split(site, {std::move(acts)}, start.success, start.success != api::Success::Always && may_fail);
  write_handle();
  if (start.entry_slot >= 0 && start.indirect) empty_word(site, start.entry);  // the object is the thread's own now
}

void ThreadBuilder::empty_word(const CallSite& site, api::Argument argument) {
  write_bytes(
      site.frame, argument_of(*site.frame.function, site.code, argument), program_.layout.pointer_bits / 8,
      [](const Cell&) { return 0; }, Leaves::Null);
}

/// Where the handle of the thread lies that is waited for.
std::optional<Memory> ThreadBuilder::handle_of(const CallSite& site, const api::LeaveThread& leave) const {
  if (leave.several || !leave.outcome.blocking) return std::nullopt;
  if (leave.indirect) return argument_memory(site, leave.handle);
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(leave.handle);
  if (at >= arguments.size()) return std::nullopt;
  const Instruction* load = definition_of(*site.frame.function, arguments[at]);
  if (load == nullptr || load->opcode != Opcode::Load) return std::nullopt;
  return memory(site.frame, site.frame.function->operands_of(*load)[0]);
}

void ThreadBuilder::leave(const CallSite& site, const api::LeaveThread& leave) {
  if (leave.indirect) may_throw_from(site.frame);
  if (leave.how == api::LeaveThread::How::Detach) {
    shop_.some_are_detached = true;
  } else if (const auto handle = handle_of(site, leave)) {
    stop_here();
    joins_.push_back({at_, thread_.points[at_].edges.size(), handle, leave.indirect});
    add(Join{0});
    const PointIndex behind = point();
    connect(at_, behind, std::move(acts_));
    acts_ = {};
    at_ = behind;
  } else {
    joins_.push_back({at_, 0, std::nullopt});
  }
  if (leave.indirect) empty_word(site, leave.handle);
}

}  // namespace heddle::judge::transaction
