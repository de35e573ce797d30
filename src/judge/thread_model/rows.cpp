// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_model/rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace heddle::judge::transaction {

namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max() / 4;

std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

/// The only stride of an address that is computed with one index.
std::optional<std::int64_t> only_stride(const Function& f, const Instruction& code) {
  if (code.opcode != Opcode::Gep || !code.has_flag(Instruction::in_bounds)) return std::nullopt;
  const GepInfo& gep = f.geps[code.extra];
  if (gep.strides.size() != 1 || gep.strides.front() <= 0) return std::nullopt;
  return gep.strides.front();
}

/// Calls of functions with a body by their name, and what they return.
struct Callers {
  struct Site {
    FunctionId caller;
    const Instruction* call;
  };
  std::vector<std::vector<Site>> of;

  explicit Callers(const Program& program) : of(program.functions.size()) {
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      const Function& f = program.functions[FunctionId(i)];
      for (const Instruction& code : f.instructions) {
        if (!code.is_call()) continue;
        const Operand callee = f.operands_of(code)[0];
        if (callee.is_function()) of[callee.as_function().index()].push_back({FunctionId(i), &code});
      }
    }
  }
};

}  // namespace

Rows::Rows(const Program& program, const PointedMemory& memory) : memory_(&memory) {
  find_rows(program);
  if (!rows_.empty()) find_followed(program);
}

void Rows::find_rows(const Program& program) {
  std::map<std::tuple<ObjectIndex, std::int64_t, std::int64_t>, std::pair<std::int64_t, std::int64_t>> found;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& f = program.functions[FunctionId(i)];
    for (std::size_t at = 0; at < f.instructions.size(); ++at) {
      const Instruction& code = f.instructions[at];
      const auto stride = only_stride(f, code);
      if (!stride) continue;
      const auto elements = memory_->points().targets(FunctionId(i), Operand::value(f.result_of(at)));
      for (const Target& base : memory_->points().targets(FunctionId(i), f.operands_of(code)[0])) {
        if (!base.is_exact() || base.is_past || !memory_->is_single(base.object)) continue;
        const std::int64_t offset = base.offset + f.geps[code.extra].constant_offset;
        auto& [begin, end] = found.try_emplace({base.object, offset, *stride}, offset, offset + *stride).first->second;
        for (const Target& element : elements) {
          if (element.object != base.object || element.is_past) continue;
          const bool is_anywhere = element.offset == alias::anywhere;
          begin = is_anywhere ? -no_end : std::min(begin, element.offset);
          end = is_anywhere ? no_end : std::max(end, element.offset + element.extent + *stride);
        }
      }
    }
  }
  std::vector<Row> all;
  for (const auto& [row, range] : found) {
    const auto& [object, offset, stride] = row;
    all.push_back({object, offset, stride, range.first, range.second});
  }
  std::ranges::sort(all, {}, [](const Row& row) { return std::tuple(-row.stride, row.object, row.offset); });
  for (const Row& row : all)
    if (std::ranges::none_of(rows_, [&](const Row& other) {
          return other.object == row.object && row.begin < other.end && other.begin < row.end;
        }))
      rows_.push_back(row);
}

