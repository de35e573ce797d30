// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting and joining threads: the phase part of the domain.
#include <algorithm>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

using api::Effect;

namespace {
constexpr std::int64_t handle_object_entry = 16;  ///< see instances.cpp
}

FunctionId TopDownAnalysis::callees_of(const Site& site) const {
  const Operand callee = site.operands()[0];
  return callee.is_function() ? callee.as_function() : FunctionId(0);
}

/// The functions a thread may start with: given directly, or in a slot of a C++ object's virtual table.
InfoId TopDownAnalysis::entries(const Site& site, const api::StartThread& e, State& s, InfoId object, int slot) {
  if (slot == Effect::none) return d.info_of(s, argument(site, s, e.entry), u.pointer_bits());
  const std::uint32_t word = u.pointer_bits() / 8;
  State look = s;  // only to read
  const FormId table = memory_.load(look, u.opaque(object), word, u.pointer_bits(), result_symbol(site));
  const FormId place = u.combine(table, u.constant(std::int64_t{slot} * word), 1, u.pointer_bits());
  if (!place) return u.unknown(u.pointer_bits());
  return d.info_of(look, memory_.load(look, place, word, u.pointer_bits(), result_symbol(site)), u.pointer_bits());
}

std::vector<FunctionId> TopDownAnalysis::functions_in(InfoId id, bool& all_known) const {
  const Info info = u.infos[id];
  std::vector<FunctionId> out;
  all_known = !info.any_address && info.addresses.valid();
  if (!all_known) return out;
  for (const Target& t : u.points_to[info.addresses].targets) {
    const Object& o = u.objects[t.object];
    if (o.kind == ObjectKind::Function && program_.functions[FunctionId(o.a)].has_body())
      out.push_back(FunctionId(o.a));
    else
      all_known = false;
  }
  return out;
}

void TopDownAnalysis::spawn(const Site& site, const api::StartThread& e, State s, States& out) {
  assume_named("creation-succeeds");
  const std::uint32_t word = u.pointer_bits() / 8;
  InfoId object;
  FormId holder;
  if (e.entry_slot != Effect::none) {
    FormId at = argument(site, s, e.entry);
    if (e.indirect) {
      holder = at;
      if (!access(site, s, holder, word, AccessKind::Read, false)) return;
      at = memory_.load(s, holder, word, u.pointer_bits(), result_symbol(site));
    }
    object = d.info_of(s, at, u.pointer_bits());
  }
  bool known = false;
  bool after_known = true;
  const std::vector<FunctionId> starts = functions_in(entries(site, e, s, object, e.entry_slot), known);
  std::vector<FunctionId> afters;
  if (e.after_slot != Effect::none) afters = functions_in(entries(site, e, s, object, e.after_slot), after_known);
  if (!known || !after_known || afters.size() > 1) {
    obstacle(site, "a thread whose entry is not known or has no body");
    out.push_back(s);
  }
  for (const FunctionId entry : starts) {
    State one = s;
    spawn_one(site, e, one, entry, object);
    if (!afters.empty()) u.threads.threads[u.threads.thread(site.context, site.instruction, entry)].after = afters[0];
    if (holder) {  // the object moved into the thread
      const FormId now = argument(site, one, e.entry);
      if (access(site, one, now, word, AccessKind::Write, false))
        memory_.store(one, now, u.constant(0), word, u.pointer_bits());
    }
    out.push_back(one);
  }
}

