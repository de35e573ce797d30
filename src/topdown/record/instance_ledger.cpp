// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/record/instance_ledger.h"

#include <algorithm>

namespace heddle::topdown {

namespace {

enum Entry : std::int64_t {
  started = 0,
  joined = 8,
  handle_object = 16,
  handle_base = 24,
  handle_step = 32,
  argument_base = 40,
  argument_step = 48,
  first_was_fresh = 56
};

}  // namespace

CellId InstanceLedger::ledger_cell(ThreadId thread, std::int64_t entry) {
  if (ledgers_.size() <= thread.index()) ledgers_.resize(thread.index() + 1);
  ObjectId& ledger = ledgers_[thread.index()];
  if (!ledger) ledger = u.object(ObjectKind::Hidden, 0, {}, thread, true, "instances");
  return u.cell(ledger, entry, 8, 0);
}

FormId InstanceLedger::ledger(const State& s, ThreadId thread, std::int64_t entry) {
  const auto held = u.maps.find(s.memory, ledger_cell(thread, entry).index());
  return held && !u.forms[FormId(*held)].opaque ? FormId(*held) : FormId();
}

void InstanceLedger::set_ledger(State& s, ThreadId thread, std::int64_t entry, FormId value) {
  const FormId stored = value ? value : u.opaque(u.any_number(64));
  s.memory = u.maps.set(s.memory, ledger_cell(thread, entry).index(), stored.index());
}

std::optional<std::pair<ObjectId, FormId>> InstanceLedger::split_address(FormId address) const {
  for (const Term& t : u.forms[address].terms) {
    const Symbol& sym = u.symbols[t.symbol];
    if (sym.kind != SymbolKind::Address || t.factor != 1 || !u.is_singleton(ObjectId(sym.a))) continue;
    const FormId offset = u.combine(address, u.of_symbol(t.symbol), -1, u.pointer_bits());
    if (offset) return std::pair(ObjectId(sym.a), offset);
  }
  return std::nullopt;
}

/// value == base + step·count, where step is what the second instance showed.
bool InstanceLedger::follows(State& s, ThreadId thread, FormId value, std::int64_t base_entry,
                             std::int64_t step_entry) {
  const FormId base = ledger(s, thread, base_entry);
  const FormId count = ledger(s, thread, started);
  if (!base || !count || !value || u.forms[value].opaque) return false;
  const FormId distance = u.combine(value, base, -1, u.pointer_bits());
  if (!distance) return false;
  FormId step = ledger(s, thread, step_entry);
  if (!step && u.constant_of(count) == 1 && u.constant_of(distance) && *u.constant_of(distance) != 0) {
    step = distance;
    set_ledger(s, thread, step_entry, step);
  }
  if (!u.constant_of(step)) return false;
  const FormId rest = u.combine(distance, count, -*u.constant_of(step), u.pointer_bits());
  return rest && u.constant_of(rest) == 0;
}

void InstanceLedger::begin(State& s, ThreadId thread, const Creation& creation) {
  const auto where = creation.handle_address ? split_address(creation.handle_address) : std::nullopt;
  const FormId argument = creation.argument;
  for (const std::int64_t entry : {handle_step, argument_step}) set_ledger(s, thread, entry, {});
  set_ledger(s, thread, started, u.constant(1));
  set_ledger(s, thread, joined, u.constant(0));
  set_ledger(s, thread, handle_object, where ? u.constant(where->first.index()) : FormId());
  set_ledger(s, thread, handle_base, where ? where->second : FormId());
  set_ledger(s, thread, argument_base, argument && !u.forms[argument].opaque ? argument : FormId());
  set_ledger(s, thread, first_was_fresh, u.constant(creation.argument_is_fresh ? 1 : 0));
}

void InstanceLedger::note_creation(State& s, ThreadId thread, const Creation& creation) {
  if (creation.is_first) return begin(s, thread, creation);
  const auto where = creation.handle_address ? split_address(creation.handle_address) : std::nullopt;
  if (!where || u.constant_of(ledger(s, thread, handle_object)) != std::int64_t{where->first.index()} ||
      !follows(s, thread, where->second, handle_base, handle_step) ||
      std::abs(*u.constant_of(ledger(s, thread, handle_step))) < u.pointer_bits() / 8)
    set_ledger(s, thread, handle_object, {});
  note_argument(s, thread, creation);
  const FormId count = ledger(s, thread, started);
  set_ledger(s, thread, started, count ? u.combine(count, u.constant(1), 1, 64) : FormId());
}

/// Whether this instance's argument keeps the distance from the others' that was seen so far.
void InstanceLedger::note_argument(State& s, ThreadId thread, const Creation& creation) {
  threads::Thread& t = u.threads.threads[thread];
  const bool all_fresh = creation.argument_is_fresh && u.constant_of(ledger(s, thread, first_was_fresh)) == 1;
  const bool regular = follows(s, thread, creation.argument, argument_base, argument_step);
  const std::int64_t step = regular ? *u.constant_of(ledger(s, thread, argument_step)) : 0;
  switch (t.separation) {
    case threads::Separation::Unknown:
      if (!all_fresh && !regular)
        lose_separation(t);
      else
        t.separation = all_fresh ? threads::Separation::FreshObject : threads::Separation::Step;
      t.argument_step = step;
      break;
    case threads::Separation::Step:
      if (!regular || t.argument_step != step) lose_separation(t);
      break;
    case threads::Separation::FreshObject:
      if (!all_fresh) lose_separation(t);
      break;
    case threads::Separation::None: break;
  }
  if (!all_fresh) set_ledger(s, thread, first_was_fresh, u.constant(0));
}

void InstanceLedger::lose_separation(threads::Thread& t) {
  if (t.separation != threads::Separation::None) changed_ = true;
  t.separation = threads::Separation::None;
}

void InstanceLedger::note_join(State& s, ThreadId thread, FormId address) {
  const auto where = split_address(address);
  const FormId done = ledger(s, thread, joined);
  const FormId base = ledger(s, thread, handle_base);
  if (!where || !done || !base || u.constant_of(ledger(s, thread, handle_object)) != std::int64_t{where->first.index()})
    return;
  const FormId distance = u.combine(where->second, base, -1, u.pointer_bits());
  const auto step = u.constant_of(ledger(s, thread, handle_step));
  if (!distance) return;
  const FormId rest = step ? u.combine(distance, done, -*step, u.pointer_bits()) : distance;
  if (!rest || u.constant_of(rest) != 0 || (!step && u.constant_of(done) != 0)) return;
  set_ledger(s, thread, joined, u.combine(done, u.constant(1), 1, 64));
}

void InstanceLedger::disturb_handles(State& s, ObjectId object) {
  for (const ThreadId id : kept(s))
    if (u.constant_of(ledger(s, id, handle_object)) == std::int64_t{object.index()})
      set_ledger(s, id, handle_object, {});
}

bool InstanceLedger::must_have_joined_all(const State& s, ThreadId thread) {
  const FormId all = ledger(s, thread, started);
  const FormId done = ledger(s, thread, joined);
  const auto object = u.constant_of(ledger(s, thread, handle_object));
  if (!all || !done || !object) return false;
  const ObjectId handles(static_cast<std::size_t>(*object));
  const bool undisturbed = u.objects[handles].fresh ? u.maps.contains(s.allocated, handles.index())
                                                    : shared_.is_owned_object(handles, s.thread);
  return undisturbed && d.must_be_at_most(s, all, done);
}

std::vector<ThreadId> InstanceLedger::kept(const State& s) const {
  std::vector<ThreadId> out;
  for (const ThreadId id : u.threads.parallel_threads())
    if (u.maps.contains(s.created, id.index())) out.push_back(id);
  u.maps.add_work(u.threads.parallel_threads().size() / 2);
  return out;
}

std::vector<ObjectId> InstanceLedger::watched(const State& s) {
  std::vector<ObjectId> out;
  for (const ThreadId id : kept(s))
    if (const auto object = u.constant_of(handles(s, id))) out.emplace_back(static_cast<std::size_t>(*object));
  return out;
}

FormId InstanceLedger::handles(const State& s, ThreadId thread) { return ledger(s, thread, handle_object); }

void InstanceLedger::set_handles(State& s, ThreadId thread, FormId object) {
  set_ledger(s, thread, handle_object, object);
}

std::vector<SlotOfNext> InstanceLedger::next_slots(const State& s, FormId address) {
  std::vector<SlotOfNext> out;
  for (const ThreadId thread : kept(s)) {
    // Nobody asks for the slots of others.
    if (u.threads.threads[thread].separation != threads::Separation::Step) continue;
    const FormId base = ledger(s, thread, argument_base);
    const FormId count = ledger(s, thread, started);
    auto step = u.constant_of(ledger(s, thread, argument_step));
    const threads::Thread& t = u.threads.threads[thread];
    if (!step && u.constant_of(count) == 1 && t.separation == threads::Separation::Step) step = t.argument_step;
    if (!base || !count || u.forms[address].opaque) continue;
    FormId rest = u.combine(address, base, -1, u.pointer_bits());
    if (rest && step) rest = u.combine(rest, count, -*step, u.pointer_bits());
    if (rest && u.constant_of(rest) && step) out.push_back({thread, *u.constant_of(rest)});
  }
  return out;
}

}  // namespace heddle::topdown
