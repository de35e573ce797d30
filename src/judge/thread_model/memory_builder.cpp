// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written where. Through a pointer that can only lead to one place, the cell there becomes what is written;
// through one that can lead to several, each of their cells may be any number then. What is written in more than one
// step (memset, a library) leaves any numbers on its way.
#include <algorithm>
#include <utility>

#include "judge/thread_model/thread_builder.h"
#include "program/model/accessed_bytes.h"
#include "program/model/first_bits.h"
#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;  // no object has as many

/// The bytes of the cell in what is written from the region's begin on.
std::optional<std::int64_t> part_of(std::int64_t written, const Cell& cell, const Region& region, bool little_endian) {
  const std::int64_t skipped = cell.offset - region.offset;
  if (!region.bytes || *region.bytes > 8 || skipped < 0 ||
      static_cast<std::uint64_t>(skipped) + cell.bytes > *region.bytes)
    return std::nullopt;
  const std::uint64_t behind = *region.bytes - cell.bytes - static_cast<std::uint64_t>(skipped);
  const std::uint64_t by = 8 * (little_endian ? static_cast<std::uint64_t>(skipped) : behind);
  return numeric::sign_extend(static_cast<std::uint64_t>(written) >> by, cell.bits);
}

/// What the cell holds if that number is in its bytes.
std::optional<std::int64_t> content_of(const Cell& cell, std::optional<std::int64_t> number) {
  return number && cell.tells == Cell::Tells::Bit ? (*number >> cell.which) & 1 : number;
}

/// What is written begins and ends where pointers do.
bool is_in_words(std::int64_t offset, std::optional<std::uint64_t> bytes, std::uint64_t word) {
  return bytes && *bytes % word == 0 && (offset == alias::anywhere || offset % static_cast<std::int64_t>(word) == 0);
}

}  // namespace

/// Where a write through the pointer can go.
std::vector<Region> ThreadBuilder::regions(const Frame& frame, Operand pointer,
                                           std::optional<std::uint64_t> bytes) const {
  if (const auto exact = memory(frame, pointer)) return {{exact->object, exact->offset, bytes}};
  std::vector<Region> out;
  const std::vector<Target> all = targets(frame, pointer);
  if (all.empty() && !known(frame, pointer).is(0))
    throw NoModel{"it writes through a pointer of which nothing is known"};
  for (const Target& target : all) {
    if (shop_.memory.is_unknown(target.object)) throw NoModel{"it writes through a pointer that was a number"};
    if (target.is_past) continue;
    if (target.extent == 0 || !bytes)
      out.push_back({target.object, target.offset, bytes});
    else
      out.push_back({target.object, target.offset, *bytes + static_cast<std::uint64_t>(target.extent), true});
  }
  return out;
}

/// So many bytes that an access touches, if it touches a byte of the cell; none: nobody knows where it is.
std::vector<Act> ThreadBuilder::hits(const std::optional<LinearForm>& address, const Cell& cell, std::uint64_t bytes) {
  const auto from_begin =
      address ? sum(*address, LinearForm::variable(shop_.names.address(cell.object), 1, cell.offset), -1)
              : std::nullopt;
  if (!from_begin) return {};
  return {Guard{Predicate::Slt, *from_begin, LinearForm::number(static_cast<std::int64_t>(cell.bytes))},
          Guard{Predicate::Sgt, *from_begin, LinearForm::number(-static_cast<std::int64_t>(bytes))}};
}

