// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of symbols and objects: what a state forgets when a symbol gets a new number, and what it renames when a
// fresh object settles.
//
//   p = malloc(…)          p is the address of the fresh object F
//   list->head = p         F settles into S: the state says S wherever it said F
//
// If S is one object, the new name is as good as the old one. If S stands for several, nobody can say which: the
// address keeps an identity as the symbol Former (the latest object that settled), and what was only a number over F
// becomes opaque. A symbol that turns out to be the same number as a form is replaced by it.
#include <algorithm>

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

namespace {

/// The form with that value in the place of the symbol; none: it has no such term, or a number does not fit.
FormId with_value(Universe& u, FormId id, SymbolId symbol, FormId value, unsigned bits) {
  Form rest = u.forms[id];
  const auto it = std::ranges::find(rest.terms, symbol, &Term::symbol);
  if (it == rest.terms.end()) return {};
  const std::int64_t factor = it->factor;
  rest.terms.erase(it);
  return u.combine(u.form(rest), value, factor, bits);
}

class Renamer {
 public:
  Renamer(const Domain& domain, State& s, ObjectId from, ObjectId to)
      : d(domain), u(domain.u), s_(s), from_(from), to_(to), old_symbol_(u.address_symbol(from)) {
    const SymbolId former =
        u.symbol({.kind = SymbolKind::Former, .bits = u.pointer_bits(), .a = to.index(), .depends = {}});
    keeps_identity_ = u.is_singleton(to);
    new_symbol_ = keeps_identity_ ? u.address_symbol(to) : former;
    if (!keeps_identity_) d.kill(s, former);
    before_ = s;
  }

  void run() {
    s_.environment = renamed(s_.environment);
    s_.memory = renamed(s_.memory);
    if (!keeps_identity_) d.set_info(s_, new_symbol_, u.addresses({{to_, 0, 0, 0}}));
    rename_locks();
    rename_infos();
  }

 private:
  InfoId renamed(InfoId id) const {
    const Info info = u.infos[id];
    if (!info.addresses) return id;
    std::vector<Target> targets = u.points_to[info.addresses].targets;
    bool touched = false;
    for (Target& t : targets)
      if (t.object == from_) {
        t.object = to_;
        touched = true;
      }
    if (!touched) return id;
    Info rest = info;
    rest.addresses = {};
    return u.with_addresses_of(u.info(rest), u.addresses(targets));
  }

  FormId renamed(FormId id) const {
    const Form form = u.forms[id];
    if (form.opaque) return u.opaque(renamed(form.opaque));
    if (!u.mentions(id, old_symbol_)) return id;
    const FormId now = with_value(u, id, old_symbol_, u.of_symbol(new_symbol_), u.pointer_bits());
    if (now && !u.mentions(now, old_symbol_)) return now;
    return u.opaque(renamed(d.info_of(before_, id, u.pointer_bits())));
  }

  MapId renamed(MapId map) const {
    return u.maps.transform(map,
                            [&](std::uint32_t, std::uint32_t f) { return std::optional(renamed(FormId(f)).index()); });
  }

  void rename_locks() {
    u.maps.for_each(before_.locks, [&](std::uint32_t f, std::uint32_t hold) {
      const FormId now = renamed(FormId(f));
      if (now == FormId(f)) return;
      s_.locks = u.maps.erase(s_.locks, f);
      if (!u.forms[now].opaque) s_.locks = u.maps.set(s_.locks, now.index(), hold);
    });
    s_.history = with_names(u, s_.history, [&](FormId f) {
      const FormId now = renamed(f);
      return u.forms[now].opaque ? FormId() : now;
    });
  }

  void rename_infos() {
    s_.infos = u.maps.transform(s_.infos, [&](std::uint32_t key, std::uint32_t info) -> std::optional<std::uint32_t> {
      const auto& depends = u.symbols[SymbolId(key)].depends;
      if (std::binary_search(depends.begin(), depends.end(), old_symbol_)) return std::nullopt;
      return renamed(InfoId(info)).index();
    });
  }

  const Domain& d;
  Universe& u;
  State& s_;
  ObjectId from_, to_;
  SymbolId old_symbol_;
  SymbolId new_symbol_;
  bool keeps_identity_ = false;
  State before_;
};

}  // namespace

