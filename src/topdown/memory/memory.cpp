// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/memory/memory.h"

#include <algorithm>

#include "topdown/domain/cut_words.h"

namespace heddle::topdown {

namespace {

/// What one touches who begins there and goes on for so many bytes; a negative length is not known.
Target bytes_from(const Target& t, std::int64_t length) {
  const std::int64_t last = length > 0 && length < far ? t.high + length - 1 : far;
  return {t.object, t.low, std::max(t.low, last), last > t.low ? 1ULL : 0ULL};
}

/// The places of that size, in line with the begin of the object, that lie in some bytes; none: high is below low.
Target whole_places(const Target& bytes, std::int64_t size) {
  const std::int64_t rest = ((bytes.low % size) + size) % size;
  const std::int64_t low = rest == 0 ? bytes.low : bytes.low - rest + size;
  const std::int64_t end = bytes.high + 1;
  const std::int64_t high = end - ((end % size) + size) % size - size;
  return {bytes.object, low, high, low < high ? static_cast<std::uint64_t>(size) : 0};
}

}  // namespace

Places Memory::places(const State& s, FormId address, std::uint64_t size) const {
  Places out;
  const Info info = u.infos[d.info_of(s, address, u.pointer_bits())];
  if (info.any_address) {
    out.anywhere = true;
    return out;
  }
  if (!info.addresses) {
    out.anywhere = !(info.number.is_empty() || info.number == Interval::constant(0));
    return out;
  }
  for (Target t : u.points_to[info.addresses].targets) {
    const auto object_size = static_cast<std::int64_t>(u.objects[t.object].size);
    if (object_size > 0) {
      const auto last =
          object_size - static_cast<std::int64_t>(std::min<std::uint64_t>(size, u.objects[t.object].size));
      if (t.stride == 0 && (t.low < 0 || t.low > last)) continue;  // out of bounds: undefined
      if (t.stride > 0) {
        const auto stride = static_cast<std::int64_t>(t.stride);
        if (t.low < 0) t.low += (-t.low + stride - 1) / stride * stride;
        if (t.high > last) t.high -= (t.high - last + stride - 1) / stride * stride;
        if (t.low > t.high) continue;
        if (t.low == t.high) t.stride = 0;
      }
    }
    out.targets.push_back(t);
  }
  return out;
}

FormId Memory::absent_form(const State& s, CellId cell) {
  if (s.was_parallel && !u.objects[u.cells[cell].object].fresh) return u.opaque(shared_.read(cell));
  return shared_.initial(cell);
}

Domain::AbsentCell Memory::absent() {
  return [this](const State& s, CellId cell) { return u.opaque(read_cell(s, cell)); };
}

std::vector<LockName> Memory::exact_locks(const State& s, bool also_shared) const {
  std::vector<LockName> out;
  u.maps.for_each(s.locks, [&](std::uint32_t id, std::uint32_t hold) {
    const Form& f = u.forms[FormId(id)];
    if (f.terms.size() != 1 || f.terms[0].factor != 1 || (to_hold(hold).mode == locks::Mode::Shared && !also_shared))
      return;
    const Symbol& sym = u.symbols[f.terms[0].symbol];
    if (sym.kind != SymbolKind::Address) return;
    const LockName lock{ObjectId(sym.a), f.constant};
    if (!u.objects[lock.object].fresh && u.is_singleton(lock.object) && is_lock_so_far(lock)) out.push_back(lock);
  });
  std::ranges::sort(out);  // forms are different, and so are the names
  u.maps.add_work(out.size());
  return out;
}

void Memory::forget_unprotected(State& s) const {
  if (!s.parallel) return;
  const std::vector<LockName> held = exact_locks(s, true);
  std::uint64_t shared = 0;
  MapId seen = s.seen;
  s.memory = u.maps.filter(s.memory, [&](std::uint32_t c, std::uint32_t form) {
    if (is_local(s, u.cells[CellId(c)].object)) return true;
    ++shared;
    if (is_tracked(s, CellId(c), held)) return true;
    if (const InfoId number = flag_number(s, CellId(c), FormId(form))) seen = u.maps.set(seen, c, number.index());
    return false;
  });
  s.seen = seen;
  u.maps.add_work(shared);
}

/// None: it is no flag, or nothing is known of it.
InfoId Memory::flag_number(const State& s, CellId cell, FormId content) const {
  if (!shared_.lasting(cell)) return {};
  const Info info = u.infos[form_info(s, content, u.cells[cell].size)];
  return info.is_number() ? u.number(info.number) : InfoId();
}

MapId Memory::flags_now(const State& s) const {
  MapId out = 0;
  if (!s.parallel) return out;
  const std::vector<LockName> held = exact_locks(s, true);
  u.maps.for_each(s.memory, [&](std::uint32_t c, std::uint32_t form) {
    const CellId cell(c);
    if (is_local(s, u.cells[cell].object) || !shared_.is_protected(cell, held)) return;
    if (const InfoId number = flag_number(s, cell, FormId(form))) out = u.maps.set(out, c, number.index());
  });
  return out;
}

FormId Memory::known_content(const State& s, CellId cell) {
  if (shared_.is_frozen(cell)) return u.opaque(shared_.read(cell));
  if (!is_tracked(s, cell)) return {};
  const auto held = u.maps.find(s.memory, cell.index());
  return held ? FormId(*held) : FormId();
}

InfoId Memory::stored_in(const State& s, CellId id) {
  const Cell cell = u.cells[id];
  if (!is_tracked(s, id)) return shared_.read(id);
  if (const auto f = u.maps.find(s.memory, id.index()); f && cell.stride == 0)
    return form_info(s, FormId(*f), cell.size);
  InfoId out = form_info(s, absent_form(s, id), cell.size);
  if (!is_local(s, cell.object)) return out;  // all of it went to shared memory too
  bool is_cut = false;
  for (const CellId other : u.overlapping(cell)) {
    const auto f = u.maps.find(s.memory, other.index());
    if (!f) continue;
    const InfoId info = form_info(s, FormId(*f), u.cells[other].size);
    out = u.join(out,
                 Universe::fit(cell, u.cells[other]) ? info : u.with_addresses_of(u.any_number(cell.size * 8), info));
    is_cut = is_cut || is_cut_by(cell, u.cells[other]);
  }
  return is_cut ? d.blur(out, cell.size * 8) : out;
}

FormId Memory::load(State& s, FormId address, std::uint32_t size, unsigned bits, SymbolId name) {
  const Places where = places(s, address, size);
  if (where.anywhere) return d.define(s, name, u.unknown(bits));
  if (where.targets.size() == 1 && where.targets[0].stride == 0) {
    const ObjectId object = where.targets[0].object;
    const CellId cell = u.cell(object, where.targets[0].low, size, 0);
    if (kinds_.is_in_object(u.cells[cell])) return d.define(s, name, read_cell(s, cell));
    if (is_tracked(s, cell) && u.is_singleton(object)) {
      const auto held = u.maps.find(s.memory, cell.index());
      if (held && !u.forms[FormId(*held)].opaque) return FormId(*held);
      const FormId value = d.define(s, name, read_cell(s, cell));
      s.memory = u.maps.set(s.memory, cell.index(), value.index());
      return value;
    }
    if (!is_local(s, object) && u.is_singleton(object) && shared_.is_frozen(cell)) {
      const SymbolId frozen = u.frozen_symbol(cell);
      const InfoId info = shared_.read(cell);
      if (const auto known = u.maps.find(s.infos, frozen.index())) {
        if (const FormId same = d.equal_to(s, frozen)) return same;  // another cell's number
        if (InfoId(*known) == info || u.join(InfoId(*known), info) == info) return u.of_symbol(frozen);
      }
      return d.define(s, frozen, info);
    }
  }
  InfoId out;
  for (const Target& t : where.targets) {
    const InfoId part = read_cell(s, u.cell_of(t, size));
    out = out ? u.join(out, part) : part;
  }
  return d.define(s, name, out ? out : u.any_number(bits));
}

InfoId Memory::stored_at(const State& s, FormId address, std::uint32_t size) {
  const Places where = places(s, address, size);
  InfoId out;
  for (const Target& t : where.targets) {
    const InfoId part = stored_in(s, u.cell_of(t, size));
    out = out ? u.join(out, part) : part;
  }
  return where.anywhere || !out ? u.unknown(size * 8) : out;
}

/// The cell is written: a frozen value of an earlier phase ends here. Returns `value` without it.
FormId Memory::thaw(State& s, CellId cell, FormId value) {
  const SymbolId frozen = u.known_frozen_symbol(cell);
  if (!frozen) return value;
  if (u.mentions(value, frozen)) value = u.opaque(d.info_of(s, value, u.width_of_cell(cell)));
  d.kill(s, frozen);
  return value;
}

void Memory::strong_store(State& s, CellId id, FormId value) {
  const Cell cell = u.cells[id];
  for (const CellId other : u.overlapping(cell)) {
    const Cell c = u.cells[other];
    if (s.was_parallel) value = thaw(s, other, value);
    if (other == id || c.stride != 0) continue;
    if (const auto f = u.maps.find(s.memory, other.index())) {
      const InfoId both =
          u.with_addresses_of(d.blur(form_info(s, FormId(*f), c.size), c.size * 8), form_info(s, value, cell.size));
      s.memory = u.maps.set(s.memory, other.index(), u.opaque(both).index());
    }
  }
  s.memory = u.maps.set(s.memory, id.index(), value.index());
}

void Memory::weak_store(State& s, const Target& t, InfoId info, std::uint32_t size) {
  const CellId id = u.cell_of(t, size);
  const bool local = is_local(s, t.object);
  if (!local) shared_.write(id, info, writer(s, false));
  const Cell cell = u.cells[id];
  const State before = s;
  const std::vector<CellId> touched = u.overlapping(cell);
  u.maps.add_work(touched.size());
  for (const CellId other : touched) {
    const Cell c = u.cells[other];
    if (s.was_parallel) thaw(s, other, u.constant(0));
    if (other == id || c.stride != 0) continue;
    if (const auto f = u.maps.find(before.memory, other.index())) {
      const InfoId old = form_info(before, FormId(*f), c.size);
      const InfoId add = Universe::fit(c, cell) ? info : u.with_addresses_of(u.any_number(c.size * 8), info);
      const InfoId both = u.join(old, add);
      const InfoId kept = is_cut_by(c, cell) ? d.blur(both, c.size * 8) : both;
      s.memory = u.maps.set(s.memory, other.index(), u.opaque(kept).index());
    }
  }
  if (!local) {
    if (const auto f = u.maps.find(before.memory, id.index()))
      s.memory =
          u.maps.set(s.memory, id.index(), u.opaque(u.join(form_info(before, FormId(*f), cell.size), info)).index());
    return;
  }
  if (cell.stride != 0) return list_store(s, id, info);
  s.memory = u.maps.set(s.memory, id.index(), u.opaque(u.join(read_cell(before, id), info)).index());
}

/// Memory that was not given a content holds any number; a load joins that with what was stored.
bool Memory::is_any_number_already(const State& s, CellId cell, InfoId info) const {
  const Object& object = u.objects[u.cells[cell].object];
  const bool is_plain = object.kind == ObjectKind::Stack || object.kind == ObjectKind::Heap;
  return is_plain && !object.zeroed && u.infos[info].is_number() && (object.fresh || !s.was_parallel);
}

/// A cell with a step is a list of what was stored in its places: loads join it with the content before and with all
/// other lists. So a list goes that says no more than a wider one. (An index that is widened step by step would leave
/// one behind for each step.)
void Memory::list_store(State& s, CellId id, InfoId info) {
  const auto listed = [&](CellId cell) -> InfoId {
    const auto f = u.maps.find(s.memory, cell.index());
    return f ? form_info(s, FormId(*f), u.cells[cell].size) : InfoId();
  };
  if (const InfoId old = listed(id)) info = u.join(old, info);
  s.memory = u.maps.erase(s.memory, id.index());
  if (is_any_number_already(s, id, info)) return;
  for (const CellId other : u.objects[u.cells[id].object].strided) {
    const bool is_wider = Universe::covers(u.cells[other], u.cells[id]);
    if (other == id || (!is_wider && !Universe::covers(u.cells[id], u.cells[other]))) continue;
    const InfoId there = listed(other);
    if (!there) continue;
    const InfoId both = u.join(there, info);
    if (is_wider && both == there) return;
    if (!is_wider && both == info) s.memory = u.maps.erase(s.memory, other.index());
  }
  s.memory = u.maps.set(s.memory, id.index(), u.opaque(info).index());
}

/// What is in a cell until the thread stores there; none if others may change it meanwhile.
FormId Memory::content_before(const State& s, CellId cell) {
  if (is_tracked(s, cell)) {
    const auto held = u.maps.find(s.memory, cell.index());
    return held ? FormId(*held) : FormId();
  }
  // Nobody has written it so far: this may be the first look at a counter.
  const SymbolId frozen = u.known_frozen_symbol(cell);
  if (!frozen || !shared_.is_frozen(cell)) return {};
  const Info info = u.infos[shared_.read(cell)];
  return info.is_number() && info.number.is_constant() ? u.constant(info.number.low) : u.of_symbol(frozen);
}

/// How much more the one number is than the other; 0 if it is not known, or not more.
std::int64_t Memory::step(const State& s, FormId from, FormId to, unsigned bits, bool cannot_wrap) const {
  if (!from || !d.is_exact(s, from, bits) || !(cannot_wrap || d.is_exact(s, to, bits))) return 0;
  const FormId difference = u.combine(to, from, -1, bits);
  return difference ? std::max<std::int64_t>(u.constant_of(difference).value_or(0), 0) : 0;
}

/// The number is what the counter held before the thread stepped it on.
void Memory::deal(State& s, CellId counter, FormId number) const {
  const Form form = u.forms[number];
  if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1) return;
  const SymbolId symbol = form.terms[0].symbol;
  if (u.symbols[symbol].kind != SymbolKind::Defined || u.maps.contains(s.tickets, symbol.index())) return;
  s.tickets = u.maps.set(s.tickets, symbol.index(), u.ticket({counter, form.constant}).index());
}

