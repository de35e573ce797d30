// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several instances of one thread, started in a loop:
//
//   for (i = 0; i < n; i++) { a[i] = 0; pthread_create(&t[i], 0, f, &a[i]); }
//   for (i = 0; i < n; i++) pthread_join(t[i], 0);
//
// The creator's state keeps a small ledger a thread, in cells of an object of its own so that joins treat it like any
// other memory: how many instances it has started so far (merging gives this counter and the loop's i one symbol),
// where the next handle is expected, how many of them it has joined from the front, and how the argument depends on the
// counter. From it follow: all instances have ended when as many were joined, front to back, as were started; two
// instances have different arguments when the argument is a linear function of the counter, or a fresh object each
// time.
#include <algorithm>

#include "topdown/transfer/top_down_analysis.h"

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

CellId TopDownAnalysis::ledger_cell(ThreadId thread, std::int64_t entry) {
  const ObjectId ledger = u.object(ObjectKind::Hidden, 0, {}, thread, true, "instances");
  return u.cell(ledger, entry, 8, 0);
}

FormId TopDownAnalysis::ledger(const State& s, ThreadId thread, std::int64_t entry) {
  const auto held = u.maps.find(s.memory, ledger_cell(thread, entry).index());
  return held && !u.forms[FormId(*held)].opaque ? FormId(*held) : FormId();
}

void TopDownAnalysis::set_ledger(State& s, ThreadId thread, std::int64_t entry, FormId value) {
  const FormId stored = value ? value : u.opaque(u.any_number(64));
  s.memory = u.maps.set(s.memory, ledger_cell(thread, entry).index(), stored.index());
}

/// The constant a form is; none if it is not one.
std::optional<std::int64_t> TopDownAnalysis::constant_of(FormId form) const {
  if (!form || !u.forms[form].is_constant()) return std::nullopt;
  return u.forms[form].constant;
}

/// address = object + offset, for an object that is one; none otherwise.
std::optional<std::pair<ObjectId, FormId>> TopDownAnalysis::split_address(FormId address) {
  for (const Term& t : u.forms[address].terms) {
    const Symbol& sym = u.symbols[t.symbol];
    if (sym.kind != SymbolKind::Address || t.factor != 1 || !u.is_singleton(ObjectId(sym.a))) continue;
    const FormId offset = u.combine(address, u.of_symbol(t.symbol), -1, u.pointer_bits());
    if (offset) return std::pair(ObjectId(sym.a), offset);
  }
  return std::nullopt;
}

/// value == base + step·count, where step is what the second instance showed.
bool TopDownAnalysis::follows(State& s, ThreadId thread, FormId value, std::int64_t base_entry,
                              std::int64_t step_entry) {
  const FormId base = ledger(s, thread, base_entry);
  const FormId count = ledger(s, thread, started);
  if (!base || !count || !value || u.forms[value].opaque) return false;
  const FormId distance = u.combine(value, base, -1, u.pointer_bits());
  if (!distance) return false;
  FormId step = ledger(s, thread, step_entry);
  if (!step && constant_of(count) == 1 && constant_of(distance) && *constant_of(distance) != 0) {
    step = distance;
    set_ledger(s, thread, step_entry, step);
  }
  if (!constant_of(step)) return false;
  const FormId rest = u.combine(distance, count, -*constant_of(step), u.pointer_bits());
  return rest && constant_of(rest) == 0;
}

void TopDownAnalysis::note_creation(State& s, ThreadId thread, FormId handle_address, FormId argument,
                                    bool argument_is_fresh, bool is_first) {
  threads::Thread& t = u.threads.threads[thread];
  const auto where = handle_address ? split_address(handle_address) : std::nullopt;
  if (is_first) {
    for (const std::int64_t entry : {handle_step, argument_step}) set_ledger(s, thread, entry, {});
    set_ledger(s, thread, started, u.constant(1));
    set_ledger(s, thread, joined, u.constant(0));
    set_ledger(s, thread, handle_object, where ? u.constant(where->first.index()) : FormId());
    set_ledger(s, thread, handle_base, where ? where->second : FormId());
    set_ledger(s, thread, argument_base, argument && !u.forms[argument].opaque ? argument : FormId());
    set_ledger(s, thread, first_was_fresh, u.constant(argument_is_fresh ? 1 : 0));
    return;
  }
  if (!where || constant_of(ledger(s, thread, handle_object)) != std::int64_t{where->first.index()} ||
      !follows(s, thread, where->second, handle_base, handle_step) ||
      std::abs(*constant_of(ledger(s, thread, handle_step))) < u.pointer_bits() / 8)
    set_ledger(s, thread, handle_object, {});
  const bool all_fresh = argument_is_fresh && constant_of(ledger(s, thread, first_was_fresh)) == 1;
  const bool regular = follows(s, thread, argument, argument_base, argument_step);
  const std::int64_t step = regular ? *constant_of(ledger(s, thread, argument_step)) : 0;
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
  const FormId count = ledger(s, thread, started);
  set_ledger(s, thread, started, count ? u.combine(count, u.constant(1), 1, 64) : FormId());
}

