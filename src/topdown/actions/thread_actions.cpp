// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/thread_actions.h"

#include <algorithm>
#include <set>

namespace heddle::topdown {

using api::Effect;

/// The functions a thread may start with: given directly, or in a slot of a C++ object's virtual table.
InfoId ThreadActions::entries(const Site& site, const api::StartThread& e, State& s, InfoId object, int slot) {
  if (slot == Effect::none) return d.info_of(s, call_.argument(site, s, e.entry), u.pointer_bits());
  const std::uint32_t word = u.pointer_bits() / 8;
  State look = s;  // only to read
  const FormId table = memory_.load(look, u.opaque(object), word, u.pointer_bits(), values_.result_symbol(site));
  const FormId place = u.combine(table, u.constant(std::int64_t{slot} * word), 1, u.pointer_bits());
  if (!place) return u.unknown(u.pointer_bits());
  return d.info_of(look, memory_.load(look, place, word, u.pointer_bits(), values_.result_symbol(site)),
                   u.pointer_bits());
}

void ThreadActions::spawn(const Site& site, const api::StartThread& e, State s, States& out) {
  if (!recorder_.grants(e.granted)) {
    if (e.success == api::Success::Always) recorder_.obstacle(site, "a thread that may fail to start");
    State failed = s;
    call_.return_status(site, failed, e.success, false);
    out.push_back(failed);
  }
  const std::uint32_t word = u.pointer_bits() / 8;
  InfoId object;
  FormId holder;
  if (e.entry_slot != Effect::none) {
    FormId at = call_.argument(site, s, e.entry);
    if (e.indirect) {
      holder = at;
      if (!recorder_.access(site, s, holder, word, AccessKind::Read, false)) return;
      at = memory_.load(s, holder, word, u.pointer_bits(), values_.result_symbol(site));
    }
    object = d.info_of(s, at, u.pointer_bits());
  }
  bool known = false;
  bool after_known = true;
  const std::vector<FunctionId> starts = call_.functions_in(entries(site, e, s, object, e.entry_slot), known);
  std::vector<FunctionId> afters;
  if (e.after_slot != Effect::none) afters = call_.functions_in(entries(site, e, s, object, e.after_slot), after_known);
  if (!known || !after_known || afters.size() > 1) {
    recorder_.obstacle(site, "a thread whose entry is not known or has no body");
    out.push_back(s);
  }
  for (const FunctionId entry : starts) {
    State one = s;
    spawn_one(site, e, one, entry, object);
    if (!afters.empty()) u.threads.threads[u.threads.thread(site.context, site.instruction, entry)].after = afters[0];
    if (holder) {  // the object moved into the thread
      const FormId now = call_.argument(site, one, e.entry);
      if (recorder_.access(site, one, now, word, AccessKind::Write, false))
        memory_.store(one, now, u.constant(0), word, u.pointer_bits());
    }
    out.push_back(one);
  }
}

/// A heap object that nobody else knows yet.
bool ThreadActions::is_fresh_allocation(FormId address) const {
  if (!address || u.forms[address].terms.size() != 1) return false;
  const Symbol& sym = u.symbols[u.forms[address].terms[0].symbol];
  return sym.kind == SymbolKind::Address && u.objects[ObjectId(sym.a)].fresh &&
         u.objects[ObjectId(sym.a)].kind == ObjectKind::Heap;
}

/// What the new thread is given; everything it leads to becomes known to others.
InfoId ThreadActions::hand_over(const Site& site, const api::StartThread& e, State& s, InfoId object) {
  InfoId given = u.any_number(u.pointer_bits());
  if (object) {
    const std::vector<ObjectId> published = memory_.publish(s, object);
    given = published.empty() ? object : memory_.settled(object);
  }
  if (e.argument != Effect::none) {
    memory_.publish(s, d.info_of(s, call_.argument(site, s, e.argument), u.pointer_bits()));
    given = d.info_of(s, call_.argument(site, s, e.argument), u.pointer_bits());
  }
  memory_.go_parallel(s);
  return given;
}

void ThreadActions::learn_argument(ThreadId id, InfoId given) {
  auto [known, is_new] = arguments_.try_emplace(id, given);
  if (is_new) changed_ = true;
  if (const InfoId joined = u.join(known->second, given); joined != known->second) {
    known->second = u.widen(known->second, joined, thresholds_);
    changed_ = true;
  }
}

std::optional<InfoId> ThreadActions::argument_of(ThreadId thread) const {
  const auto known = arguments_.find(thread);
  return known == arguments_.end() ? std::nullopt : std::optional(known->second);
}

/// One more way in which the thread comes to be: may there be several of it, and which threads have surely ended then.
void ThreadActions::learn_start(ThreadId id, ThreadId creator, const State& s) {
  threads::ThreadTable& table = u.threads;
  const bool was_created = u.maps.contains(s.created, id.index());
  const bool still_running = was_created && !u.maps.contains(s.joined, id.index());
  const bool creator_many = table.threads[creator].multiple;
  auto raise = [&](bool& flag, bool to) {
    if (to && !flag) flag = changed_ = true;
  };
  raise(table.threads[id].multiple, was_created || creator_many);
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
}

/// The value that stands for the new thread, written to `where` if the call does that.
FormId ThreadActions::write_handle(const Site& site, const api::StartThread& e, State& s, ThreadId id, FormId where) {
  const ObjectId handle = u.object(ObjectKind::Handle, 0, {}, id, false);
  const FormId value =
      u.threads.threads[id].multiple ? u.opaque(u.addresses({{handle, 0, 0, 0}})) : u.address_of(handle);
  if (e.handle != Effect::none && !call_.is_null(s, where) &&
      recorder_.access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false))
    memory_.store(s, where, value, u.pointer_bits() / 8, u.pointer_bits());
  return value;
}

