// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/caller_part.h"

#include <algorithm>

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

namespace {

bool is_expression(SymbolKind kind) {
  return kind == SymbolKind::Binary || kind == SymbolKind::Compare || kind == SymbolKind::Extend;
}

/// Whose address is the same as long as the program runs.
bool is_fixed(const Object& object) { return object.kind == ObjectKind::Global || object.kind == ObjectKind::Function; }

/// Others are known by their names: thread-local objects, state inside the library.
bool is_known_by_address(const Object& object) {
  return object.kind == ObjectKind::Heap || object.kind == ObjectKind::Stack;
}

}  // namespace

void CallerParts::begin(ContextId callee) {
  callee_ = callee;
  ++epoch_;
  if (reached_.size() < u.objects.size()) reached_.resize(u.objects.size());
}

CallerParts::SymbolMark& CallerParts::mark(SymbolId symbol) {
  if (marks_.size() <= symbol.index()) marks_.resize(u.symbols.size());
  SymbolMark& out = marks_[symbol.index()];
  if (out.epoch != epoch_) out = {.epoch = epoch_};
  return out;
}

template <class F>
void CallerParts::for_each_leaf(SymbolId symbol, F&& visit) const {
  const auto visit_leaf = [&](SymbolId leaf) {
    const Symbol& s = u.symbols[leaf];
    if (is_expression(s.kind) || (s.kind == SymbolKind::Address && is_fixed(u.objects[ObjectId(s.a)]))) return;
    visit(leaf);
  };
  if (!is_expression(u.symbols[symbol].kind)) return visit_leaf(symbol);
  for (const SymbolId part : u.symbols[symbol].depends) visit_leaf(part);
}

bool CallerParts::is_below(ContextId context) const {
  // Who may call a shared context is not known yet, but it is never called from below itself.
  if (!context) return false;
  if (const ContextId shared = u.threads.contexts[context].shared;
      shared && !u.threads.is_shared_above(callee_, shared))
    return true;
  while (context && context.index() > callee_.index()) context = u.threads.contexts[context].caller;  // has a lower id
  return context == callee_;
}

bool CallerParts::is_open(ObjectId object) const {
  return reached_[object.index()] == epoch_ || is_below(u.objects[object].context);
}

/// It names a fresh object that may settle.
bool CallerParts::may_change(InfoId info) const {
  const PointsToId addresses = u.infos[info].addresses;
  return addresses && std::ranges::any_of(u.points_to[addresses].targets, [&](const Target& t) {
           return u.objects[t.object].fresh && is_open(t.object);
         });
}

bool CallerParts::may_change(const State& s, SymbolId symbol) {
  const Symbol& of = u.symbols[symbol];
  if (const auto info = u.maps.find(s.infos, symbol.index()); info && may_change(InfoId(*info))) return true;
  switch (of.kind) {
    case SymbolKind::Defined:
    case SymbolKind::MergedValue:
    case SymbolKind::MergedCell: return is_below(ContextId(of.a));
    case SymbolKind::Address: {
      const Object& object = u.objects[ObjectId(of.a)];
      return !is_fixed(object) && (!is_known_by_address(object) || is_open(ObjectId(of.a)));
    }
    case SymbolKind::Argument: return false;
    case SymbolKind::Frozen:
    case SymbolKind::Own:
    case SymbolKind::Former: return true;
    case SymbolKind::Binary:
    case SymbolKind::Compare:
    case SymbolKind::Extend: break;
  }
  bool has_leaf = false;  // without one the function may build the same expression
  bool out = false;
  for_each_leaf(symbol, [&](SymbolId leaf) {
    has_leaf = true;
    out = out || may_change(s, leaf);
  });
  return out || !has_leaf;
}

bool CallerParts::stays(const State& s, SymbolId symbol) {
  bool out = false;
  for_each_leaf(symbol, [&](SymbolId leaf) { out = out || mark(leaf).is_known; });
  return out || may_change(s, symbol);
}

bool CallerParts::stays(const State& s, FormId id) {
  const Form& form = u.forms[id];
  if (form.opaque) return may_change(form.opaque);
  return std::ranges::any_of(form.terms, [&](const Term& t) { return stays(s, t.symbol); });
}

void CallerParts::know(SymbolId symbol) {
  for_each_leaf(symbol, [&](SymbolId leaf) {
    SymbolMark& now = mark(leaf);
    grew_ = grew_ || !now.is_known;
    now.is_known = true;
  });
}

void CallerParts::know(FormId form) {
  for (const Term& t : u.forms[form].terms) know(t.symbol);
}

void CallerParts::want(FormId form) {
  for (const Term& t : u.forms[form].terms) {
    mark(t.symbol).is_wanted = true;
    for (const SymbolId part : u.symbols[t.symbol].depends) mark(part).is_wanted = true;
  }
}

void CallerParts::reach(ObjectId object) {
  if (reached_[object.index()] == epoch_) return;
  reached_[object.index()] = epoch_;
  grew_ = true;
  if (u.objects[object].fresh && u.objects[object].settled) reach(u.objects[object].settled);
}