void TopDownAnalysis::lose_separation(threads::Thread& t) {
  if (t.separation != threads::Separation::None) changed_ = true;
  t.separation = threads::Separation::None;
}

/// One of several instances was joined; `address` is where its handle was read.
void TopDownAnalysis::note_join(State& s, ThreadId thread, FormId address) {
  const auto where = split_address(address);
  const FormId done = ledger(s, thread, joined);
  const FormId base = ledger(s, thread, handle_base);
  if (!where || !done || !base || constant_of(ledger(s, thread, handle_object)) != std::int64_t{where->first.index()})
    return;
  const FormId distance = u.combine(where->second, base, -1, u.pointer_bits());
  const auto step = constant_of(ledger(s, thread, handle_step));
  if (!distance) return;
  const FormId rest = step ? u.combine(distance, done, -*step, u.pointer_bits()) : distance;
  if (!rest || constant_of(rest) != 0 || (!step && constant_of(done) != 0)) return;
  set_ledger(s, thread, joined, u.combine(done, u.constant(1), 1, 64));
}

/// Threads of which every instance has been joined by now.
void TopDownAnalysis::complete_joins(const Site& site, State& s) {
  const State before = s;
  u.maps.for_each(before.created, [&](std::uint32_t id, std::uint32_t) {
    const ThreadId thread(id);
    if (!u.threads.threads[thread].parallel || u.maps.contains(s.joined, id) ||
        u.threads.threads[before.thread].multiple)
      return;
    const FormId all = ledger(s, thread, started);
    const FormId done = ledger(s, thread, joined);
    const auto object = constant_of(ledger(s, thread, handle_object));
    if (!all || !done || !object) return;
    const ObjectId handles(static_cast<std::size_t>(*object));
    const bool undisturbed = u.objects[handles].fresh ? u.maps.contains(s.allocated, handles.index())
                                                      : shared_.is_owned_object(handles, before.thread);
    if (!undisturbed || !d.must_be_at_most(s, all, done)) return;
    s.joined = u.maps.set(s.joined, id, 1);
    take_over_joins(s, thread);
  });
  if (s.joined != before.joined) update_parallel(site, s);
}

/// Something is written to memory where handles may lie: they are no longer what the ledger says.
void TopDownAnalysis::disturb_handles(State& s, ObjectId object) {
  const State before = s;
  u.maps.for_each(before.created, [&](std::uint32_t id, std::uint32_t) {
    if (constant_of(ledger(before, ThreadId(id), handle_object)) == std::int64_t{object.index()})
      set_ledger(s, ThreadId(id), handle_object, {});
  });
}

/// The slots of instances yet to come: address = (argument of the next instance) + constant.
std::vector<SlotOfNext> TopDownAnalysis::next_slots(const State& s, FormId address) {
  std::vector<SlotOfNext> out;
  u.maps.for_each(s.created, [&](std::uint32_t id, std::uint32_t) {
    const ThreadId thread(id);
    const FormId base = ledger(s, thread, argument_base);
    const FormId count = ledger(s, thread, started);
    auto step = constant_of(ledger(s, thread, argument_step));
    const threads::Thread& t = u.threads.threads[thread];
    if (!step && constant_of(count) == 1 && t.separation == threads::Separation::Step) step = t.argument_step;
    if (!base || !count || u.forms[address].opaque) return;
    FormId rest = u.combine(address, base, -1, u.pointer_bits());
    if (rest && step) rest = u.combine(rest, count, -*step, u.pointer_bits());
    if (rest && constant_of(rest) && step) out.push_back({thread, *constant_of(rest)});
  });
  return out;
}

}  // namespace heddle::topdown