void ThreadActions::spawn_one(const Site& site, const api::StartThread& e, State& s, FunctionId entry, InfoId object) {
  threads::ThreadTable& table = u.threads;
  const ThreadId creator = values_.thread_of(site);
  const ThreadId id = table.thread(site.context, site.instruction, entry);
  const bool is_fresh = e.argument != Effect::none && is_fresh_allocation(call_.argument(site, s, e.argument));
  learn_argument(id, hand_over(site, e, s, object));

  const bool was_created = u.maps.contains(s.created, id.index());
  const bool is_first = !was_created || u.maps.contains(s.joined, id.index());
  const FormId handles_before = was_created ? ledger_.handles(s, id) : FormId();
  learn_start(id, creator, s);
  s.created = u.maps.set(s.created, id.index(), was_created ? 2 : 1);
  s.joined = u.maps.erase(s.joined, id.index());
  for (const ThreadId child : table.may_create_transitively(id)) s.joined = u.maps.erase(s.joined, child.index());

  const FormId where = e.handle == Effect::none ? FormId() : call_.argument(site, s, e.handle);
  const FormId argument = e.argument == Effect::none ? FormId() : call_.argument(site, s, e.argument);
  const FormId value = write_handle(site, e, s, id, where);
  // The handle's own store must not count as a disturbance, so the ledger is written behind it.
  if (handles_before) ledger_.set_handles(s, id, handles_before);
  if (table.threads[creator].multiple && !is_fresh) ledger_.lose_separation(table.threads[id]);
  ledger_.note_creation(s, id, {where, argument, is_fresh, is_first});
  if (e.handle_returned)
    values_.assign(site, s, value);
  else
    call_.return_status(site, s, e.success, true);
}

void ThreadActions::leave_thread(const Site& site, const api::LeaveThread& leave, State s, States& out) {
  switch (leave.how) {
    case api::LeaveThread::How::Join:
      if (!leave.outcome.blocking) {  // may give up
        State failed = s;
        call_.return_status(site, failed, leave.outcome.success, false);
        out.push_back(failed);
      }
      join_thread(site, leave, s);
      break;
    case api::LeaveThread::How::Detach: break;  // a thread that nobody joins runs for ever, as far as we know
  }
  out.push_back(s);
}

void ThreadActions::take_result(const Site& site, const api::LeaveThread& e, State& s) {
  const FormId where = call_.argument(site, s, e.result);
  if (call_.is_null(s, where)) return;
  recorder_.access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false);
  memory_.store(s, where, u.opaque(u.unknown(u.pointer_bits())), u.pointer_bits() / 8, u.pointer_bits());
}

void ThreadActions::join_thread(const Site& site, const api::LeaveThread& e, State& s) {
  FormId handle = call_.argument(site, s, e.handle);
  if (e.indirect) handle = memory_.load(s, handle, u.pointer_bits() / 8, u.pointer_bits(), values_.result_symbol(site));
  const Info info = u.infos[d.info_of(s, handle, u.pointer_bits())];
  if (e.result != Effect::none) take_result(site, e, s);
  call_.return_status(site, s, api::Success::Zero, true);
  const FormId address = e.indirect ? call_.argument(site, s, e.handle)
                                    : address_behind(site, s, site.operands()[static_cast<std::size_t>(e.handle) + 1]);
  if (address) {
    const MapId created = s.created;
    u.maps.for_each(created, [&](std::uint32_t t, std::uint32_t) {
      if (u.threads.threads[ThreadId(t)].parallel) ledger_.note_join(s, ThreadId(t), address);
    });
    phase_.complete_joins(s);
  }
  if (info.any_address || !info.addresses || !info.number.is_empty()) return;
  const auto& targets = u.points_to[info.addresses].targets;
  if (targets.size() != 1 || u.objects[targets[0].object].kind != ObjectKind::Handle) return;
  const ThreadId id = u.objects[targets[0].object].thread;
  if (u.threads.threads[id].parallel) return;  // one of several: the ledger knows more
  phase_.note_joined(s, id);
}

/// Where a value was loaded from, if that happened just before in the same block and nothing was stored since.
FormId ThreadActions::address_behind(const Site& site, const State& s, Operand operand) {
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
  return values_.evaluate(site, s, f.operands_of(f.instructions[definition])[0]);
}

}  // namespace heddle::topdown