void Domain::kill(State& s, SymbolId symbol) const {
  const bool is_address = u.symbols[symbol].kind == SymbolKind::Address;
  if (!is_address && !u.maps.contains(s.infos, symbol.index())) return;
  const State before = s;
  auto forget = [&](MapId map, bool is_memory) {
    return u.maps.transform(map, [&](std::uint32_t key, std::uint32_t f) {
      if (!u.mentions(FormId(f), symbol)) return std::optional(f);
      const unsigned bits = is_memory ? u.width_of_cell(CellId(key)) : u.width_of_key(key);
      return std::optional(u.opaque(info_of(before, FormId(f), bits)).index());
    });
  };
  s.environment = forget(s.environment, false);
  s.memory = forget(s.memory, true);
  s.locks = u.maps.filter(s.locks, [&](std::uint32_t f, std::uint32_t) { return !u.mentions(FormId(f), symbol); });
  s.history = with_names(u, s.history, [&](FormId f) { return u.mentions(f, symbol) ? FormId() : f; });
  for (MapId* bounds : {&s.upper, &s.lower})
    *bounds = u.maps.filter(*bounds, [&](std::uint32_t key, std::uint32_t f) {
      return !u.mentions(FormId(f), symbol) && !u.mentions(u.of_symbol(SymbolId(key)), symbol);
    });
  s.tickets = u.maps.erase(s.tickets, symbol.index());
  s.infos = u.maps.filter(s.infos, [&](std::uint32_t key, std::uint32_t) {
    const auto& depends = u.symbols[SymbolId(key)].depends;
    return SymbolId(key) != symbol && !std::binary_search(depends.begin(), depends.end(), symbol);
  });
}

FormId Domain::define(State& s, SymbolId symbol, InfoId info) const {
  kill(s, symbol);
  const Info i = u.infos[info];
  if (i.is_number() && i.number.is_constant()) return u.constant(i.number.low);
  if (i.number.is_empty() && i.addresses) {
    const auto& targets = u.points_to[i.addresses].targets;
    if (targets.size() == 1 && targets[0].stride == 0 && u.is_singleton(targets[0].object))
      return u.address_of(targets[0].object, targets[0].low);
  }
  set_info(s, symbol, info);
  return u.of_symbol(symbol);
}

void Domain::replace(State& s, SymbolId symbol, FormId value) const {
  const auto replaced = [&](FormId f) {
    const FormId out = u.forms[f].opaque ? FormId() : with_value(u, f, symbol, value, 64);
    return out ? out : f;
  };
  for (MapId* map : {&s.environment, &s.memory, &s.upper, &s.lower})
    *map = u.maps.transform(*map,
                            [&](std::uint32_t, std::uint32_t f) { return std::optional(replaced(FormId(f)).index()); });
  const Form& form = u.forms[value];
  if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1) return;
  for (MapId* bounds : {&s.upper, &s.lower})
    if (const auto bound = u.maps.find(*bounds, symbol.index()))
      if (const FormId moved = u.combine(FormId(*bound), u.constant(form.constant), -1, 64))
        *bounds = u.maps.set(*bounds, form.terms[0].symbol.index(), moved.index());
}

void Domain::set_equal(State& s, SymbolId symbol, FormId value) const {
  for (MapId* bounds : {&s.upper, &s.lower}) *bounds = u.maps.set(*bounds, symbol.index(), value.index());
}

FormId Domain::equal_to(const State& s, SymbolId symbol) const {
  const auto upper = u.maps.find(s.upper, symbol.index());
  return upper && upper == u.maps.find(s.lower, symbol.index()) ? FormId(*upper) : FormId();
}

void Domain::rename_object(State& s, ObjectId from, ObjectId to) const { Renamer(*this, s, from, to).run(); }

void Domain::collect_garbage(State& s) const {
  std::vector<bool> wanted(u.symbols.size());
  auto want = [&](std::uint32_t f) {
    for (const Term& t : u.forms[FormId(f)].terms) {
      wanted[t.symbol.index()] = true;
      for (const SymbolId d : u.symbols[t.symbol].depends) wanted[d.index()] = true;
    }
  };
  u.maps.for_each(s.environment, [&](std::uint32_t, std::uint32_t f) { want(f); });
  u.maps.for_each(s.memory, [&](std::uint32_t, std::uint32_t f) { want(f); });
  u.maps.for_each(s.locks, [&](std::uint32_t f, std::uint32_t) { want(f); });
  for_each_acquired(u, s.history, [&](FormId f) { want(f.index()); });
  // That two frozen cells hold one number is known of their names alone.
  u.maps.for_each(s.upper, [&](std::uint32_t key, std::uint32_t) {
    if (u.symbols[SymbolId(key)].kind == SymbolKind::Frozen && equal_to(s, SymbolId(key))) wanted[key] = true;
  });
  const auto is_wanted = [&](std::uint32_t key, std::uint32_t) { return wanted[key]; };
  for (MapId* bounds : {&s.upper, &s.lower}) *bounds = u.maps.filter(*bounds, is_wanted);
  for (const MapId bounds : {s.upper, s.lower})
    u.maps.for_each(bounds, [&](std::uint32_t, std::uint32_t f) { want(f); });
  s.infos = u.maps.filter(s.infos, is_wanted);
  s.tickets = u.maps.filter(s.tickets, is_wanted);
}

}  // namespace heddle::topdown
