// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads: each start makes one of its own, which is unrolled later on.
#include <algorithm>

#include "judge/bmc/unroller.h"

namespace heddle::judge::bmc {

void Unroller::start_thread(const Site& site, Path& path, const api::StartThread& action) {
  if (action.several) throw NoEncoding{"it starts threads in a way that is not treated"};
  publish(path);
  if (path.section_depth > 0) throw NoEncoding{"it starts a thread in an atomic section"};
  ObjectKey key{.kind = ObjectKey::Kind::Thread, .context = site.frame.context, .number = site.index};
  key.rounds = site.frame.rounds;
  const ObjectNumber object = shape_.object(key, 1);
  if (execution_.threads.size() >= options_.most_threads) {
    execution_.is_cut = true;
    path.condition = Bit::no();
    return;
  }
  const Value handle = address_of(object);
  // Whoever sees the new thread sees its handle.
  AccessHow how;
  how.is_part = true;
  if (action.handle != api::Effect::none) write(site, path, argument(site, action.handle), handle, how);
  Start start = code_of(site, path, action);
  if (path.condition.is_no()) return;
  const auto number = static_cast<ThreadNumber>(execution_.threads.size());
  thread_of_[object] = number;
  UnrolledEvent event = event_at(site, path, {});
  event.can_race = false;
  execution_.threads.emplace_back();
  execution_.threads[number].creator = thread_;
  execution_.threads[number].created_at = event.point;
  start.thread = number;
  start.object = object;
  start.condition = path.condition;
  starts_.push_back(std::move(start));
  add_event(std::move(event));
  if (action.handle_returned) set_result(site, {resize(handle.bits, width_of(site.code.type)), handle.leads});
}

/// What the new thread calls, and with what: a function, or one that a table of the object names.
Unroller::Start Unroller::code_of(const Site& site, Path& path, const api::StartThread& action) {
  Start out;
  if (action.entry_slot == api::Effect::none) {
    out.entry = argument(site, action.entry);
    if (action.argument != api::Effect::none) out.argument = argument(site, action.argument);
    return out;
  }
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  AccessHow how;
  how.is_part = true;
  out.argument = argument(site, action.entry);
  if (action.indirect) {
    const Value at = out.argument;
    out.argument = read(site, path, at, word, how);
    if (!path.condition.is_no()) write(site, path, at, {constant(0, word * 8), 0}, how);
  }
  if (path.condition.is_no()) return out;
  const Value table = read(site, path, out.argument, word, how);
  const auto slot = [&](int number) {
    if (path.condition.is_no()) return Value{};
    const Word offset = constant(static_cast<std::uint64_t>(number) * word, word * 8);
    const SetNumber leads = moved(table.leads, static_cast<std::uint64_t>(number) * word, 0);
    return read(site, path, {add(circuit_, table.bits, offset), leads}, word, how);
  };
  out.entry = slot(action.entry_slot);
  if (action.after_slot != api::Effect::none) out.after = slot(action.after_slot);
  return out;
}

void Unroller::thread(const Start& start) {
  thread_ = start.thread;
  thread_object_ = start.object;
  ends_.clear();
  UnrolledThread& fresh = execution_.threads[thread_];
  const PointNumber created_at = fresh.created_at;
  const PointNumber begin = new_point();
  execution_.threads[thread_].begin = begin;
  execution_.waits.push_back({created_at, begin, Bit::yes()});
  execution_.demands.push_back({begin, Bit::yes(), start.condition});
  Path path;
  path.condition = start.condition;
  path.is_public = true;
  std::vector<ValueNumber> arguments;
  if (!start.argument.bits.empty()) arguments.push_back(keep(start.argument));
  auto [after, result] = call_one_of(start.entry, arguments, path, {0, start.object}, nullptr);
  if (!after.condition.is_no() && !start.after.bits.empty())
    after = call_one_of(start.after, arguments, after, {0, start.object, 1}, nullptr).first;
  if (!after.condition.is_no())
    end_thread(after, result == 0 ? Value{constant(0, program_.layout.pointer_bits), 0} : Value(values_[result]));
  Value last{constant(0, program_.layout.pointer_bits), 0};
  Bit any = Bit::no();
  for (const auto& [condition, value] : ends_) {
    any = circuit_.either(any, condition);
    Value fitting = value;
    fitting.bits = resize(fitting.bits, last.bits.size());
    last = choose_value(condition, fitting, last);
  }
  const PointNumber end = new_point();
  execution_.threads[thread_].end = end;
  execution_.threads[thread_].ends = any;
  shape_.hold(start.object, 0, 1, sets_[last.leads]);
  results_[start.object] = std::move(last);
}

void Unroller::end_thread(Path& path, Value result) {
  ends_.emplace_back(path.condition, std::move(result));
  path.condition = Bit::no();
}

void Unroller::join_thread(const Site& site, Path& path, const api::LeaveThread& action) {
  if (action.several) throw NoEncoding{"it waits for threads in a way that is not treated"};
  if (action.how == api::LeaveThread::How::Detach) return;
  if (!action.outcome.blocking) throw NoEncoding{"it waits for a thread for some time"};
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  AccessHow part;
  part.is_part = true;
  const Value place = argument(site, action.handle);
  const Value handle = action.indirect ? read(site, path, place, word, part) : place;
  if (path.condition.is_no()) return;
  std::vector<Join> joins;
  Bit any = Bit::no();
  Value result{constant(0, program_.layout.pointer_bits), 0};
  for (const ObjectNumber object : objects_of(handle.leads)) {
    const Bit is_it = equal(circuit_, handle.bits, shape_.address(object));
    if (shape_[object].key.kind != ObjectKey::Kind::Thread || is_it.is_no()) continue;
    joins.push_back({nobody, object, is_it, input(circuit_, program_.layout.pointer_bits)});
    result = choose_value(is_it, {joins.back().result, set_of(shape_.held(object, 0, 1))}, result);
    any = circuit_.either(any, is_it);
  }
  path.condition = circuit_.both(path.condition, any);
  if (path.condition.is_no()) return;
  UnrolledEvent event = event_at(site, path, {});
  event.can_race = false;
  for (Join& join : joins) {
    join.point = event.point;
    join.condition = circuit_.both(join.condition, path.condition);
    joins_.push_back(std::move(join));
  }
  add_event(std::move(event));
  if (action.indirect) write(site, path, place, {constant(0, word * 8), 0}, part);
  if (has_argument(site, action.result)) write(site, path, argument(site, action.result), result, part);
  set_outcome(site, action.outcome, Bit::yes());
}

/// Now that all threads are known.
void Unroller::join_threads() {
  for (std::size_t i = 0; i < joins_.size(); ++i) {
    const Join& join = joins_[i];
    const auto number = thread_of_.find(join.object);
    const auto result = results_.find(join.object);
    // One that is not there in these rounds: nobody comes behind the wait for it.
    if (number == thread_of_.end() || result == results_.end()) {
      execution_.demands.push_back({join.point, join.condition, Bit::no()});
      continue;
    }
    const UnrolledThread& of = execution_.threads[number->second];
    execution_.waits.push_back({of.end, join.point, join.condition});
    execution_.demands.push_back({join.point, join.condition, of.ends});
    execution_.demands.push_back({join.point, join.condition, equal(circuit_, join.result, result->second.bits)});
    // A thread is waited for once.
    for (const Join& other : std::span(joins_).first(i))
      if (other.object == join.object) {
        const Bit was_done = circuit_.both(execution_.points[other.point].is_done, other.condition);
        execution_.demands.push_back({join.point, join.condition, !was_done});
      }
  }
}

}  // namespace heddle::judge::bmc
