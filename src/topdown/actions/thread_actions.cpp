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
  if (still_running && !table.threads[id].again) table.threads[id].again = changed_ = true;
  if ((was_created || creator_many) && !table.threads[id].multiple) table.threads[id].multiple = changed_ = true;
  if ((still_running || creator_many) && table.set_parallel(id)) changed_ = true;
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

/// Any number of them runs from now on, all with what this one is given.
void ThreadActions::learn_group(ThreadId id) {
  threads::Thread& thread = u.threads.threads[id];
  if (!thread.is_group) changed_ = true;
  thread.is_group = thread.multiple = true;
  u.threads.set_parallel(id);
  ledger_.lose_separation(thread);
}

/// It works for the thread that starts it, and ends before that one waits at the next barrier of a team.
void ThreadActions::learn_teams(ThreadId id, MapId of_creator) {
  const MapId now = u.maps.transform(of_creator, [](std::uint32_t, std::uint32_t place) {
    return std::optional(TeamPlace{TeamPlace::inherited, TeamPlace::from(place).phase}.number());
  });
  learn_common(teams_, id, now);
}

void ThreadActions::learn_owners(ThreadId id, const State& s, bool works_for_it) {
  MapId now = 0;
  if (works_for_it)
    for (const OwnIndex& one : recorder_.own_numbers(s))
      if (const InheritedNumber number{one.label, one.only}; number.has_key())
        now = u.maps.set(now, number.key(), one.owner.index());
  learn_common(owners_, id, now);
}

/// What holds at every creation of the thread.
void ThreadActions::learn_common(std::map<ThreadId, MapId>& of, ThreadId id, MapId now) {
  const auto [known, is_new] = of.try_emplace(id, now);
  const MapId both = u.maps.filter(
      known->second, [&](std::uint32_t key, std::uint32_t value) { return u.maps.find(now, key) == value; });
  if (is_new ? now != 0 : both != known->second) changed_ = true;
  known->second = both;
}

MapId ThreadActions::owners_of(ThreadId thread) const {
  const auto known = owners_.find(thread);
  return known == owners_.end() ? MapId(0) : known->second;
}

MapId ThreadActions::teams_of(ThreadId thread) const {
  const auto known = teams_.find(thread);
  return known == teams_.end() ? MapId(0) : known->second;
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

/// Its attributes may say so; what pthread_attr_init left says that it is not.
bool ThreadActions::may_be_created_detached(const Site& site, const api::StartThread& e, const State& s) const {
  if (e.attributes == Effect::none || !u.threads.some_attributes_detach) return false;
  const FormId attributes = call_.argument(site, s, e.attributes);
  if (u.constant_of(attributes) == 0) return false;
  State look = s;
  return u.constant_of(memory_.load(look, attributes, 4, 32, values_.result_symbol(site))) != 0;
}

void ThreadActions::spawn_one(const Site& site, const api::StartThread& e, State& s, FunctionId entry, InfoId object) {
  threads::ThreadTable& table = u.threads;
  const ThreadId creator = values_.thread_of(site);
  const ThreadId id = table.thread(site.context, site.instruction, entry);
  const bool is_fresh = e.argument != Effect::none && is_fresh_allocation(call_.argument(site, s, e.argument));
  learn_argument(id, hand_over(site, e, s, object));

  const bool was_created = u.maps.contains(s.created, id.index());
  const bool is_first = !was_created || u.maps.contains(s.joined, id.index());
  learn_start(id, creator, s);
  if (e.several) learn_group(id);
  learn_teams(id, e.several ? s.teams : MapId(0));
  learn_owners(id, s, e.several);
  s.created = u.maps.set(s.created, id.index(), was_created ? 2 : 1);
  s.joined = u.maps.erase(s.joined, id.index());
  for (const ThreadId child : table.may_create_transitively(id)) s.joined = u.maps.erase(s.joined, child.index());

  if (may_be_created_detached(site, e, s) && !table.threads[id].may_be_detached)
    table.threads[id].may_be_detached = changed_ = true;
  const FormId where = e.handle == Effect::none ? FormId() : call_.argument(site, s, e.handle);
  const FormId argument = e.argument == Effect::none ? FormId() : call_.argument(site, s, e.argument);
  if (table.threads[creator].multiple && !is_fresh) ledger_.lose_separation(table.threads[id]);
  ledger_.note_creation(s, id, {where, argument, is_fresh, is_first});
  // The new thread may run before its handle is written: it is no slot of a thread to come. The store must not count as
  // a disturbance of the handles.
  const FormId handles = ledger_.handles(s, id);
  const FormId value = write_handle(site, e, s, id, where);
  if (handles) ledger_.set_handles(s, id, handles);
  if (e.handle_returned)
    values_.assign(site, s, value);
  else
    call_.return_status(site, s, e.success, true);
}

/// The threads that a handle may be of. What came as a number may be any, but then no join counts.
std::vector<ThreadId> ThreadActions::threads_behind(const Info& handle) const {
  std::vector<ThreadId> out;
  if (handle.addresses)
    for (const Target& t : u.points_to[handle.addresses].targets)
      if (u.objects[t.object].kind == ObjectKind::Handle) out.push_back(u.objects[t.object].thread);
  return out;
}

ThreadActions::Left ThreadActions::left_thread(const Site& site, const api::LeaveThread& leave, State& s) {
  Left left;
  FormId handle = call_.argument(site, s, leave.handle);
  if (leave.indirect) {
    left.address = handle;
    handle = memory_.load(s, handle, u.pointer_bits() / 8, u.pointer_bits(), values_.result_symbol(site));
  } else {
    left.address = address_behind(site, s, site.operands()[static_cast<std::size_t>(leave.handle) + 1]);
  }
  left.handle = u.infos[d.info_of(s, handle, u.pointer_bits())];
  if (!leave.indirect) return left;
  const bool is_number = !left.handle.any_address && !left.handle.addresses;
  const Interval number = left.handle.number;
  const bool has_zero = !number.is_empty() && number.low <= 0 && number.high >= 0;
  left.may_be_empty = left.handle.any_address || (has_zero && !(left.handle.has_excluded && left.handle.excluded == 0));
  left.must_be_empty = is_number && number == Interval::constant(0);
  return left;
}

bool ThreadActions::leave_thread(const Site& site, const api::LeaveThread& leave, const State& before, States& out) {
  State s = before;
  if (leave.indirect &&
      !recorder_.access(site, s, call_.argument(site, s, leave.handle), u.pointer_bits() / 8, AccessKind::Read, false))
    return false;
  const Left left = left_thread(site, leave, s);
  if (left.must_be_empty) return true;
  bool throws = left.may_be_empty;
  switch (leave.how) {
    case api::LeaveThread::How::Join: {
      const bool fails = may_join_fail(s, left, leave.indirect);
      throws = throws || (fails && leave.indirect);
      if (!leave.outcome.blocking || (fails && !leave.indirect)) {
        State failed = s;
        call_.return_status(site, failed, leave.outcome.success, false);
        out.push_back(failed);
      }
      join_thread(site, leave, left, s);
      break;
    }
    case api::LeaveThread::How::Detach:
      if (leave.indirect)
        leave_object(left);
      else
        detach_thread(left);
      break;
  }
  clear_handle(site, leave, s);
  out.push_back(s);
  return throws;
}

/// A std::thread stands for no thread afterwards.
void ThreadActions::clear_handle(const Site& site, const api::LeaveThread& leave, State& s) {
  if (!leave.indirect) return;
  std::vector<std::pair<ThreadId, FormId>> ledgers;  // what is joined may be cleared: that is no disturbance
  for (const ThreadId t : ledger_.kept(s)) ledgers.emplace_back(t, ledger_.handles(s, t));
  const FormId where = call_.argument(site, s, leave.handle);
  if (!recorder_.access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false)) return;
  memory_.store(s, where, u.constant(0), u.pointer_bits() / 8, u.pointer_bits());
  if (leave.how != api::LeaveThread::How::Join) return;
  for (const auto& [thread, handles] : ledgers)
    if (handles) ledger_.set_handles(s, thread, handles);
}