void TopDownAnalysis::spawn_one(const Site& site, const api::StartThread& e, State& s, FunctionId entry,
                                InfoId object) {
  threads::ThreadTable& table = u.threads;
  const ThreadId creator = thread_of(site);
  const ThreadId id = table.thread(site.context, site.instruction, entry);
  InfoId given = u.any_number(u.pointer_bits());
  const FormId argument_before = e.argument == Effect::none ? FormId() : argument(site, s, e.argument);
  const bool is_fresh_object = [&] {
    if (!argument_before || u.forms[argument_before].terms.size() != 1) return false;
    const Symbol& sym = u.symbols[u.forms[argument_before].terms[0].symbol];
    return sym.kind == SymbolKind::Address && u.objects[ObjectId(sym.a)].fresh &&
           u.objects[ObjectId(sym.a)].kind == ObjectKind::Heap;
  }();
  if (object) {
    const std::vector<ObjectId> published = memory_.publish(s, object);
    given = published.empty() ? object : memory_.settled(object);
  }
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
  const bool was_joined = u.maps.contains(s.joined, id.index());
  const bool still_running = count && !was_joined;
  const FormId handles_before = count ? ledger(s, id, handle_object_entry) : FormId();
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
  const FormId handle_address = e.handle == Effect::none ? FormId() : argument(site, s, e.handle);
  const FormId argument_now = e.argument == Effect::none ? FormId() : argument(site, s, e.argument);
  if (e.handle != Effect::none) {
    const FormId where = handle_address;
    if (!u.infos[d.info_of(s, where, u.pointer_bits())].is_number() &&
        access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false))
      memory_.store(s, where, value, u.pointer_bits() / 8, u.pointer_bits());
  }
  // The handle's own store must not count as a disturbance, so the ledger is written behind it.
  if (handles_before) set_ledger(s, id, handle_object_entry, handles_before);
  if (creator_many && !is_fresh_object) lose_separation(table.threads[id]);
  note_creation(s, id, handle_address, argument_now, is_fresh_object, !count || was_joined);
  if (e.handle_returned)
    assign(site, s, value);
  else
    return_status(site, s, e.success, true);
}

void TopDownAnalysis::leave_thread(const Site& site, const api::LeaveThread& leave, State s, States& out) {
  switch (leave.how) {
    case api::LeaveThread::How::Join:
      if (!leave.outcome.blocking) {  // may give up
        State failed = s;
        return_status(site, failed, leave.outcome.success, false);
        out.push_back(failed);
      }
      join_thread(site, leave, s);
      break;
    case api::LeaveThread::How::Detach: break;  // a thread that nobody joins runs for ever, as far as we know
  }
  out.push_back(s);
}

void TopDownAnalysis::join_thread(const Site& site, const api::LeaveThread& e, State& s) {
  FormId handle = argument(site, s, e.handle);
  if (e.indirect) handle = memory_.load(s, handle, u.pointer_bits() / 8, u.pointer_bits(), result_symbol(site));
  const Info info = u.infos[d.info_of(s, handle, u.pointer_bits())];
  if (e.result != Effect::none) {
    const FormId where = argument(site, s, e.result);
    if (!u.infos[d.info_of(s, where, u.pointer_bits())].is_number()) {
      access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false);
      memory_.store(s, where, u.opaque(u.unknown(u.pointer_bits())), u.pointer_bits() / 8, u.pointer_bits());
    }
  }
  return_status(site, s, api::Success::Zero, true);
  const FormId address = e.indirect ? argument(site, s, e.handle)
                                    : address_behind(site, s, site.operands()[static_cast<std::size_t>(e.handle) + 1]);
  if (address) {
    const MapId created = s.created;
    u.maps.for_each(created, [&](std::uint32_t t, std::uint32_t) {
      if (u.threads.threads[ThreadId(t)].parallel) note_join(s, ThreadId(t), address);
    });
    complete_joins(site, s);
  }
  if (info.any_address || !info.addresses || !info.number.is_empty()) return;
  const auto& targets = u.points_to[info.addresses].targets;
  if (targets.size() != 1 || u.objects[targets[0].object].kind != ObjectKind::Handle) return;
  const ThreadId id = u.objects[targets[0].object].thread;
  const threads::Thread& thread = u.threads.threads[id];
  if (thread.parallel) return;  // one of several: the ledger knows more
  s.joined = u.maps.set(s.joined, id.index(), 1);
  take_over_joins(s, id);
  update_parallel(site, s);
}

/// What a thread had joined when it ended is joined for who joined it; unless it may have been started again since,
/// which only the ended thread's own descendants cannot.
void TopDownAnalysis::take_over_joins(State& s, ThreadId ended) {
  for (const ThreadId t : u.threads.threads[ended].joined_at_exit)
    if (!u.threads.threads[t].multiple || u.threads.is_ancestor(ended, t))
      s.joined = u.maps.set(s.joined, t.index(), 1);
}

