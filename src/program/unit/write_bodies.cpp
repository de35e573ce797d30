// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>

#include "program/unit/body_shape.h"
#include "program/unit/unit_bodies.h"

namespace heddle {
namespace {

class BodyWriter {
 public:
  BodyWriter(ColumnWriter& out, const Program& program) : out_(out), program_(program) {}

  void run() {
    write_shapes();
    for (const Function& f : program_.functions) {
      out_.rows(Column::BlockCount, f.blocks, [&](const Block& block) {
        out_.text(Column::BlockName, block.name);
        out_.number(Column::BlockCount, block.count);
      });
      if (f.has_body()) write_body(f);
    }
  }

 private:
  void write_shapes() {
    std::unordered_map<Shape, std::uint64_t, ShapeHash> uses;  // only looked up, and sorted before it is walked
    for (const Function& f : program_.functions)
      for (const Instruction& i : f.instructions) ++uses[shape_of(f, i)];
    std::vector<std::pair<std::uint64_t, Shape>> ranked;
    for (const auto& [shape, count] : uses) ranked.emplace_back(count, shape);
    std::ranges::sort(ranked, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [count, shape] : ranked) numbers_.try_emplace(shape, numbers_.size());
    out_.rows(Column::ShapeOperator, ranked, [&](const auto& row) { shape_columns(out_, row.second); });
  }

  void write_body(const Function& f) {
    out_.word(Column::Hash, f.hash.low);
    for (std::size_t b = 0; b < f.blocks.size(); ++b)
      for (std::uint32_t k = 0; k < f.blocks[b].count; ++k) write(f, f.blocks[b].first + k, b);
    out_.rows(Column::NameValue, f.names, [&](const ValueName& name) {
      out_.delta(Column::NameValue, name.value.index());
      out_.text(Column::NameText, name.name);
      std::uint64_t type = name.source_type ? name.source_type.index() + 1 : 0;
      out_.number(Column::NameType, type << 1 | (name.names_memory ? 1 : 0));
    });
  }

  void write(const Function& f, std::size_t at, std::size_t block) {
    const Instruction& i = f.instructions[at];
    out_.number(Column::InstructionShape, numbers_.at(shape_of(f, i)));
    out_.ordered_id(Column::InstructionLocation, i.location);
    const std::span<const Operand> operands = f.operands_of(i);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (k >= Shape::kinds_kept) out_.number(Column::OperandKind, operands[k].kind());
      write(operands[k], f.result_of(at), block);
    }
    write_extra(f, i);
  }

  void write(Operand operand, ValueId at, std::size_t block) {
    const std::int64_t index = operand.index();
    switch (operand.kind()) {
      case Operand::Kind::Value: out_.signed_number(Column::OperandValue, std::int64_t{at.index()} - index); return;
      case Operand::Kind::Constant: out_.number(Column::OperandConstant, index); return;
      case Operand::Kind::Global: out_.number(Column::OperandGlobal, index); return;
      case Operand::Kind::Function: out_.number(Column::OperandFunction, index); return;
      case Operand::Kind::Block:
        out_.signed_number(Column::OperandBlock, index - static_cast<std::int64_t>(block));
        return;
      case Operand::Kind::None:
      case Operand::Kind::Asm: return;
    }
  }

  void write_extra(const Function& f, const Instruction& i) {
    switch (extra_of(i.opcode)) {
      case Extra::None: return;
      case Extra::Gep: gep_columns(out_, f.geps[i.extra]); return;
      case Extra::Call: call_columns(out_, f.calls[i.extra]); return;
      case Extra::Indices: index_columns(out_, f.indices[i.extra]); return;
      case Extra::Text: out_.text(Column::Text, f.texts[i.extra]); return;
    }
  }

  ColumnWriter& out_;
  const Program& program_;
  std::unordered_map<Shape, std::uint64_t, ShapeHash> numbers_;  // only looked up
};

}  // namespace

void bodies(ColumnWriter& out, const Program& program) { BodyWriter(out, program).run(); }

}  // namespace heddle
