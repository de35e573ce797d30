// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_model/names.h"

#include <algorithm>
#include <utility>

#include "api/action.h"
#include "program/model/first_bits.h"

namespace heddle::judge::transaction {

std::optional<VariableIndex> Names::cell(const Memory& memory, std::uint64_t bytes, unsigned bits, Interval range) {
  const Cell cell{.object = memory.object, .offset = memory.offset, .bytes = bytes, .bits = bits, .range = range};
  if (rows_.number_at(memory.object, memory.offset)) return std::nullopt;
  const std::uint64_t size = memory_.size(memory.object);
  const bool is_inside =
      memory.offset >= 0 && bytes <= 8 && (size == 0 || static_cast<std::uint64_t>(memory.offset) + bytes <= size);
  return is_inside && !is_lost(cell) ? wanted_number_of(cell) : std::nullopt;
}

std::optional<VariableIndex> Names::field(Rows::Spot spot, std::uint64_t bytes, unsigned bits, Interval range) {
  const Cell cell{.object = rows_.row(spot.row).object,
                  .offset = spot.field,
                  .bytes = bytes,
                  .bits = bits,
                  .range = range,
                  .row = spot.row};
  return bytes <= 8 && !is_lost(cell) ? wanted_number_of(cell) : std::nullopt;
}

void Names::lose_fields(const Rows::Lead& lead, std::uint64_t bytes) {
  for (const RowIndex row : lead.rows) {
    const auto spot = std::ranges::find(lead.spots, row, &Rows::Spot::row);
    LostField& lost = lost_fields_.emplace_back(row);
    if (spot != lead.spots.end())
      lost.bytes = Region{.object = rows_.row(row).object, .offset = spot->field, .bytes = bytes};
  }
}

bool Names::is_lost(const Cell& cell) const {
  if (cell.row)
    return std::ranges::any_of(lost_fields_, [&](const LostField& lost) {
      return lost.row == *cell.row && (!lost.bytes || lost.bytes->has_byte_of(cell.object, cell.offset, cell.bytes));
    });
  return std::ranges::any_of(
      lost_cells_, [&](const Region& lost) { return lost.has_byte_of(cell.object, cell.offset, cell.bytes); });
}

VariableIndex Names::is_element(std::int64_t number) {
  return number_of({.offset = number, .bits = 1, .range = {0, 1}, .is_element = true});
}

VariableIndex Names::whether_argument_is_it(ThreadIndex thread) {
  return number_of({.bits = 1, .thread = thread, .range = {0, 1}, .tells = Cell::Tells::WhetherPointerIsIt});
}

namespace {

Cell telling(Cell cell, bool is_pointer) {
  cell.bits = 1;
  cell.range = {0, 1};
  cell.tells = is_pointer ? Cell::Tells::WhetherPointerIsIt : Cell::Tells::WhetherIndexIsIt;
  return cell;
}

}  // namespace

std::optional<VariableIndex> Names::whether_it(VariableIndex cell, bool is_pointer) {
  return wanted_number_of(telling(cells_[cell], is_pointer));
}

std::optional<VariableIndex> Names::whether_it_is_known(VariableIndex cell, bool is_pointer) const {
  const auto known = cell_numbers_.find(telling(cells_[cell], is_pointer));
  return known == cell_numbers_.end() ? std::nullopt : std::optional(known->second);
}

namespace {

/// Of one of its bits, or numbers.
Cell told_of(Cell cell, Cell::Tells tells, std::int64_t which) {
  cell.bits = 1;
  cell.range = {0, 1};
  cell.tells = tells;
  cell.which = which;
  return cell;
}

}  // namespace

std::optional<VariableIndex> Names::bit(VariableIndex cell, unsigned position) {
  return wanted_number_of(told_of(cells_[cell], Cell::Tells::Bit, position));
}

bool Names::is_weak(VariableIndex cell) const {
  const Cell& it = cells_[cell];
  return !it.row && std::ranges::any_of(
                        weak_, [&](const Region& weak) { return weak.has_byte_of(it.object, it.offset, it.bytes); });
}

std::optional<std::set<std::int64_t>> Names::held(VariableIndex cell) const {
  constexpr std::size_t most = 6;
  const Cell& it = cells_[cell];
  const auto first = initial(number_in(it));
  // Somebody knows the same bytes as another number, or a part of them.
  const bool is_whole = std::ranges::all_of(weak_, [&](const Region& weak) {
    return !weak.has_byte_of(it.object, it.offset, it.bytes) ||
           (weak.offset == it.offset && weak.bytes == it.bytes && !weak.is_part);
  });
  if (!first || !is_whole || is_lost(it)) return std::nullopt;
  std::set<std::int64_t> out{*first};
  if (const auto known = held_.find(place_of(it)); known != held_.end())
    out.insert(known->second.begin(), known->second.end());
  return out.size() > most ? std::nullopt : std::optional(out);
}

std::optional<VariableIndex> Names::has_been(VariableIndex cell, std::int64_t number) {
  return wanted_number_of(told_of(cells_[cell], Cell::Tells::HasBeen, number));
}

void Names::lose_cell(VariableIndex cell) {
  const Cell& it = cells_[cell];
  lose_cells({.object = it.object, .offset = it.offset, .bytes = it.bytes});
}

std::vector<Names::BitCell> Names::bits_of(VariableIndex cell, std::uint64_t mask) const {
  std::vector<BitCell> out;
  for (unsigned position = 0; mask != 0; ++position, mask >>= 1) {
    if ((mask & 1) == 0) continue;
    const auto known = cell_numbers_.find(told_of(cells_[cell], Cell::Tells::Bit, position));
    if (known != cell_numbers_.end()) out.push_back({position, known->second});
  }
  return out;
}

std::optional<VariableIndex> Names::wanted_number_of(const Cell& cell) {
  return is_closed_ && !cell_numbers_.contains(cell) ? std::nullopt : std::optional(number_of(cell));
}

VariableIndex Names::address(ObjectIndex object) { return number_of({.object = object}); }

VariableIndex Names::argument(ThreadIndex thread) { return number_of({.thread = thread}); }

VariableIndex Names::number_of(const Cell& cell) {
  const auto [it, is_new] = cell_numbers_.try_emplace(cell, static_cast<VariableIndex>(cells_.size()));
  if (is_new) cells_.push_back(cell);
  return it->second;
}

std::vector<VariableIndex> Names::cells_in(const Region& region) const {
  std::vector<VariableIndex> out;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].bytes != 0 && !cells_[i].row &&
        region.has_byte_of(cells_[i].object, cells_[i].offset, cells_[i].bytes))
      out.push_back(static_cast<VariableIndex>(i));
  return out;
}

