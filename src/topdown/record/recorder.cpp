// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/record/recorder.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::topdown {

namespace {

constexpr std::int64_t widest = std::int64_t{1} << 31;
constexpr std::int64_t once_bytes = 8;  ///< no once-control is larger
constexpr std::int64_t most_factor = std::int64_t{1} << 20;

/// Memory that has no content a race could corrupt, or that only one thread can name.
bool is_ignored(const Universe& u, ObjectId id) {
  const Object& o = u.objects[id];
  switch (o.kind) {
    case ObjectKind::Function:
    case ObjectKind::Handle:
    case ObjectKind::Key:
    case ObjectKind::Section: return true;
    case ObjectKind::Global: return u.program.globals[GlobalId(o.a)].is_constant;
    default: return o.fresh;
  }
}

}  // namespace

std::set<GlobalId> outside_variables(const Program& program, const api::ApiModels& models) {
  std::set<GlobalId> out;
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    if (global.is_declaration() && !global.is_constant && !models.knows_variable(global.name)) out.insert(GlobalId(g));
  }
  return out;
}

void Recorder::note_write(State& s, const Places& where, std::uint64_t size) {
  if (!kinds_.once.empty())
    for (const Target& t : where.targets)
      for (auto& [control, written] : kinds_.once)
        if (control.object == t.object && t.low < control.offset + once_bytes &&
            (size == 0 || control.offset < t.high + static_cast<std::int64_t>(size)))
          written = true;
  if (s.created != 0)
    for (const Target& t : where.targets) ledger_.disturb_handles(s, t.object);
}

bool Recorder::access(const Site& site, State& s, FormId address, std::uint64_t size, AccessKind kind, bool is_atomic) {
  const Places where = memory_.places(s, address, std::max<std::uint64_t>(size, 1));
  if (where.anywhere) {
    obstacle(site, "an access through an address that is not known");
    return true;
  }
  if (where.targets.empty()) return false;
  if (kind != AccessKind::Read) note_write(s, where, size);
  if (recording_ && s.parallel)
    for (const Target& t : where.targets)
      if (!is_ignored(u, t.object)) record(site, s, t, address, size, kind, is_atomic);
  return true;
}

/// Code outside of the program has the variable, so it may use it: what other threads call, and threads of its own.
void Recorder::look_outside(const Site& site, ObjectId object) {
  const Object& o = u.objects[object];
  if (o.kind != ObjectKind::Global || !outside_.variables.contains(GlobalId(o.a))) return;
  if (outside_.are_left_alone)
    assume_named(site, "undefined-functions");
  else
    obstacle(site, "the variable '" + std::string(u.program.globals[GlobalId(o.a)].shown_name()) +
                       "' is defined outside of the program, where others may use it");
}

bool Recorder::use_object(const Site& site, State& s, FormId address, std::uint64_t bytes, bool is_atomic,
                          bool is_known) {
  const Places where = memory_.places(s, address, 1);
  if (where.anywhere) {
    obstacle(site, "a synchronisation object at an address that is not known");
    return true;
  }
  if (where.targets.empty()) return false;
  for (const Target& t : where.targets)
    if (!is_known) kinds_.note_object(t.object, t.low, t.high + static_cast<std::int64_t>(bytes));
  if (!recording_ || !s.parallel) return true;
  for (const Target& t : where.targets) {
    if (is_ignored(u, t.object)) continue;
    const std::uint64_t size = u.objects[t.object].size;
    const bool is_cut = size > 0 && t.high >= 0 && bytes > size - static_cast<std::uint64_t>(t.high);
    record(site, s, t, address, is_cut ? size - static_cast<std::uint64_t>(t.high) : bytes, AccessKind::Write,
           is_atomic);
  }
  return true;
}

void Recorder::record(const Site& site, const State& s, const Target& target, FormId address, std::uint64_t size,
                      AccessKind kind, bool is_atomic) {
  look_outside(site, target.object);
  GuardedAccess a;
  a.thread = s.thread;
  a.context = site.context;
  a.instruction = site.instruction;
  a.kind = kind;
  a.is_atomic = is_atomic;
  a.target = target;
  a.size = size;
  a.address = address;
  a.locks = held_locks(s, address);
  a.history = history(s, address);
  const Form form = u.forms[address];
  for (const Term& t : form.terms) {
    const Symbol& sym = u.symbols[t.symbol];
    const bool is_argument = sym.kind == SymbolKind::Argument && sym.a == a.thread.index();
    const bool is_linear = form.terms.size() == 1 || (form.terms.size() == 2 && ledger_.split_address(address));
    if (!is_argument || !is_linear || form.opaque) continue;
    a.argument_factor = t.factor;
    a.argument_distance = form.constant;
  }
  a.next_slots = ledger_.next_slots(s, address);
  a.lowest = public_bound(s, address, false);
  a.highest = public_bound(s, address, true);
  a.created = s.created;
  a.joined = s.joined;
  a.seen = s.seen;
  a.flags_now = memory_.flags_now(s);
  a.teams = s.teams;
  if (s.dealt != 0 || s.works_for != 0) a.own = own_indices(s, address);
  if (s.tickets != 0) a.tickets = own_tickets(s, address);
  accesses_.insert(std::move(a));
}

