// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting and joining threads: the phase part of the domain.
#include <algorithm>

#include "summary/top_down_analysis.h"

namespace heddle::summary {

using api::Effect;

FunctionId TopDownAnalysis::callees_of(const Site& site) const {
  const Operand callee = site.operands()[0];
  return callee.is_function() ? callee.as_function() : FunctionId(0);
}

void TopDownAnalysis::spawn(const Site& site, const Effect& e, State s, States& out) {
  if (e.entry_slot != Effect::none) {
    obstacle(site, "a thread started through a C++ object");
    out.push_back(s);
    return;
  }
  const Info entry = u.infos[d.info_of(s, argument(site, s, e.entry), u.pointer_bits())];
  if (entry.any_address || !entry.addresses) {
    obstacle(site, "a thread whose entry is not known");
    out.push_back(s);
    return;
  }
  assume_named("creation-succeeds");
  const std::vector<Target> targets = u.points_to[entry.addresses].targets;
  for (const Target& t : targets) {
    const Object o = u.objects[t.object];
    if (o.kind != ObjectKind::Function || !program_.functions[FunctionId(o.a)].has_body()) {
      obstacle(site, "a thread whose entry has no body");
      continue;
    }
    State one = s;
    spawn_one(site, e, one, FunctionId(o.a));
    out.push_back(one);
  }
}

void TopDownAnalysis::spawn_one(const Site& site, const Effect& e, State& s, FunctionId entry) {
  threads::ThreadTable& table = u.threads;
  const ThreadId creator = thread_of(site);
  const ThreadId id = table.thread(site.context, site.instruction, entry);
  InfoId given = u.any_number(u.pointer_bits());
  if (e.argument != Effect::none) {
    given = d.info_of(s, argument(site, s, e.argument), u.pointer_bits());
    memory_.publish(s, given);
    given = d.info_of(s, argument(site, s, e.argument), u.pointer_bits());
  }
  memory_.go_parallel(s);

  auto [known, is_new] = thread_arguments_.try_emplace(id, given);
  if (is_new) changed_ = true;
  if (const InfoId joined = u.join(known->second, given); joined != known->second) {
    known->second = u.widen(known->second, joined, all_thresholds_);
    changed_ = true;
  }

  const auto count = u.maps.find(s.created, id.index());
  const bool still_running = count && !u.maps.contains(s.joined, id.index());
  const bool creator_many = table.threads[creator].multiple;
  auto raise = [&](bool& flag, bool to) {
    if (to && !flag) flag = changed_ = true;
  };
  raise(table.threads[id].multiple, count || creator_many);
  raise(table.threads[id].parallel, still_running || creator_many);
  if (table.threads[creator].creates.insert(id).second) changed_ = true;

  std::set<ThreadId> joined;
  u.maps.for_each(s.joined, [&](std::uint32_t t, std::uint32_t) {
    if (ThreadId(t) != id) joined.insert(ThreadId(t));
  });
  threads::Thread& thread = table.threads[id];
  const std::set<ThreadId> before = thread.joined_before;
  if (!thread.joined_before_known)
    thread.joined_before = joined;
  else
    std::erase_if(thread.joined_before, [&](ThreadId t) { return !joined.contains(t); });
  if (!thread.joined_before_known || before != thread.joined_before) changed_ = true;
  thread.joined_before_known = true;

  s.created = u.maps.set(s.created, id.index(), count ? 2 : 1);
  s.joined = u.maps.erase(s.joined, id.index());
  for (const ThreadId child : table.may_create_transitively(id)) s.joined = u.maps.erase(s.joined, child.index());

  const ObjectId handle = u.object(ObjectKind::Handle, 0, {}, id, false);
  const FormId value = table.threads[id].multiple ? u.opaque(u.addresses({{handle, 0, 0, 0}})) : u.address_of(handle);
  if (e.handle != Effect::none) {
    const FormId where = argument(site, s, e.handle);
    if (!u.infos[d.info_of(s, where, u.pointer_bits())].is_number() && access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false))
      memory_.store(s, where, value, u.pointer_bits() / 8, u.pointer_bits());
  }
  if (e.handle_returned)
    assign(site, s, value);
  else
    return_status(site, s, e.success, true);
}

void TopDownAnalysis::join_thread(const Site& site, const Effect& e, State& s) {
  FormId handle = argument(site, s, e.object);
  if (e.indirect) handle = memory_.load(s, handle, u.pointer_bits() / 8, u.pointer_bits(), result_symbol(site));
  const Info info = u.infos[d.info_of(s, handle, u.pointer_bits())];
  if (e.value != Effect::none) {
    const FormId where = argument(site, s, e.value);
    if (!u.infos[d.info_of(s, where, u.pointer_bits())].is_number()) {
      access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false);
      memory_.store(s, where, u.opaque(u.unknown(u.pointer_bits())), u.pointer_bits() / 8, u.pointer_bits());
    }
  }
  return_status(site, s, api::Success::Zero, true);
  if (info.any_address || !info.addresses || !info.number.is_empty()) return;
  const auto& targets = u.points_to[info.addresses].targets;
  if (targets.size() != 1 || u.objects[targets[0].object].kind != ObjectKind::Handle) return;
  const ThreadId id = u.objects[targets[0].object].thread;
  const threads::Thread& thread = u.threads.threads[id];
  if (thread.parallel) return;  // one of several: the others may still run
  s.joined = u.maps.set(s.joined, id.index(), 1);
  for (const ThreadId t : thread.joined_at_exit) s.joined = u.maps.set(s.joined, t.index(), 1);
  update_parallel(site, s);
}

/// Main is alone again when every thread it started, and every thread those started, has ended.
void TopDownAnalysis::update_parallel(const Site& site, State& s) {
  if (thread_of(site) != main_) return;
  bool alone = true;
  u.maps.for_each(s.created, [&](std::uint32_t t, std::uint32_t) {
    alone = alone && u.maps.contains(s.joined, t);
    for (const ThreadId child : u.threads.may_create_transitively(ThreadId(t))) alone = alone && u.maps.contains(s.joined, child.index());
  });
  if (alone) s.parallel = false;
}

/// Runs the function at most once in the program; callers wait for it. Its accesses exclude each other, no more is claimed.
void TopDownAnalysis::once(const Site& site, const Effect& e, State s, States& out) {
  const Info entry = u.infos[d.info_of(s, argument(site, s, e.entry), u.pointer_bits())];
  const FormId lock = canonical(s, argument(site, s, e.object));
  out.push_back(s);
  return_status(site, out.back(), e.success, true);
  if (entry.any_address || !entry.addresses) return obstacle(site, "a once-function that is not known");
  const std::vector<Target> targets = u.points_to[entry.addresses].targets;
  for (const Target& t : targets) {
    if (u.objects[t.object].kind != ObjectKind::Function) continue;
    State inside = s;
    hold(inside, lock, false);
    for (State after : call_back(site, inside, FunctionId(u.objects[t.object].a), {})) {
      after.locks = u.maps.erase(after.locks, lock.index());
      return_status(site, after, e.success, true);
      out.push_back(after);
    }
  }
}

}  // namespace heddle::summary