void CallerParts::reach(InfoId info) {
  if (const PointsToId addresses = u.infos[info].addresses)
    for (const Target& t : u.points_to[addresses].targets) reach(t.object);
}

/// Whatever the form may be the address of.
void CallerParts::reach(const State& s, FormId id) {
  const Form& form = u.forms[id];
  if (form.opaque) return reach(form.opaque);
  const auto reach_symbol = [&](SymbolId symbol) {
    if (u.symbols[symbol].kind == SymbolKind::Address) reach(ObjectId(u.symbols[symbol].a));
    if (const auto info = u.maps.find(s.infos, symbol.index())) reach(InfoId(*info));
  };
  for (const Term& t : form.terms) {
    reach_symbol(t.symbol);
    for (const SymbolId part : u.symbols[t.symbol].depends) reach_symbol(part);
  }
}

/// What may be taken out. What the function surely knows is marked on the way.
CallerParts::Entries CallerParts::entries_of(const State& s) {
  Entries out;
  const std::uint32_t own = u.environment_key(callee_, ValueId(0));
  const std::size_t values = u.program.functions[u.threads.contexts[callee_].function].value_count();
  const auto give = [&](std::uint32_t form) {
    know(FormId(form));
    reach(s, FormId(form));
  };
  u.maps.for_each(s.environment, [&](std::uint32_t key, std::uint32_t form) {
    if (key >= own && key - own <= values)
      give(form);
    else
      out.environment.push_back({key, FormId(form), {}, {}});
  });
  u.maps.for_each(s.memory, [&](std::uint32_t cell, std::uint32_t form) {
    const ObjectId holder = u.cells[CellId(cell)].object;
    const Object& object = u.objects[holder];
    if (object.fresh && is_known_by_address(object))
      out.memory.push_back({cell, FormId(form), {}, holder});
    else
      give(form);
  });
  u.maps.for_each(s.locks, [&](std::uint32_t form, std::uint32_t) { know(FormId(form)); });
  for_each_acquired(u, s.history, [&](FormId form) { know(form); });
  for (const bool is_upper : {true, false})
    u.maps.for_each(is_upper ? s.upper : s.lower, [&](std::uint32_t symbol, std::uint32_t form) {
      (is_upper ? out.upper : out.lower).push_back({symbol, FormId(form), SymbolId(symbol), {}});
    });
  return out;
}

/// True: more is known or reached than before.
bool CallerParts::settle(const State& s, std::vector<Entry>& entries) {
  grew_ = false;
  for (Entry& entry : entries) {
    if (entry.holder && !entry.is_reached && is_open(entry.holder)) {
      entry.stays = entry.is_reached = true;
      know(entry.form);
      reach(s, entry.form);
    }
    if (entry.stays || !(stays(s, entry.form) || (entry.bounded && stays(s, entry.bounded)))) continue;
    entry.stays = true;
    know(entry.form);
    if (entry.bounded) know(entry.bounded);
  }
  return grew_;
}

/// What stays, and what is taken out. The entries are in the order of their keys.
std::pair<MapId, MapId> CallerParts::divided(MapId map, const std::vector<Entry>& entries) {
  const auto part = [&](bool staying) {
    auto next = entries.begin();
    return u.maps.filter(map, [&](std::uint32_t key, std::uint32_t) {
      while (next != entries.end() && next->key < key) ++next;
      const bool stays_here = next == entries.end() || next->key != key || next->stays;
      return stays_here == staying;
    });
  };
  if (std::ranges::all_of(entries, [](const Entry& entry) { return entry.stays; })) return {map, 0};
  return {part(true), part(false)};
}

/// Frames that are active stay: a thread that ends in the call ends them.
void CallerParts::divide_allocated(State& s, CallerPart& part) {
  const auto is_active = [&](ContextId context) {
    if (u.threads.is_shared_above(callee_)) return true;  // by some of the calls that share a context above
    for (ContextId at = callee_; at && at.index() >= context.index(); at = u.threads.contexts[at].caller)
      if (at == context) return true;
    return false;
  };
  const auto stays_allocated = [&](std::uint32_t key, std::uint32_t) {
    const Object& object = u.objects[ObjectId(key)];
    return !is_known_by_address(object) || is_open(ObjectId(key)) ||
           (object.kind == ObjectKind::Stack && is_active(object.context));
  };
  const MapId all = s.allocated;
  s.allocated = u.maps.filter(all, stays_allocated);
  if (s.allocated == all) return;
  part.allocated = u.maps.filter(all, [&](std::uint32_t key, std::uint32_t n) { return !stays_allocated(key, n); });
}