/// An access of the program, whole: one way for each place where it can be.
std::vector<ThreadBuilder::Written> ThreadBuilder::written(const Frame& frame, const Instruction& code,
                                                           Operand pointer) {
  note_order(frame, code, pointer);
  const TypeId type = code.access_type;
  const std::uint64_t bytes = accessed_bytes(program_.types[type]);
  const auto exact = memory(frame, pointer);
  const std::optional<LinearForm> address = number(frame, pointer);
  std::vector<Written> out;
  bool is_elsewhere = false;
  for (const Region& region : regions(frame, pointer, bytes)) {
    shop_.names.no_handle(region);
    if (code.opcode == Opcode::Store)
      shop_.names.holds(region, targets(frame, frame.function->operands_of(code)[0]));
    else
      shop_.names.holds_anything(region);
    const bool is_single = exact ? exact->is_single() : shop_.memory.is_single(region.object);
    const std::vector<VariableIndex> cells = is_single ? shop_.names.cells_in(region) : std::vector<VariableIndex>{};
    if (region.offset == alias::anywhere || region.is_part) {
      is_elsewhere = true;
      for (const VariableIndex v : cells) {
        Written& hit = out.emplace_back();
        hit.if_there = hits(address, shop_.names.cell(v), bytes);
        // Others that the same bytes may touch.
        const Cell& cell = shop_.names.cell(v);
        hit.others =
            shop_.names.cells_in({cell.object, cell.offset - static_cast<std::int64_t>(bytes), cell.bytes + 2 * bytes});
      }
      continue;
    }
    Written& way = out.emplace_back();
    way.region = region;
    if (is_single && number_bits(type) != 0)
      way.own = cell(Memory{.object = region.object, .offset = region.offset}, type);
    way.others = cells;
    if (way.own) std::erase(way.others, *way.own);
    if (way.is_nothing()) {
      out.pop_back();
      is_elsewhere = true;
    } else if (const auto from =
                   address && !exact
                       ? sum(*address, LinearForm::variable(shop_.names.address(region.object), 1, region.offset), -1)
                       : std::nullopt) {
      way.if_there = {Guard{Predicate::Eq, *from, LinearForm::number(0)}};
    }
  }
  if (is_elsewhere && !out.empty()) out.emplace_back();
  out = with_element(frame, code, pointer, std::move(out));
  check_order(code, out);
  if (out.size() > most_places) return {anywhere_of(out)};
  return out;
}

/// Any of them, or none.
ThreadBuilder::Written ThreadBuilder::anywhere_of(const std::vector<Written>& all) {
  std::set<VariableIndex> cells;
  for (const Written& one : all) {
    if (one.own) cells.insert(*one.own);
    if (one.element) cells.insert(*one.element);
    cells.insert(one.others.begin(), one.others.end());
  }
  Written out;
  out.others.assign(cells.begin(), cells.end());
  return out;
}

void ThreadBuilder::put(const Written& to, const std::optional<LinearForm>& form, Interval range, bool wraps,
                        const std::vector<BitOfCell>& bits) {
  // Where a cell becomes what it was and more, the other one is the same, and was.
  if (to.own && shop_.names.is_weak(*to.own))
    put_weak(*to.own, form);
  else if (to.own)
    add(becomes(*to.own, form, range, wraps));
  if (to.element) add(becomes(*to.element, to.own ? std::optional(LinearForm::variable(*to.own)) : form, range, wraps));
  for (const VariableIndex v : to.others) {
    const Cell& other = shop_.names.cell(v);
    if (other.tells == Cell::Tells::HasBeen) {
      if (!to.own || !shop_.names.is_same_place(v, *to.own)) shop_.names.lose_cell(v);
      continue;
    }
    if (const auto bit = std::ranges::find(bits, v, &BitOfCell::variable); bit != bits.end()) {
      add(Assign{v, bit->form, other.range, false});
      continue;
    }
    std::optional<std::int64_t> part;
    if (to.region && form && form->terms.empty() && !other.row && !other.tells_which())
      part = content_of(other, part_of(form->constant, number_in(other), *to.region, program_.layout.little_endian));
    const bool is_known = part && other.range.contains(*part);
    add(becomes(v, is_known ? std::optional(LinearForm::number(*part)) : std::nullopt, other.range));
  }
}

/// It is that number from now on, and has been it for ever.
void ThreadBuilder::put_weak(VariableIndex cell, const std::optional<LinearForm>& form) {
  if (!form || !form->terms.empty()) return shop_.names.lose_cell(cell);
  shop_.names.hold(cell, form->constant);
  if (const auto been = shop_.names.has_been(cell, form->constant))
    add(Assign{*been, LinearForm::number(1), {0, 1}, false});
}

/// Each way on an edge of its own, behind what is collected already.
template <class Do>
void ThreadBuilder::on_each_way(const std::vector<Written>& ways, const Do& act) {
  const std::vector<Act> before = std::exchange(acts_, {});
  const PointIndex from = at_, behind = point();
  for (const Written& way : ways) {
    at_ = from;
    acts_ = before;
    acts_.insert(acts_.end(), way.if_there.begin(), way.if_there.end());
    act(way);
    connect(at_, behind, std::exchange(acts_, {}));
  }
  at_ = behind;
}