std::vector<VariableIndex> Names::fields_in(const Rows::Lead& lead, std::optional<std::uint64_t> bytes) const {
  std::vector<VariableIndex> out;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (!cell.row || !std::ranges::count(lead.rows, *cell.row)) continue;
    const auto spot = std::ranges::find(lead.spots, *cell.row, &Rows::Spot::row);
    const bool is_touched = spot == lead.spots.end() || !bytes ||
                            Region{.object = cell.object, .offset = spot->field, .bytes = bytes}.has_byte_of(
                                cell.object, cell.offset, cell.bytes);
    if (is_touched) out.push_back(static_cast<VariableIndex>(i));
  }
  return out;
}

bool Names::has_cells(ObjectIndex object) const {
  return std::ranges::any_of(cells_, [&](const Cell& cell) { return cell.bytes != 0 && cell.object == object; });
}

void Names::keep(const std::set<VariableIndex>& wanted) {
  const std::vector<Cell> before = std::exchange(cells_, {});
  cell_numbers_.clear();
  for (const VariableIndex variable : wanted)
    if (before[variable].bytes != 0) (void)number_of(before[variable]);
  // Who wants to know something of a cell finds it by the cell.
  for (const VariableIndex variable : wanted)
    for (const Cell& cell : before) {
      const Cell& part = before[variable];
      const bool is_part = part.tells == Cell::Tells::Bit || part.tells == Cell::Tells::HasBeen;
      if (is_part && cell.tells == Cell::Tells::Number && cell.bytes != 0 &&
          told_of(cell, part.tells, part.which) == part)
        (void)number_of(cell);
    }
  is_closed_ = true;
  forget_building();
}