/// Pointers of which the field is known, and numbers on their way to an index.
void Rows::find_followed(const Program& program) {
  followed_.resize(program.functions.size());
  std::vector<std::pair<FunctionId, ValueId>> work;
  const auto follow = [&](FunctionId function, Operand operand) {
    if (!operand.is_value() || followed_[function.index()][operand.as_value().index()]) return;
    followed_[function.index()][operand.as_value().index()] = true;
    work.emplace_back(function, operand.as_value());
  };
  const auto is_number = [&](TypeId type) { return type.valid() && program.types[type].kind == TypeKind::Int; };
  for (std::size_t i = 0; i < program.functions.size(); ++i)
    followed_[i].resize(program.functions[FunctionId(i)].value_count());
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& f = program.functions[FunctionId(i)];
    for (std::size_t at = 0; at < f.instructions.size(); ++at) {
      const Instruction& code = f.instructions[at];
      if (only_stride(f, code)) follow(FunctionId(i), f.operands_of(code)[1]);
      if (!code.type.valid() || program.types[code.type].kind != TypeKind::Pointer) continue;
      const Operand self = Operand::value(f.result_of(at));
      if (lead(memory_->points().targets(FunctionId(i), self), 0).is_known())
        followed_[i][self.as_value().index()] = true;
    }
  }
  const Callers callers(program);
  while (!work.empty()) {
    const auto [id, value] = work.back();
    work.pop_back();
    const Function& f = program.functions[id];
    if (f.is_parameter(value)) {
      for (const Callers::Site& site : callers.of[id.index()]) {
        const auto arguments = program.functions[site.caller].arguments_of(*site.call);
        if (value.index() < arguments.size()) follow(site.caller, arguments[value.index()]);
      }
      continue;
    }
    const Instruction& code = f.instructions[f.definition(value)];
    const auto operands = f.operands_of(code);
    if (!is_number(code.type)) continue;
    if (code.opcode == Opcode::Cast || code.opcode == Opcode::Freeze) follow(id, operands[0]);
    if (code.opcode == Opcode::Phi)
      for (std::size_t k = 0; k + 1 < operands.size(); k += 2) follow(id, operands[k]);
    if (code.opcode == Opcode::Select)
      for (const Operand operand : operands.subspan(1)) follow(id, operand);
    if (!code.is_call() || !operands[0].is_function()) continue;
    const Function& callee = program.functions[operands[0].as_function()];
    for (const Instruction& end : callee.instructions)
      if (end.opcode == Opcode::Return && !callee.operands_of(end).empty())
        follow(operands[0].as_function(), callee.operands_of(end)[0]);
  }
}

Rows::Lead Rows::lead(const std::vector<Target>& targets, std::uint64_t bytes) const {
  Lead out;
  if (rows_.empty()) return out;
  std::map<RowIndex, std::optional<std::int64_t>> fields;  // none: not known
  bool is_elsewhere = std::ranges::all_of(targets, &Target::is_past);
  const auto size = static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, no_end));
  for (const Target& target : targets) {
    if (target.is_past) continue;
    bool is_in_row = false;
    if (memory_->is_unknown(target.object))
      for (RowIndex r = 0; r < rows_.size(); ++r) fields[r].reset();
    for (RowIndex r = 0; r < rows_.size(); ++r) {
      const Row& row = rows_[r];
      if (row.object != target.object) continue;
      const bool is_anywhere = target.offset == alias::anywhere;
      const std::int64_t last = is_anywhere ? no_end : target.offset + target.extent;
      if (!is_anywhere && (last + std::max<std::int64_t>(size, 1) <= row.begin || target.offset >= row.end)) continue;
      is_in_row = !is_anywhere && target.offset >= row.begin && last + size <= row.end;
      const std::int64_t from = is_anywhere ? 0 : target.offset - row.offset;
      const std::int64_t field = from - floor_of(from, row.stride) * row.stride;
      const bool is_known = is_in_row && field + size <= row.stride && target.step % row.stride == 0;
      const auto [known, is_new] = fields.try_emplace(r, is_known ? std::optional(field) : std::nullopt);
      if (!is_known || known->second != field) known->second.reset();
    }
    is_elsewhere = is_elsewhere || !is_in_row;
  }
  for (const auto& [row, field] : fields) {
    out.rows.push_back(row);
    if (field) out.spots.push_back({row, *field});
  }
  out.is_inside = !is_elsewhere;
  return out;
}

std::optional<RowIndex> Rows::find(ObjectIndex object, std::int64_t offset, std::int64_t stride) const {
  for (RowIndex r = 0; r < rows_.size(); ++r)
    if (rows_[r].object == object && rows_[r].stride == stride && rows_[r].offset <= offset &&
        offset < rows_[r].offset + stride)
      return r;
  return std::nullopt;
}

std::optional<std::int64_t> Rows::number_at(ObjectIndex object, std::int64_t offset) const {
  for (const Row& row : rows_)
    if (row.object == object && row.begin <= offset && offset < row.end)
      return floor_of(offset - row.offset, row.stride);
  return std::nullopt;
}

}  // namespace heddle::judge::transaction