/// From now on, in every run: who joins it may fail.
void ThreadActions::detach_thread(const Left& left) {
  const bool is_unknown =
      left.handle.any_address || !(left.handle.number.is_empty() || left.handle.number == Interval::constant(0));
  if (is_unknown && !u.threads.anyone_may_be_detached) u.threads.anyone_may_be_detached = changed_ = true;
  for (const ThreadId id : threads_behind(left.handle))
    if (!u.threads.threads[id].may_be_detached) u.threads.threads[id].may_be_detached = changed_ = true;
}

/// The std::thread keeps no handle, so only who has another one can fail.
void ThreadActions::leave_object(const Left& left) {
  for (const ThreadId id : threads_behind(left.handle))
    if (!u.threads.threads[id].may_be_left) u.threads.threads[id].may_be_left = changed_ = true;
}

bool ThreadActions::may_fail(const State& s, ThreadId id, bool by_object) const {
  const threads::Thread& thread = u.threads.threads[id];
  if (thread.may_be_left && !by_object) return true;
  return id == s.thread || thread.may_be_detached || u.threads.anyone_may_be_detached || thread.joiners.size() > 1;
}

bool ThreadActions::may_join_fail(const State& s, const Left& left, bool by_object) {
  bool fails = left.handle.any_address && u.threads.anyone_may_be_detached;
  for (const ThreadId id : threads_behind(left.handle)) {
    if (u.threads.threads[id].joiners.insert(s.thread).second) changed_ = true;
    fails = fails || may_fail(s, id, by_object);
  }
  return fails;
}

void ThreadActions::take_result(const Site& site, const api::LeaveThread& e, State& s) {
  const FormId where = call_.argument(site, s, e.result);
  if (call_.is_null(s, where)) return;
  recorder_.access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false);
  memory_.store(s, where, u.opaque(u.unknown(u.pointer_bits())), u.pointer_bits() / 8, u.pointer_bits());
}

void ThreadActions::join_thread(const Site& site, const api::LeaveThread& e, const Left& left, State& s) {
  const Info& info = left.handle;
  if (e.result != Effect::none) take_result(site, e, s);
  call_.return_status(site, s, api::Success::Zero, true);
  if (left.address) {
    for (const ThreadId id : ledger_.kept(s))
      if (!may_fail(s, id, e.indirect)) ledger_.note_join(s, id, left.address);
    phase_.complete_joins(s);
  }
  // Zero is the handle of a group that nobody was started into since it was joined last.
  const bool is_other_number = !info.number.is_empty() && !(e.several && info.number == Interval::constant(0));
  if (info.any_address || !info.addresses || is_other_number) return;
  const auto& targets = u.points_to[info.addresses].targets;
  if (targets.size() != 1 || u.objects[targets[0].object].kind != ObjectKind::Handle) return;
  const ThreadId id = u.objects[targets[0].object].thread;
  if (id == s.thread) return;
  const bool joins_all = e.several && u.threads.threads[id].is_group;
  if (u.threads.threads[id].parallel && !joins_all) return;  // one of several: the ledger knows more
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