void Names::forget_building() {
  known_contents_ = std::exchange(contents_, {});
  known_unknown_ = std::exchange(unknown_contents_, {});
  is_built_ = true;
  lost_locks_.clear();
  lost_rows_.clear();
  are_locks_lost_ = false;
  lock_names_.clear();
  lock_numbers_.clear();
  handles_.clear();
  no_handles_.clear();
  null_handles_.clear();
}

void Names::holds(const Region& region, const std::vector<Target>& targets) {
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  if (region.offset == alias::anywhere || region.is_part || region.bytes != word) return holds_anything(region);
  contents_[{region.object, region.offset}].insert(targets.begin(), targets.end());
}

std::optional<std::vector<Target>> Names::contents(const Memory& memory) const {
  if (!is_built_ || !memory.is_single()) return std::nullopt;
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  for (const Region& region : known_unknown_)
    if (region.has_byte_of(memory.object, memory.offset, word)) return std::nullopt;
  const auto size = static_cast<std::int64_t>(word);
  // Words that overlap this one are no pointers that anybody could use, and nor is it.
  for (auto it = known_contents_.lower_bound({memory.object, memory.offset - size + 1});
       it != known_contents_.end() && it->first.object == memory.object && it->first.offset < memory.offset + size;
       ++it)
    if (it->first.offset != memory.offset) return std::nullopt;
  std::set<Target> out;
  if (const auto known = known_contents_.find({memory.object, memory.offset}); known != known_contents_.end())
    out = known->second;
  const alias::PointedObject& object = memory_.object(memory.object);
  if (object.kind == alias::PointedObject::Kind::Global)
    for (const Relocation& relocation : program_.globals[object.global].relocations) {
      const auto at = static_cast<std::int64_t>(relocation.offset);
      if (at >= memory.offset + size || at + size <= memory.offset) continue;
      if (at != memory.offset || !relocation.target.is_global()) return std::nullopt;
      const auto target = memory_.of(relocation.target.as_global());
      if (!target) return std::nullopt;
      out.insert({*target, relocation.addend});
    }
  return std::vector<Target>(out.begin(), out.end());
}

bool Names::is_made_zero(const alias::PointedObject& object) const {
  if (!object.context) return false;
  const Function& f = program_.functions[object.function];
  const Operand callee = f.operands_of(f.instructions[object.instruction])[0];
  const api::Model* model =
      callee.is_function() ? models_.find(program_.functions[callee.as_function()].name) : nullptr;
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           const auto make = api::get<api::MakeMemory>(effect);
           return make && make->zeroed;
         });
}

