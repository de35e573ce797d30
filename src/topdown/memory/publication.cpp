// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The life of objects: allocated fresh, settled when published or superseded, gone with their frame (see memory.h).
#include <algorithm>

#include "topdown/memory/memory.h"

namespace heddle::topdown {

namespace {

// Of a fresh object in State::allocated. A join takes the larger: what is live on one side is treated as live.
constexpr std::uint32_t live = 2, gone = 1;
constexpr std::uint32_t settled_once = 1, settled_often = 2;

}  // namespace

InfoId Memory::settled(InfoId id) const {
  const Info info = u.infos[id];
  if (!info.addresses) return id;
  std::vector<Target> targets = u.points_to[info.addresses].targets;
  for (Target& t : targets)
    if (u.objects[t.object].fresh) t.object = u.objects[t.object].settled;
  Info rest = info;
  rest.addresses = {};
  return u.with_addresses_of(u.info(rest), u.addresses(targets));
}

FormId Memory::allocate(State& s, ObjectKind kind, ContextId context, ThreadId thread, std::uint32_t instruction,
                        std::uint64_t size, bool zeroed) {
  const ObjectId fresh = u.object(kind, instruction, context, thread, true);
  const ObjectId to = u.object(kind, instruction, context, thread, false);
  u.objects[fresh].settled = to;
  for (const ObjectId o : {fresh, to}) {
    Object& object = u.objects[o];
    const bool is_unknown = size == 0 || (object.has_size && object.size == 0);
    const std::uint64_t known = is_unknown ? 0 : std::max(size, object.size);
    const bool is_zeroed = zeroed && (object.zeroed || !object.has_size);
    // Whoever met it so far, met one of another size or content.
    if (object.has_size && (known != object.size || is_zeroed != object.zeroed)) changed_ = true;
    object.size = known;
    object.zeroed = is_zeroed;
    object.has_size = true;
  }
  const auto status = u.maps.find(s.allocated, fresh.index());
  if (status == live) {
    if (s.parallel)
      publish(s, u.addresses({{fresh, 0, 0, 0}}));  // what shared memory holds must not lead to fresh objects
    else
      settle(s, fresh);
  }
  if (status == gone) d.rename_object(s, fresh, to);
  s.allocated = u.maps.set(s.allocated, fresh.index(), live);
  return u.address_of(fresh);
}

void Memory::leave(State& s, const std::vector<ObjectId>& stack_objects) {
  for (const ObjectId o : stack_objects) {
    if (u.maps.find(s.allocated, o.index()) != live) continue;
    for (const CellId c : u.objects[o].cells) s.memory = u.maps.erase(s.memory, c.index());
    s.allocated = u.maps.set(s.allocated, o.index(), gone);
  }
}

void Memory::settle(State& s, ObjectId fresh) {
  const ObjectId to = u.objects[fresh].settled;
  // After forget() it is not said which objects of an allocation there have been.
  std::optional<std::uint32_t> count = u.maps.find(s.allocated, to.index());
  if (!count && u.objects[to].many && !u.lists_allocations) count = settled_often;
  if (count && !u.objects[to].many) {
    changed_ = u.objects[to].many = true;
    d.kill(s, u.address_symbol(to));
  }
  if (count) d.kill(s, u.address_symbol(to));
  const State before = s;
  const std::vector<CellId> cells = u.objects[fresh].cells;
  std::vector<CellId> moved;
  for (const CellId c : cells) {
    const auto f = u.maps.find(before.memory, c.index());
    if (!f) continue;
    const Cell cell = u.cells[c];
    const CellId target = u.cell_in(to, cell);
    moved.push_back(target);
    const InfoId info = form_info(before, FormId(*f), cell.size);
    s.memory = u.maps.erase(s.memory, c.index());
    if (s.parallel) {
      shared_.publish(target, settled_only(info, fresh), !count && cell.stride == 0);
    } else if (!count) {
      s.memory = u.maps.set(s.memory, target.index(), *f);
    } else if (cell.stride != 0) {
      list_store(s, target, info);
    } else {
      const InfoId old = read_cell(before, target);
      s.memory = u.maps.set(s.memory, target.index(), u.opaque(u.join(old, info)).index());
    }
  }
  // Cells that the new object has no content of its own for still have their initial one, or what lists say.
  const std::vector<CellId> all = u.objects[to].cells;
  for (const CellId c : all) {
    if (std::find(moved.begin(), moved.end(), c) != moved.end()) continue;
    if (s.parallel || s.was_parallel) shared_.publish_initial(c);
    const auto f = u.maps.find(before.memory, c.index());
    if (!f || u.cells[c].stride != 0) continue;
    const InfoId there = read_cell(before, u.cell_in(fresh, u.cells[c]));
    const InfoId both = u.join(form_info(before, FormId(*f), u.cells[c].size), there);
    s.memory = u.maps.set(s.memory, c.index(), u.opaque(both).index());
  }
  s.allocated = u.maps.erase(s.allocated, fresh.index());
  s.allocated = u.maps.set(s.allocated, to.index(), count ? settled_often : settled_once);
  d.rename_object(s, fresh, to);
}

std::vector<ObjectId> Memory::fresh_in(InfoId id) const {
  std::vector<ObjectId> out;
  const Info& info = u.infos[id];
  if (info.addresses)
    for (const Target& t : u.points_to[info.addresses].targets)
      if (u.objects[t.object].fresh) out.push_back(t.object);
  return out;
}

std::vector<ObjectId> Memory::publish(State& s, InfoId info) {
  // First find everything reachable, then settle: settling renames, and renamed objects would be missed.
  std::vector<ObjectId> found = fresh_in(info);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::vector<CellId> cells = u.objects[found[k]].cells;
    for (const CellId c : cells)
      if (const auto f = u.maps.find(s.memory, c.index()))
        for (const ObjectId o : fresh_in(form_info(s, FormId(*f), u.cells[c].size)))
          if (std::find(found.begin(), found.end(), o) == found.end()) found.push_back(o);
  }
  settling_ = found;
  for (const ObjectId o : found)
    if (u.maps.find(s.allocated, o.index()) == live || u.objects[o].kind == ObjectKind::ThreadLocal ||
        u.objects[o].kind == ObjectKind::Hidden)
      settle(s, o);
    else
      d.rename_object(s, o, u.objects[o].settled);
  settling_.clear();
  return found;
}