void ThreadBuilder::load(Frame& frame, std::uint32_t index, const Instruction& code) {
  const Operand pointer = frame.function->operands_of(code)[0];
  visit(frame, index, pointer, accessed_bytes(program_.types[code.type]));
  note_order(frame, code, pointer);
  if (number_bits(code.type) == 0) return;
  std::vector<Written> from;
  bool is_elsewhere = false;
  const auto look_at = [&](const Memory& place, std::vector<Act> if_there) {
    const auto source = place.is_single() ? cell(place, code.type) : std::nullopt;
    if (source && shop_.names.is_weak(*source))
      is_elsewhere |= !read_weak(*source, if_there, from);
    else if (source)
      from.push_back({.own = source, .if_there = std::move(if_there)});
    else
      is_elsewhere = true;
  };
  if (const auto exact = memory(frame, pointer)) {
    look_at(*exact, {});
  } else {
    const std::optional<LinearForm> address = number(frame, pointer);
    for (const Target& target : targets(frame, pointer)) {
      if (target.is_past) continue;
      if (!target.is_exact() || !shop_.memory.is_single(target.object)) {
        is_elsewhere = true;
        continue;
      }
      const auto distance =
          address ? sum(*address, LinearForm::variable(shop_.names.address(target.object), 1, target.offset), -1)
                  : std::nullopt;
      look_at({.object = target.object, .offset = target.offset},
              distance ? std::vector<Act>{Guard{Predicate::Eq, *distance, LinearForm::number(0)}} : std::vector<Act>{});
    }
  }
  const auto read = [&](const Written& way) {
    if (way.number)
      result(frame, index, LinearForm::number(*way.number), false);
    else if (way.cell())
      result(frame, index, LinearForm::variable(*way.cell()), false);
    else
      any_result(frame, index);
    tell_read(frame, index, way.number ? std::nullopt : way.cell());
    tell_read_bits(frame, index, way.number ? std::nullopt : way.cell(), way.number);
  };
  if (from.size() > most_places) from.clear();
  if (is_elsewhere || from.empty()) from.emplace_back();
  if (const auto spot = lead(frame, pointer, accessed_bytes(program_.types[code.type])).only()) {
    const auto field = shop_.names.field(*spot, accessed_bytes(program_.types[code.type]), number_bits(code.type),
                                         number_range(code.type));
    const auto form = is_it(frame, pointer);
    if (field) {
      for (Written& way : from) {
        const std::vector<Act> guards = if_it(form, false);
        way.if_there.insert(way.if_there.end(), guards.begin(), guards.end());
      }
      from.push_back({.element = field, .if_there = if_it(form, true)});
    }
  }
  if (from.size() == 1 && !from[0].cell()) return read(from[0]);
  check_order(code, from);
  stop_once();
  from.size() == 1 ? read(from[0]) : on_each_way(from, read);
}

/// A way for each number that was ever there. False: nobody knows them.
bool ThreadBuilder::read_weak(VariableIndex cell, const std::vector<Act>& if_there, std::vector<Written>& ways) {
  const auto numbers = shop_.names.held(cell);
  if (!numbers) return false;
  for (const std::int64_t number : *numbers) {
    Written& way = ways.emplace_back(Written{.own = cell, .if_there = if_there, .number = number});
    if (const auto been = shop_.names.has_been(cell, number))
      way.if_there.emplace_back(Guard{Predicate::Eq, LinearForm::variable(*been), LinearForm::number(1)});
  }
  return true;
}

/// Whoever reads it reads what is there now.
bool ThreadBuilder::is_strong(const Instruction& code) const {
  const auto is = [](AtomicOrder order) { return order == AtomicOrder::NotAtomic || order == AtomicOrder::SeqCst; };
  const bool fails_strong = code.opcode != Opcode::CmpXchg || is(static_cast<AtomicOrder>(code.detail));
  return (is(code.order) && fails_strong) || shop_.models.has_sequential_atomics(program_);
}

/// Whoever reads what a store with release left, with acquire, comes behind it; but others may read what was there
/// before for as long as they like. Of any other order but the strongest nothing is known.
void ThreadBuilder::note_order(const Frame& frame, const Instruction& code, Operand pointer) {
  if (is_strong(code)) return;
  const std::uint64_t bytes = accessed_bytes(program_.types[code.access_type]);
  const bool publishes = (code.opcode == Opcode::Load && code.order == AtomicOrder::Acquire) ||
                         (code.opcode == Opcode::Store && code.order == AtomicOrder::Release);
  std::vector<Target> all;
  if (const auto exact = memory(frame, pointer))
    all.push_back({exact->object, exact->offset});
  else
    all = targets(frame, pointer);
  for (const Target& target : all) {
    if (target.is_past) continue;
    const Region region{
        .object = target.object, .offset = target.is_exact() ? target.offset : alias::anywhere, .bytes = bytes};
    publishes&& target.is_exact() ? shop_.names.weaken(region) : shop_.names.lose_cells(region);
  }
  shop_.names.lose_fields(lead(frame, pointer, bytes), bytes);
}