/// Where a value was loaded from, if that happened just before in the same block and nothing was stored since.
FormId TopDownAnalysis::address_behind(const Site& site, const State& s, Operand operand) {
  const Function& f = *site.function;
  if (!operand.is_value() || f.is_parameter(operand.as_value())) return {};
  const std::size_t definition = f.definition(operand.as_value());
  if (f.instructions[definition].opcode != Opcode::Load || definition > site.instruction) return {};
  for (std::size_t i = definition + 1; i < site.instruction; ++i) {
    const Instruction& between = f.instructions[i];
    const bool harmless = between.opcode == Opcode::Load || between.opcode == Opcode::Gep ||
                          between.opcode == Opcode::Cast || between.opcode == Opcode::Binary;
    if (!harmless) return {};
  }
  return evaluate(site, s, f.operands_of(f.instructions[definition])[0]);
}

/// Main is alone again when every thread it started, and every thread those started, has ended.
void TopDownAnalysis::update_parallel(const Site& site, State& s) {
  if (thread_of(site) != main_) return;
  bool alone = true;
  u.maps.for_each(s.created, [&](std::uint32_t t, std::uint32_t) {
    alone = alone && u.maps.contains(s.joined, t);
    for (const ThreadId child : u.threads.may_create_transitively(ThreadId(t)))
      alone = alone && u.maps.contains(s.joined, child.index());
  });
  if (!alone) return;
  s.parallel = false;
  // Alone, a variable that serves as a lock may be written in any way: nobody is kept out, and nothing is watched.
  const MapId held = s.locks;
  u.maps.for_each(held, [&](std::uint32_t lock, std::uint32_t) {
    const auto name = lock_name(FormId(lock));
    if (name && kinds_.flags.contains(*name)) s.locks = u.maps.erase(s.locks, lock);
  });
}

/// Runs the function at most once in the program; callers wait for it. So its body excludes every other body and
/// everything that comes behind a call of once for the same object: the body holds it exclusively, what follows shared
/// and for good.
void TopDownAnalysis::call_once(const Site& site, const api::RunOnce& e, State s, States& out) {
  const FormId lock = canonical(s, argument(site, s, e.object));
  if (const auto name = lock_name(lock)) kinds_.once.try_emplace(*name, false);
  const InfoId entry = d.info_of(s, argument(site, s, e.entry), u.pointer_bits());
  std::vector<FormId> given;
  if (e.argument != Effect::none) given.push_back(argument(site, s, e.argument));
  auto done = [&](State after) {
    after.locks = u.maps.erase(after.locks, lock.index());
    hold(after, lock, true);
    return_status(site, after, e.success, true);
    out.push_back(after);
  };
  done(s);
  if (u.infos[entry].any_address || !u.infos[entry].addresses)
    return obstacle(site, "a once-function that is not known");
  const std::vector<Target> targets = u.points_to[u.infos[entry].addresses].targets;
  for (const Target& t : targets) {
    if (u.objects[t.object].kind != ObjectKind::Function) continue;
    State inside = s;
    hold(inside, lock, false);
    for (const State& after : call_back(site, inside, FunctionId(u.objects[t.object].a), given)) done(after);
  }
}

/// Call: the library calls the body. The other steps: it stands in the caller, as for the local statics of C++.
void TopDownAnalysis::run_once(const Site& site, const api::RunOnce& once, State s, States& out) {
  if (once.step == api::RunOnce::Step::Call) return call_once(site, once, s, out);
  const FormId lock = canonical(s, argument(site, s, once.object));
  if (const auto name = lock_name(lock)) kinds_.once.try_emplace(*name, false);
  s.locks = u.maps.erase(s.locks, lock.index());
  switch (once.step) {
    case api::RunOnce::Step::Call:
    case api::RunOnce::Step::Abort: break;
    case api::RunOnce::Step::End: hold(s, lock, true); break;
    case api::RunOnce::Step::Begin: {
      State runs = s;
      hold(runs, lock, false);
      return_status(site, runs, once.success, true);
      out.push_back(runs);
      hold(s, lock, true);
      return_status(site, s, once.success, false);
      break;
    }
  }
  out.push_back(s);
}

}  // namespace heddle::topdown