/// What is known of symbols that nothing mentions any more goes.
void CallerParts::divide_infos(State& s, CallerPart& part) {
  const State before = s;
  s.tickets = u.maps.filter(s.tickets, [&](std::uint32_t key, std::uint32_t) { return stays(before, SymbolId(key)); });
  s.infos = u.maps.filter(s.infos, [&](std::uint32_t key, std::uint32_t) { return stays(before, SymbolId(key)); });
  for (const MapId map : {part.environment, part.memory})
    u.maps.for_each(map, [&](std::uint32_t, std::uint32_t form) { want(FormId(form)); });
  const auto is_wanted = [&](std::uint32_t key, std::uint32_t) { return mark(SymbolId(key)).is_wanted; };
  for (MapId* bounds : {&part.upper, &part.lower}) *bounds = u.maps.filter(*bounds, is_wanted);
  for (const MapId bounds : {part.upper, part.lower})
    u.maps.for_each(bounds, [&](std::uint32_t, std::uint32_t form) { want(FormId(form)); });
  const auto is_taken_out = [&](std::uint32_t key, std::uint32_t what) {
    return is_wanted(key, what) && !stays(before, SymbolId(key));
  };
  part.infos = u.maps.filter(before.infos, is_taken_out);
  part.tickets = u.maps.filter(before.tickets, is_taken_out);
}

CallerPart CallerParts::take_out(State& s, ContextId callee, const std::vector<ObjectId>& watched) {
  begin(callee);
  // All of the state is looked at, here and behind the call.
  constexpr std::uint64_t of_a_node = 8;
  u.maps.add_work(
      (u.maps.size(s.environment) + u.maps.size(s.memory) + u.maps.size(s.allocated) + u.maps.size(s.infos)) /
      of_a_node);
  for (const ObjectId object : watched) reach(object);
  Entries entries = entries_of(s);
  for (bool grew = true; grew;) {
    grew = false;
    for (std::vector<Entry>* some : {&entries.environment, &entries.memory, &entries.upper, &entries.lower})
      grew = settle(s, *some) || grew;
  }
  CallerPart out;
  std::tie(s.environment, out.environment) = divided(s.environment, entries.environment);
  std::tie(s.memory, out.memory) = divided(s.memory, entries.memory);
  std::tie(s.upper, out.upper) = divided(s.upper, entries.upper);
  std::tie(s.lower, out.lower) = divided(s.lower, entries.lower);
  divide_allocated(s, out);
  divide_infos(s, out);
  return out;
}

void CallerParts::put_back(State& s, const CallerPart& part) {
  using Value = std::optional<std::uint32_t>;
  const auto either = [](std::uint32_t, Value now, Value then) { return now ? now : then; };
  s.environment = u.maps.merge(s.environment, part.environment, either);
  s.memory = u.maps.merge(s.memory, part.memory, either);
  s.infos = u.maps.merge(s.infos, part.infos, either);
  s.upper = u.maps.merge(s.upper, part.upper, either);
  s.lower = u.maps.merge(s.lower, part.lower, either);
  s.tickets = u.maps.merge(s.tickets, part.tickets, either);
  s.allocated = u.maps.merge(s.allocated, part.allocated, either);
}

void CallerParts::restore(State& after, const State& before, ContextId callee) {
  begin(callee);
  restore_values(after, before);
  restore_objects(after, before);
}

/// A value that only some of the states have was lost. It is what it was, but what it points to may have settled.
void CallerParts::restore_values(State& after, const State& before) const {
  const Domain d(u);
  const std::uint32_t own = u.environment_key(callee_, ValueId(0));
  const std::size_t values = u.program.functions[u.threads.contexts[callee_].function].value_count();
  const auto is_callers = [&](std::uint32_t key) { return key < own || key - own > values; };
  after.environment = u.maps.filter(after.environment, [&](std::uint32_t key, std::uint32_t) {
    return is_callers(key) && u.maps.contains(before.environment, key);
  });
  u.maps.for_each(before.environment, [&](std::uint32_t key, std::uint32_t form) {
    if (!is_callers(key) || u.maps.contains(after.environment, key)) return;
    const InfoId info = d.info_of(before, FormId(form), u.width_of_key(key));
    std::vector<Target> targets;
    if (const PointsToId addresses = u.infos[info].addresses) targets = u.points_to[addresses].targets;
    for (Target& t : targets)
      if (u.objects[t.object].fresh && u.objects[t.object].settled) t.object = u.objects[t.object].settled;
    const InfoId either = targets.empty() ? info : u.with_addresses_of(info, u.addresses(targets));
    after.environment = u.maps.set(after.environment, key, u.opaque(either).index());
  });
}

/// An object that was not there before the call, and that nobody below it makes, is not there behind it.
void CallerParts::restore_objects(State& after, const State& before) const {
  const auto is_foreign = [&](ObjectId id) {
    const Object& object = u.objects[id];
    return is_known_by_address(object) && !u.maps.contains(before.allocated, id.index()) && !is_below(object.context);
  };
  std::vector<std::uint32_t> foreign;
  after.allocated = u.maps.filter(after.allocated, [&](std::uint32_t id, std::uint32_t) {
    if (!is_foreign(ObjectId(id))) return true;
    foreign.push_back(id);
    return false;
  });
  if (foreign.empty()) return;
  std::ranges::sort(foreign);
  after.memory = u.maps.filter(after.memory, [&](std::uint32_t cell, std::uint32_t) {
    return !std::ranges::binary_search(foreign, u.cells[CellId(cell)].object.index());
  });
}

}  // namespace heddle::topdown