/// No part of the sum wraps around in the width of a pointer, so that bounds of numbers are bounds of addresses.
bool Recorder::is_small(const State& s, const Form& form) const {
  numeric::Wide low = form.constant;
  numeric::Wide high = form.constant;
  for (const Term& t : form.terms) {
    const Info info = u.infos[d.info_of_symbol(s, t.symbol)];
    if (!info.is_number()) {
      if (t.factor != 1) return false;
      continue;
    }
    const numeric::Wide x = numeric::Wide{info.number.low} * t.factor;
    const numeric::Wide y = numeric::Wide{info.number.high} * t.factor;
    low += std::min(x, y);
    high += std::max(x, y);
  }
  const Interval all = Interval::of_width(u.pointer_bits());
  return low >= all.low && high <= all.high;
}

/// The address with every number that only this thread knows replaced by a bound that others can read too.
FormId Recorder::public_bound(const State& s, FormId address, bool is_upper, bool tickets) const {
  FormId out = address;
  for (int round = 0; round < 4; ++round) {
    const Form form = u.forms[out];
    if (form.opaque) return {};
    const auto own = std::find_if(form.terms.begin(), form.terms.end(), [&](const Term& t) {
      const Symbol& sym = u.symbols[t.symbol];
      const bool is_public =
          sym.kind == SymbolKind::Frozen || sym.kind == SymbolKind::Argument ||
          (tickets && u.maps.contains(s.tickets, t.symbol.index())) ||
          (sym.kind == SymbolKind::Address && !u.objects[ObjectId(sym.a)].fresh && u.is_singleton(ObjectId(sym.a)));
      return !is_public;
    });
    if (own == form.terms.end()) return is_small(s, form) ? out : FormId();
    if (!is_small(s, form)) return {};
    const bool wants_upper = is_upper == (own->factor > 0);
    FormId bound;
    if (const auto known = u.maps.find(wants_upper ? s.upper : s.lower, own->symbol.index())) {
      bound = FormId(*known);
    } else {
      const Info info = u.infos[d.info_of_symbol(s, own->symbol)];
      if (!info.is_number() || info.number.low < -widest || info.number.high > widest) return {};
      bound = u.constant(wants_upper ? info.number.high : info.number.low);
    }
    // Bounds are mathematical numbers: 64 bits hold them without wrap-around as long as all parts are small.
    if (std::abs(own->factor) > most_factor || std::abs(u.forms[bound].constant) > widest) return {};
    const FormId without = u.combine(out, u.of_symbol(own->symbol), -own->factor, 64);
    out = without ? u.combine(without, bound, own->factor, 64) : FormId();
    if (!out) return {};
  }
  return {};
}

/// The share that a number surely lies in; 0 if none.
std::uint32_t Recorder::share_of(const State& s, SymbolId symbol) const {
  const Symbol sym = u.symbols[symbol];
  if (sym.kind == SymbolKind::Own && sym.detail == static_cast<std::uint8_t>(OwnPart::One)) return sym.a;
  if (sym.kind == SymbolKind::Extend && static_cast<CastOp>(sym.detail) == CastOp::SExt) {
    const Form inner = u.forms[FormId(sym.a)];
    return inner.is_symbol() ? share_of(s, inner.terms[0].symbol) : 0;
  }
  const std::uint32_t low = share_end(s, symbol, OwnPart::Low);
  return low != 0 && low == share_end(s, symbol, OwnPart::High) ? low : 0;
}

/// The share whose lower end is surely not above the number (or its upper end not below).
std::uint32_t Recorder::share_end(const State& s, SymbolId symbol, OwnPart end) const {
  const bool is_low = end == OwnPart::Low;
  for (int step = 0; step < 4; ++step) {
    const Symbol& own = u.symbols[symbol];
    if (own.kind == SymbolKind::Own && own.detail == static_cast<std::uint8_t>(end)) return own.a;
    const auto bound = u.maps.find(is_low ? s.lower : s.upper, symbol.index());
    if (!bound) return 0;
    const Form form = u.forms[FormId(*bound)];
    if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1) return 0;
    if (is_low ? form.constant < 0 : form.constant > 0) return 0;
    symbol = form.terms[0].symbol;
  }
  return 0;
}