void Memory::store(State& s, FormId address, FormId value, std::uint32_t size, unsigned bits, const StoreFacts& facts) {
  Places where = places(s, address, size);
  if (where.anywhere) return;  // the caller reports it; no verdict rests on what follows
  InfoId info = d.info_of(s, value, bits);
  const bool visible =
      std::any_of(where.targets.begin(), where.targets.end(), [&](const Target& t) { return !is_local(s, t.object); });
  if (!visible && where.targets.size() == 1 && where.targets[0].stride == 0 && u.is_singleton(where.targets[0].object))
    return strong_store(s, u.cell(where.targets[0].object, where.targets[0].low, size, 0), value);
  if (visible && !u.infos[info].is_number()) {
    const std::vector<ObjectId> published = publish(s, info);
    info = settled(info);
    for (Target& t : where.targets)
      if (std::find(published.begin(), published.end(), t.object) != published.end())
        t.object = u.objects[t.object].settled;
  }
  if (visible && where.targets.size() == 1 && where.targets[0].stride == 0 && u.is_singleton(where.targets[0].object)) {
    const CellId cell = u.cell(where.targets[0].object, where.targets[0].low, size, 0);
    const FormId replaced = facts.replaced ? facts.replaced : content_before(s, cell);
    const std::int64_t more = step(s, replaced, value, bits, facts.cannot_wrap);
    shared_.write(cell, info, writer(s, facts.changes_flag, more));
    if (more > 0 && shared_.step(cell) > 0) deal(s, cell, replaced);
    // Publication may have renamed the value: then only its description is left.
    const FormId now = info == d.info_of(s, value, bits) ? value : u.opaque(info);
    if (is_tracked(s, cell)) return strong_store(s, cell, now);
    for (const CellId c : u.overlapping(u.cells[cell])) s.memory = u.maps.erase(s.memory, c.index());
    return;
  }
  for (const Target& t : where.targets) weak_store(s, t, info, size);
}

