// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written where. Through a pointer that can only lead to one place, the cell there becomes what is written;
// through one that can lead to several, each of their cells may be any number then. What is written in more than one
// step (memset, a library) leaves any numbers on its way.
#include <algorithm>

#include "judge/transaction/thread_builder.h"
#include "program/model/first_bits.h"
#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

namespace {

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
    out.push_back({target.object, target.offset, bytes});
  }
  return out;
}

/// An access of the program, whole.
ThreadBuilder::Written ThreadBuilder::written(const Frame& frame, const Instruction& code, Operand pointer) {
  const TypeId type = code.access_type;
  const auto exact = memory(frame, pointer);
  Written out;
  std::set<VariableIndex> cells;
  for (const Region& region : regions(frame, pointer, program_.types[type].size_bytes())) {
    shop_.names.no_handle(region);
    for (const VariableIndex v : shop_.names.cells_in(region)) cells.insert(v);
    if (exact) out.region = region;
  }
  if (exact && exact->is_single() && number_bits(type) != 0) out.own = cell(*exact, type);
  if (out.own) cells.erase(*out.own);
  out.others.assign(cells.begin(), cells.end());
  if (out.own || !cells.empty()) check_order(code);
  return out;
}

void ThreadBuilder::put(const Written& to, const std::optional<LinearForm>& form, Interval range, bool wraps) {
  if (to.own) add(becomes(*to.own, form, range, wraps));
  for (const VariableIndex v : to.others) {
    const Cell& other = shop_.names.cell(v);
    std::optional<std::int64_t> part;
    if (to.region && form && form->terms.empty())
      part = part_of(form->constant, other, *to.region, program_.layout.little_endian);
    const bool is_known = part && other.range.contains(*part);
    add(becomes(v, is_known ? std::optional(LinearForm::number(*part)) : std::nullopt, other.range));
  }
}

/// Byte by byte, or however a library does it.
void ThreadBuilder::write_bytes(const Frame& frame, Operand pointer, std::optional<std::uint64_t> bytes,
                                const Content& content, bool is_handle) {
  const std::vector<Region> all = regions(frame, pointer, bytes);
  const bool is_known_handle = is_handle && memory(frame, pointer);
  std::set<VariableIndex> cells;
  for (const Region& region : all) {
    if (!is_known_handle) shop_.names.no_handle(region);
    for (const VariableIndex v : shop_.names.cells_in(region)) cells.insert(v);
  }
  if (cells.empty()) return;
  stop_here();
  for (const VariableIndex v : cells) add(Forget{v, shop_.names.cell(v).range});
  stop_here();
  const bool is_one = all.size() == 1 && all.front().offset != alias::anywhere && bytes;
  for (const VariableIndex v : cells) {
    const Cell& cell = shop_.names.cell(v);
    const bool is_covered = is_one && cell.offset >= all.front().offset &&
                            static_cast<std::uint64_t>(cell.offset - all.front().offset) + cell.bytes <= *bytes;
    const auto number = is_covered ? content(cell) : std::nullopt;
    const bool is_known = number && cell.range.contains(*number);
    add(becomes(v, is_known ? std::optional(LinearForm::number(*number)) : std::nullopt, cell.range));
  }
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
  write_bytes(frame, operands[0], bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt,
              [&](const Cell& cell) -> std::optional<std::int64_t> {
                if (!fill) return std::nullopt;
                constexpr std::uint64_t in_all = 0x0101'0101'0101'0101;
                return numeric::sign_extend((static_cast<std::uint64_t>(*fill) & 0xff) * in_all, cell.bits);
              });
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