std::vector<OwnIndex> Recorder::own_indices(const State& s, FormId address) const {
  std::vector<OwnIndex> out;
  const Form form = u.forms[address];
  if (!form.opaque && is_small(s, form))
    for (const Term& t : form.terms) {
      const std::uint32_t label = share_of(s, t.symbol);
      if (label == 0 || std::abs(t.factor) > most_factor) continue;
      const FormId rest = u.combine(address, u.of_symbol(t.symbol), -t.factor, 64);
      if (!rest) continue;
      const FormId low = public_bound(s, rest, false), high = public_bound(s, rest, true);
      if (low && high && !is_threads_own(low) && !is_threads_own(high))
        out.push_back({label, t.factor, 0, {}, low, high});
    }
  const std::vector<OwnIndex> numbers = own_numbers(s);
  out.insert(out.end(), numbers.begin(), numbers.end());
  std::sort(out.begin(), out.end());
  return out;
}

/// Both bounds of the address have the ticket in them as often.
std::vector<OwnTicket> Recorder::own_tickets(const State& s, FormId address) const {
  std::vector<OwnTicket> out;
  const FormId low = public_bound(s, address, false, true), high = public_bound(s, address, true, true);
  if (!low || !high) return out;
  for (const Term& t : u.forms[low].terms) {
    const auto id = u.maps.find(s.tickets, t.symbol.index());
    if (!id || magnitude(t.factor) > most_factor) continue;
    const Ticket ticket = u.tickets[TicketId(*id)];
    const FormId times = u.combine(u.constant(0), u.of_symbol(t.symbol, ticket.offset), t.factor, 64);
    const FormId below = times ? u.combine(low, times, -1, 64) : FormId();
    const FormId above = times ? u.combine(high, times, -1, 64) : FormId();
    const auto is_public = [&](FormId rest) {
      return rest && !is_threads_own(rest) && std::ranges::none_of(u.forms[rest].terms, [&](const Term& other) {
               return u.maps.contains(s.tickets, other.symbol.index());
             });
    };
    if (is_public(below) && is_public(above)) out.push_back({ticket.counter, t.factor, below, above});
  }
  std::ranges::sort(out);
  return out;
}

/// Where a number is known, who has it is the only thread that comes here, with those who work for it.
std::vector<OwnIndex> Recorder::own_numbers(const State& s) const {
  std::vector<OwnIndex> out;
  if (s.dealt != 0)
    u.maps.for_each(s.infos, [&](std::uint32_t id, std::uint32_t info) {
      const Info& known = u.infos[InfoId(info)];
      if (!known.is_number() || !known.number.is_constant()) return;
      if (const std::uint32_t label = share_of(s, SymbolId(id)))
        out.push_back({label, 0, known.number.low, s.thread, {}, {}});
    });
  u.maps.for_each(s.works_for, [&](std::uint32_t key, std::uint32_t owner) {
    const InheritedNumber number = InheritedNumber::from(key);
    out.push_back({number.label, 0, number.number, ThreadId(owner), {}, {}});
  });
  return out;
}

/// Another number in each thread.
bool Recorder::is_threads_own(FormId form) const {
  return std::ranges::any_of(u.forms[form].terms, [&](const Term& t) {
    return u.symbols[t.symbol].kind == SymbolKind::Argument || u.symbols[t.symbol].kind == SymbolKind::Own;
  });
}

std::vector<HeldLock> Recorder::held_locks(const State& s, FormId address) const {
  std::vector<HeldLock> out;
  u.maps.for_each(s.locks, [&](std::uint32_t id, std::uint32_t hold) {
    const std::vector<HeldLock> described = descriptions(FormId(id), to_hold(hold).mode, address);
    out.insert(out.end(), described.begin(), described.end());
  });
  std::sort(out.begin(), out.end());
  u.maps.add_work(out.size());
  return out;
}