InfoId Memory::settled_only(InfoId info, ObjectId also) const {
  const Info in = u.infos[info];
  if (!in.addresses) return info;
  std::vector<Target> targets = u.points_to[in.addresses].targets;
  for (Target& t : targets)
    if (u.objects[t.object].fresh &&
        (t.object == also || std::find(settling_.begin(), settling_.end(), t.object) != settling_.end()))
      t.object = u.objects[t.object].settled;
  Info rest = in;
  rest.addresses = {};
  return u.with_addresses_of(u.info(rest), u.addresses(targets));
}

/// Nobody writes the cell from now on: its number has a name that every thread has for it. Where the state had another
/// one, or where another cell has given it one, both are the same number.
void Memory::name_frozen(State& s, CellId cell) {
  const FormId content(u.maps.find(s.memory, cell.index()).value_or(0));
  const Form form = u.forms[content];
  const unsigned bits = u.width_of_cell(cell);
  if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1 || !shared_.is_frozen(cell)) return;
  const SymbolId symbol = form.terms[0].symbol, frozen = u.frozen_symbol(cell);
  if (u.symbols[symbol].kind == SymbolKind::Address || frozen == symbol || !d.is_exact(s, content, bits)) return;
  const FormId named = d.define(s, frozen, d.info_of(s, content, bits));
  if (u.symbols[symbol].kind == SymbolKind::Frozen) {
    d.set_equal(s, frozen, content);
  } else if (const FormId value = u.combine(named, u.constant(form.constant), -1, 64)) {
    d.replace(s, symbol, value);
  }
}

void Memory::go_parallel(State& s) {
  if (s.parallel) return;
  const bool first = !s.was_parallel;
  // Everything fresh that shared cells lead to settles while the state still holds all of memory.
  InfoId reachable = u.any_number(8);
  u.maps.for_each(s.memory, [&](std::uint32_t c, std::uint32_t f) {
    if (!u.objects[u.cells[CellId(c)].object].fresh)
      reachable = u.with_addresses_of(reachable, form_info(s, FormId(f), u.cells[CellId(c)].size));
  });
  publish(s, reachable);
  u.maps.for_each(MapId(s.memory), [&](std::uint32_t c, std::uint32_t) {
    const Cell cell = u.cells[CellId(c)];
    if (cell.stride == 0 && !u.objects[cell.object].fresh && u.is_singleton(cell.object)) name_frozen(s, CellId(c));
  });
  const State before = s;
  u.maps.for_each(before.memory, [&](std::uint32_t c, std::uint32_t f) {
    const Cell cell = u.cells[CellId(c)];
    if (u.objects[cell.object].fresh) return;
    const bool overwrites = first && cell.stride == 0 && u.is_singleton(cell.object);
    shared_.publish(CellId(c), form_info(before, FormId(f), cell.size), overwrites);
    if (!shared_.is_owned(CellId(c), s.thread)) s.memory = u.maps.erase(s.memory, c);
  });
  if (first)
    for (std::size_t c = 0; c < u.cells.size(); ++c)
      if (!u.objects[u.cells[CellId(c)].object].fresh && !u.maps.contains(before.memory, static_cast<std::uint32_t>(c)))
        shared_.publish_initial(CellId(c));
  s.parallel = s.was_parallel = true;
}

void Memory::pass_parallel_phase(State& s) {
  if (s.parallel) return;
  go_parallel(s);
  s.parallel = false;
}

void Memory::forget(State& s) {
  const bool is_alone = !s.parallel;
  go_parallel(s);
  std::vector<Target> fresh;
  u.maps.for_each(s.allocated, [&](std::uint32_t id, std::uint32_t) {
    const Object& object = u.objects[ObjectId(id)];
    if (object.fresh && (object.kind == ObjectKind::Heap || object.kind == ObjectKind::Stack))
      fresh.push_back({ObjectId(id), 0, 0, 0});
  });
  if (!fresh.empty()) publish(s, u.addresses(std::move(fresh)));
  const MapId before = s.allocated;
  u.maps.for_each(before, [&](std::uint32_t id, std::uint32_t) {
    Object& object = u.objects[ObjectId(id)];
    if (object.kind != ObjectKind::Heap && object.kind != ObjectKind::Stack) return;
    s.allocated = u.maps.erase(s.allocated, id);
    if (object.fresh || object.many) return;
    object.many = changed_ = true;
    d.kill(s, u.address_symbol(ObjectId(id)));
  });
  s.memory = u.maps.filter(
      s.memory, [&](std::uint32_t cell, std::uint32_t) { return u.objects[u.cells[CellId(cell)].object].fresh; });
  if (is_alone) s.parallel = false;
}

}  // namespace heddle::topdown