void Memory::store_blurred(State& s, FormId address, InfoId content, std::int64_t length) {
  Places where = places(s, address, 1);
  for (Target& t : where.targets) t = bytes_from(t, length);
  if (!where.targets.empty())
    store(s, u.opaque(u.addresses(std::move(where.targets))), u.opaque(d.blur(content, 8)), 1, 8);
}

void Memory::set_bytes(State& s, FormId destination, InfoId byte, std::int64_t length) {
  const Places to = places(s, destination, 1);
  const bool zero = u.infos[byte].is_number() && u.infos[byte].number == Interval::constant(0);
  const bool exact = length >= 0 && to.targets.size() == 1 && to.targets[0].stride == 0 &&
                     is_local(s, to.targets[0].object) && u.is_singleton(to.targets[0].object);
  if (exact) {
    const Target t = to.targets[0];
    const std::vector<CellId> cells = u.objects[t.object].cells;
    for (const CellId c : cells) {
      const Cell cell = u.cells[c];
      if (cell.stride != 0 || cell.offset + cell.size <= t.low || cell.offset >= t.low + length) continue;
      const bool inside = cell.offset >= t.low && cell.offset + cell.size <= t.low + length;
      const FormId value = inside && zero ? u.constant(0) : u.opaque(d.blur(read_cell(s, c), cell.size * 8));
      s.memory = u.maps.set(s.memory, c.index(), value.index());
    }
  }
  // Cells named later see this one: bytes that are zero, or unknown numbers. Wider reads of zero bytes are zero.
  for (const Target& t : to.targets)
    for (const std::uint32_t size : {1U, 2U, 4U, 8U})
      if (const Target whole = whole_places(bytes_from(t, length), size);
          whole.low <= whole.high && (zero || size == 1))
        weak_store(s, whole, zero ? u.number(Interval::constant(0)) : u.any_number(8), size);
}