/// All that is not of the strongest order was noted.
void ThreadBuilder::check_order(const Instruction& code, const std::vector<Written>& ways) const {
  if (shop_.is_first || is_strong(code)) return;
  for (const Written& way : ways) {
    const bool is_weak = !way.own || shop_.names.is_weak(*way.own);
    if (!is_weak || way.element) throw NoModel{"it has atomic accesses that are not sequentially consistent"};
  }
}

void ThreadBuilder::store(Frame& frame, const Instruction& code) {
  const auto index = static_cast<std::uint32_t>(&code - frame.function->instructions.data());
  const auto operands = frame.function->operands_of(code);
  visit(frame, index, operands[1], accessed_bytes(program_.types[code.access_type]));
  const std::vector<Written> to = written(frame, code, operands[1]);
  if (to.empty()) return;
  stop_once();
  const bool is_number = number_bits(code.access_type) != 0;
  const auto form = is_number ? number(frame, operands[0]) : std::nullopt;
  const auto write = [&](const Written& way) {
    put(way, form, number_range(code.access_type), false, bits_behind(frame, code, way));
    tell_written(frame, code, way);
  };
  to.size() == 1 ? write(to[0]) : on_each_way(to, write);
}

void ThreadBuilder::update(Frame& frame, std::uint32_t index, const Instruction& code) {
  const auto operands = frame.function->operands_of(code);
  visit(frame, index, operands[0], accessed_bytes(program_.types[code.access_type]));
  const std::vector<Written> to = written(frame, code, operands[0]);
  if (to.empty()) return any_result(frame, index);
  stop_once();
  const auto value = number(frame, operands[1]);
  const auto write = [&](const Written& way) {
    if (!way.cell() || shop_.names.is_weak(*way.cell())) {
      any_result(frame, index);
      return put(way, std::nullopt, number_range(code.access_type));
    }
    const LinearForm before = LinearForm::variable(*way.cell());
    result(frame, index, before, false);
    tell_read_bits(frame, index, way.cell());
    std::optional<LinearForm> next;
    if (value && code.rmw_op() == RmwOp::Xchg) next = value;
    if (value && code.rmw_op() == RmwOp::Add) next = sum(before, *value);
    if (value && code.rmw_op() == RmwOp::Sub) next = sum(before, *value, -1);
    put(way, next, number_range(code.type), true, bits_behind(frame, code, way));
  };
  to.size() == 1 ? write(to[0]) : on_each_way(to, write);
}

/// Two edges: it was what was expected, or not. Part 0 of the result is what was there, part 1 whether it was
/// exchanged.
void ThreadBuilder::exchange(Frame& frame, std::uint32_t index, const Instruction& code) {
  const auto operands = frame.function->operands_of(code);
  visit(frame, index, operands[0], accessed_bytes(program_.types[code.access_type]));
  const Interval range = number_range(code.access_type);
  const VariableIndex before = local(frame, index, 1), done = local(frame, index, 2);
  const std::vector<Written> to = written(frame, code, operands[0]);
  if (!to.empty()) stop_once();
  const auto exchange_there = [&](const Written& way) {
    if (!way.cell() || shop_.names.is_weak(*way.cell())) {
      put(way, std::nullopt, range);  // any number is also the one that was there
      if (number_bits(code.access_type) != 0) add(Forget{before, range});
      return add(Forget{done, {0, 1}});
    }
    const auto expected = number(frame, operands[1]), desired = number(frame, operands[2]);
    add(Assign{before, LinearForm::variable(*way.cell()), range, false});
    std::vector<Act> bad = acts_;
    if (expected) add(Guard{Predicate::Eq, LinearForm::variable(before), *expected});
    put(way, desired, range);
    add(Assign{done, LinearForm::number(1), {0, 1}, false});
    if (expected && !code.has_flag(Instruction::weak))
      bad.push_back(Guard{Predicate::Ne, LinearForm::variable(before), *expected});
    bad.push_back(Assign{done, LinearForm::number(0), {0, 1}, false});
    const PointIndex behind = point();
    connect(at_, behind, std::move(acts_));
    connect(at_, behind, std::move(bad));
    at_ = behind;
    acts_ = {};
  };
  if (to.size() > 1) return on_each_way(to, exchange_there);
  exchange_there(to.empty() ? Written() : to[0]);
}