/// What stands there at first. None: that is not known, or it is an address.
std::optional<std::int64_t> Names::initial(const Cell& cell) const {
  if (cell.bytes == 0) return std::nullopt;
  if (cell.tells == Cell::Tells::WhetherIndexIsIt) return std::nullopt;
  if (cell.tells == Cell::Tells::WhetherPointerIsIt) {
    return initial(number_in(cell)) == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  if (cell.tells == Cell::Tells::Bit) {
    const auto number = initial(number_in(cell));
    return number ? std::optional((*number >> cell.which) & 1) : std::nullopt;
  }
  if (cell.tells == Cell::Tells::HasBeen) return initial(number_in(cell)) == cell.which ? 1 : 0;
  if (cell.row) {
    // Of any element: what all have.
    const Rows::Row& row = rows_.row(*cell.row);
    const auto size = static_cast<std::int64_t>(memory_.size(row.object));
    std::optional<std::int64_t> common;
    for (std::int64_t at = row.offset - (row.offset - std::max<std::int64_t>(row.begin, 0)) / row.stride * row.stride;
         at + row.stride <= std::min(row.end, size); at += row.stride) {
      Cell one = cell;
      one.row.reset();
      one.offset = at + cell.offset;
      const auto number = initial(one);
      if (!number || (common && *common != *number)) return std::nullopt;
      common = number;
    }
    return common;
  }
  const alias::PointedObject& object = memory_.object(cell.object);
  if (object.kind == alias::PointedObject::Kind::Made && is_made_zero(object)) return 0;
  if (object.kind != alias::PointedObject::Kind::Global) return std::nullopt;
  const auto bits = first_bits(program_, program_.globals[object.global], cell.offset, cell.bytes);
  if (!bits) return std::nullopt;
  const std::int64_t number = numeric::sign_extend(*bits, cell.bits);
  return cell.range.contains(number) ? number : static_cast<std::int64_t>(*bits);
}

std::vector<SharedVariable> Names::shared() const {
  std::vector<SharedVariable> out;
  for (const Cell& cell : cells_)
    out.push_back({text(cell), initial(cell), cell.range, cell.is_element || cell.tells_which()});
  return out;
}

std::string Names::text(const Cell& cell) const {
  if (cell.is_element) return "it is element " + std::to_string(cell.offset);
  if (cell.tells == Cell::Tells::Bit) return "bit " + std::to_string(cell.which) + " of " + text(number_in(cell));
  if (cell.tells == Cell::Tells::HasBeen) return text(number_in(cell)) + " has been " + std::to_string(cell.which);
  if (cell.tells != Cell::Tells::Number) return "it is that of " + text(number_in(cell));
  if (cell.row) return text(Rows::Spot{*cell.row, cell.offset});
  if (cell.thread) return "the argument of thread " + std::to_string(*cell.thread);
  return (cell.bytes == 0 ? "&" : "") + text(Memory{.object = cell.object, .offset = cell.offset});
}

std::string Names::text(const Memory& memory) const {
  std::string out = memory_.name(memory.object);
  if (memory.offset != 0) out += "+" + std::to_string(memory.offset);
  return out;
}

std::string Names::text(Rows::Spot spot) const {
  const Rows::Row& row = rows_.row(spot.row);
  return "an element of " + text(Memory{.object = row.object, .offset = row.offset}) + ", +" +
         std::to_string(spot.field);
}

LockIndex Names::lock(const Memory& memory) { return lock_of({.memory = memory}, text(memory)); }

LockIndex Names::lock(const std::string& name) { return lock_of({.name = name}, name); }

LockIndex Names::lock(Rows::Spot spot) { return lock_of({.spot = spot}, text(spot)); }

/// Two variables may have one name, in two units.
LockIndex Names::lock_of(const LockName& lock, const std::string& name) {
  const auto [it, is_new] = lock_numbers_.try_emplace(lock, static_cast<LockIndex>(lock_names_.size()));
  if (is_new) lock_names_.push_back(name);
  return it->second;
}

std::set<LockIndex> Names::lost_locks() const {
  std::set<LockIndex> out;
  for (const auto& [lock, number] : lock_numbers_) {
    if (lock.spot && (are_locks_lost_ || lost_rows_.contains(lock.spot->row))) out.insert(number);
    if (!lock.memory) continue;
    const Memory& memory = *lock.memory;
    const bool is_lost = std::ranges::any_of(lost_locks_, [&](const Target& target) {
      return target.object == memory.object &&
             (target.offset == alias::anywhere ||
              (target.offset <= memory.offset && memory.offset <= target.offset + target.extent));
    });
    if (are_locks_lost_ || is_lost) out.insert(number);
  }
  return out;
}

std::optional<ThreadIndex> Names::thread_of(const Memory& memory, bool may_be_null) const {
  const auto found = handles_.find(memory);
  if (found == handles_.end() || found->second.size() != 1) return std::nullopt;
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  const auto is_there = [&](const Region& other) { return other.has_byte_of(memory.object, memory.offset, word); };
  if (std::ranges::any_of(no_handles_, is_there)) return std::nullopt;
  if (!may_be_null && std::ranges::any_of(null_handles_, is_there)) return std::nullopt;
  return *found->second.begin();
}

}  // namespace heddle::judge::transaction