std::vector<TakenSince> Recorder::history(const State& s, FormId address) const {
  std::vector<TakenSince> out;
  u.maps.for_each(s.history, [&](std::uint32_t id, std::uint32_t since) {
    const auto hold = u.maps.find(s.locks, id);
    HEDDLE_CHECK(hold.has_value(), "a lock with a history is held");
    const std::vector<HeldLock> held = descriptions(FormId(id), to_hold(*hold).mode, address);
    u.maps.for_each(since, [&](std::uint32_t form, std::uint32_t mode) {
      for (const HeldLock& taken : descriptions(FormId(form), static_cast<locks::Mode>(mode), address))
        for (const HeldLock& one : held) out.push_back({one, taken});
    });
  });
  std::sort(out.begin(), out.end());
  u.maps.add_work(out.size());
  return out;
}

std::vector<HeldLock> Recorder::descriptions(FormId form, locks::Mode mode, FormId address) const {
  std::vector<HeldLock> out;
  HeldLock lock;
  lock.shared = mode == locks::Mode::Shared;
  lock.form = form;
  // form - address is a constant: the lock lies next to what it guards.
  if (const FormId distance = u.combine(form, address, -1, u.pointer_bits());
      distance && u.forms[distance].is_constant()) {
    lock.kind = HeldLock::Kind::Relative;
    lock.offset = u.forms[distance].constant;
    out.push_back(lock);
  }
  const Form at = u.forms[address];
  describe_lock(lock, at, out);
  return out;
}

/// The lock in terms that other threads can read: one object, numbers that are frozen, an index that the access shares.
void Recorder::describe_lock(HeldLock lock, const Form& at, std::vector<HeldLock>& out) const {
  const Form form = u.forms[lock.form];
  ObjectId base;
  std::vector<Term> rest;
  bool frozen = true;
  for (const Term& t : form.terms) {
    const Symbol& sym = u.symbols[t.symbol];
    if (sym.kind == SymbolKind::Address && t.factor == 1 && !base)
      base = ObjectId(sym.a);
    else
      rest.push_back(t);
    const bool same_for_all =
        sym.kind == SymbolKind::Frozen ||
        (sym.kind == SymbolKind::Address && u.is_singleton(ObjectId(sym.a)) && !u.objects[ObjectId(sym.a)].fresh);
    frozen = frozen && same_for_all;
  }
  lock.object = base;
  lock.offset = form.constant;
  if (base && u.objects[base].fresh) return;  // nobody else can name it, so it excludes nobody
  if (base && rest.empty() && u.is_singleton(base)) {
    lock.kind = HeldLock::Kind::Exact;
    out.push_back(lock);
  } else if (frozen) {
    lock.kind = HeldLock::Kind::Frozen;
    out.push_back(lock);
  }
  if (!base || rest.size() != 1 || !u.is_singleton(base) || at.terms.size() != 2) return;
  for (std::size_t k = 0; k < 2; ++k) {
    const Term& index = at.terms[k];
    const Symbol& other = u.symbols[at.terms[1 - k].symbol];
    if (index.symbol != rest[0].symbol || other.kind != SymbolKind::Address || at.terms[1 - k].factor != 1 ||
        !u.is_singleton(ObjectId(other.a)))
      continue;
    lock.kind = HeldLock::Kind::Indexed;
    lock.factor = rest[0].factor;
    lock.access_factor = index.factor;
    lock.access_offset = at.constant;
    out.push_back(lock);
  }
}

void Recorder::obstacle(const Site& site, std::string what) {
  if (recording_) obstacles_.insert({site.context, site.instruction, std::move(what)});
}

void Recorder::assume_named(const Site& site, std::string_view name) {
  if (without_.contains(std::string(name)))
    obstacle(site, "what rests on the assumption '" + std::string(name) + "', which is switched off");
  else
    assumptions_.emplace(name);
}

bool Recorder::grants(api::Granted granted) {
  const std::string name(api::assumption_of(granted));
  if (name.empty() || without_.contains(name)) return false;
  assumptions_.insert(name);
  return true;
}

void Recorder::check_publication(const Site& site, const State& s, FormId value) {
  const Info info = u.infos[d.info_of(s, value, u.pointer_bits())];
  if (!s.parallel || !info.addresses) return;
  const auto& targets = u.points_to[info.addresses].targets;
  const bool allocated = std::any_of(targets.begin(), targets.end(), [&](const Target& t) {
    const ObjectKind kind = u.objects[t.object].kind;
    return kind == ObjectKind::Heap || kind == ObjectKind::Stack || kind == ObjectKind::ThreadLocal;
  });
  if (allocated) obstacle(site, "the address of an object is passed on by an atomic access that orders nothing");
}

void Recorder::untreated(const Site& site) {
  obstacle(site, "a call of '" + std::string(u.program.functions[site.callee()].name) +
                     "', an effect of which is not treated yet");
}

}  // namespace heddle::topdown