/// Byte by byte, or however a library does it.
void ThreadBuilder::write_bytes(const Frame& frame, Operand pointer, std::optional<std::uint64_t> bytes,
                                const Content& content, Leaves leaves) {
  const std::vector<Region> all = regions(frame, pointer, bytes);
  const bool is_known_handle = leaves == Leaves::Handle && memory(frame, pointer);
  std::set<VariableIndex> cells;
  for (const Region& region : all) {
    if (!is_known_handle) shop_.names.no_handle(region);
    // Zeroes that are only a part of a pointer leave another one.
    const bool leaves_null =
        leaves == Leaves::Null && is_in_words(region.offset, bytes, program_.layout.pointer_bits / 8);
    if (leaves != Leaves::Handle && !leaves_null) shop_.names.holds_anything(region);
    for (const VariableIndex v : shop_.names.cells_in(region)) cells.insert(v);
  }
  // Of the element that is followed, if it is that one or not.
  const std::vector<VariableIndex> fields =
      shop_.names.fields_in(lead(frame, pointer, bytes.value_or(most_bytes)), bytes);
  const auto forget_fields = [&] {
    for (const VariableIndex v : fields) add(Forget{v, shop_.names.cell(v).range});
  };
  if (cells.empty() && fields.empty()) return;
  stop_here();
  for (const VariableIndex v : cells)
    if (shop_.names.cell(v).tells != Cell::Tells::HasBeen) add(Forget{v, shop_.names.cell(v).range});
  forget_fields();
  stop_here();
  const bool is_one = all.size() == 1 && all.front().offset != alias::anywhere && !all.front().is_part && bytes;
  for (const VariableIndex v : cells) {
    const Cell& cell = shop_.names.cell(v);
    const bool is_covered = is_one && cell.offset >= all.front().offset &&
                            static_cast<std::uint64_t>(cell.offset - all.front().offset) + cell.bytes <= *bytes;
    const auto number = is_covered && !cell.tells_which() ? content_of(cell, content(number_in(cell))) : std::nullopt;
    if (cell.tells == Cell::Tells::HasBeen) {
      put_weak(v, number ? std::optional(LinearForm::number(*number)) : std::nullopt);
      continue;
    }
    const bool is_known = number && cell.range.contains(*number);
    add(becomes(v, is_known ? std::optional(LinearForm::number(*number)) : std::nullopt, cell.range));
  }
  forget_fields();
  stop_here();
}

std::optional<std::int64_t> ThreadBuilder::constant(const Frame& frame, Operand operand) const {
  const auto form = number(frame, operand);
  return form && form->terms.empty() ? std::optional(form->constant) : std::nullopt;
}

void ThreadBuilder::set_bytes(const Frame& frame, std::uint32_t index, const Instruction& code) {
  visit(frame, index);
  const auto operands = frame.function->operands_of(code);
  const auto fill = constant(frame, operands[1]), bytes = constant(frame, operands[2]);
  write_bytes(
      frame, operands[0], bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt,
      [&](const Cell& cell) -> std::optional<std::int64_t> {
        if (!fill) return std::nullopt;
        constexpr std::uint64_t in_all = 0x0101'0101'0101'0101;
        return numeric::sign_extend((static_cast<std::uint64_t>(*fill) & 0xff) * in_all, cell.bits);
      },
      fill == 0 ? Leaves::Null : Leaves::Data);
}

/// What stands in a constant is known; what else is copied is any number.
void ThreadBuilder::copy_bytes(const Frame& frame, std::uint32_t index, const Instruction& code) {
  visit(frame, index);
  const auto operands = frame.function->operands_of(code);
  const auto bytes = constant(frame, operands[2]);
  const auto from = memory(frame, operands[1]), to = memory(frame, operands[0]);
  write_bytes(frame, operands[0], bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt,
              [&](const Cell& cell) -> std::optional<std::int64_t> {
                if (!from || !to || !from->is_single()) return std::nullopt;
                const alias::PointedObject& source = shop_.memory.object(from->object);
                if (source.kind != alias::PointedObject::Kind::Global || !program_.globals[source.global].is_constant)
                  return std::nullopt;
                const auto bits = first_bits(program_, program_.globals[source.global],
                                             from->offset + (cell.offset - to->offset), cell.bytes);
                return bits ? std::optional(numeric::sign_extend(*bits, cell.bits)) : std::nullopt;
              });
}

}  // namespace heddle::judge::transaction