InfoId Memory::content_of(const State& s, FormId address, std::int64_t length) {
  InfoId out = u.any_number(8);
  for (const Target& t : places(s, address, 1).targets)
    out = u.with_addresses_of(out, read_cell(s, u.cell_of(bytes_from(t, length), 1)));
  return out;
}

void Memory::copy(State& s, FormId destination, FormId source, std::int64_t length, bool length_known) {
  const Places from = places(s, source, 1);
  const Places to = places(s, destination, 1);
  if (from.anywhere || to.anywhere) return;
  const bool exact = length_known && from.targets.size() == 1 && to.targets.size() == 1 &&
                     from.targets[0].stride == 0 && to.targets[0].stride == 0 && is_local(s, to.targets[0].object) &&
                     u.is_singleton(to.targets[0].object);
  if (!exact) {
    const std::int64_t known = length_known ? length : -1;
    return store_blurred(s, destination, content_of(s, source, known), known);
  }
  // Both places are known: copy cell by cell what is there, and forget the rest of the destination.
  const Target f = from.targets[0];
  const Target t = to.targets[0];
  const State before = s;
  const InfoId all = content_of(s, source, length);
  const std::vector<CellId> old_cells = u.objects[t.object].cells;
  for (const CellId c : old_cells) {
    const Cell cell = u.cells[c];
    if (cell.stride != 0 || cell.offset + cell.size <= t.low || cell.offset >= t.low + length) continue;
    const bool is_inside = cell.offset >= t.low && cell.offset + cell.size <= t.low + length;
    InfoId either = u.with_addresses_of(u.any_number(cell.size * 8), all);
    if (!is_inside) either = d.blur(u.with_addresses_of(either, read_cell(before, c)), cell.size * 8);
    s.memory = u.maps.set(s.memory, c.index(), u.opaque(either).index());
  }
  const std::vector<CellId> cells = u.objects[f.object].cells;
  // What the source never named is still initial there: one cell of unknown content keeps the destination sound.
  const State forgotten = s;
  store(s, u.opaque(u.addresses({{t.object, t.low, t.low + length - 1, length > 1 ? 1ULL : 0ULL}})),
        u.opaque(u.with_addresses_of(u.any_number(8), all)), 1, 8);
  for (const CellId c : old_cells) {
    const Cell cell = u.cells[c];
    const bool outside = cell.offset + cell.size <= t.low || cell.offset >= t.low + length;
    const auto held = u.maps.find(forgotten.memory, c.index());
    if (cell.stride == 0 && outside && held) s.memory = u.maps.set(s.memory, c.index(), *held);
  }
  for (const CellId c : cells) {
    const Cell cell = u.cells[c];
    if (cell.stride != 0 || cell.offset < f.low || cell.offset + cell.size > f.low + length) continue;
    const auto held = u.maps.find(before.memory, c.index());
    const bool is_form = is_local(before, f.object) && u.is_singleton(f.object) && held;
    const FormId value = is_form ? FormId(*held) : u.opaque(read_cell(before, c));
    s.memory = u.maps.set(s.memory, u.cell(t.object, cell.offset - f.low + t.low, cell.size, 0).index(), value.index());
  }
}

}  // namespace heddle::topdown
