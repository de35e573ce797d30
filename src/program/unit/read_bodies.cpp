// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/body_shape.h"
#include "program/unit/unit_bodies.h"

namespace heddle {
namespace {

class BodyReader {
 public:
  BodyReader(ColumnReader& in, Program& program) : in_(in), program_(program) {}

  void run() {
    in_.rows(Column::ShapeOperator, shapes_, [&](Shape& shape) { shape_columns(in_, shape); });
    for (Function& f : program_.functions) {
      std::uint64_t first = 0;
      in_.list(Column::BlockCount, f.blocks, [&](Block& block) {
        in_.text(Column::BlockName, block.name);
        in_.number(Column::BlockCount, block.count);
        block.first = static_cast<std::uint32_t>(first);
        first += block.count;
        if (first > in_.left(Column::InstructionShape)) in_.fail();
      });
      if (f.has_body()) read_body(f);
      if (in_.failed()) return;
    }
  }

 private:
  void read_body(Function& f) {
    in_.word(Column::Hash, f.hash.low);
    if (!make_instructions(f)) return in_.fail();
    std::size_t at = 0;
    for (std::size_t b = 0; b < f.blocks.size() && !in_.failed(); ++b)
      for (std::uint32_t k = 0; k < f.blocks[b].count && !in_.failed(); ++k) read(f, at++, b);
    f.instructions = instructions_;
    f.operands = operands_;
    f.geps = geps_;
    f.calls = calls_;
    f.indices = indices_;
    f.texts = texts_;
    in_.list(Column::NameValue, f.names, [&](ValueName& name) {
      std::uint32_t value = 0;
      in_.delta(Column::NameValue, value);
      name.value = ValueId(value);
      in_.text(Column::NameText, name.name);
      std::uint64_t word = 0;
      in_.number(Column::NameType, word);
      name.names_memory = (word & 1) != 0;
      word >>= 1;
      if (word > TypeId::none_value) return in_.fail();
      if (word != 0) name.source_type = TypeId(word - 1);
    });
  }

  /// The instructions' shapes first: then the lengths of all lists are known, and each is made once.
  bool make_instructions(const Function& f) {
    instructions_ = in_.arena().array<Instruction>(f.blocks.back().first + f.blocks.back().count);
    kinds_.clear();
    std::uint64_t operands = 0;
    std::array<std::size_t, 5> extras{};
    for (Instruction& i : instructions_) {
      std::uint64_t number = 0;
      in_.number(Column::InstructionShape, number);
      if (number >= shapes_.size()) return false;
      const Shape& shape = shapes_[number];
      i.opcode = shape.opcode;
      i.detail = shape.detail;
      i.flags = shape.flags;
      i.order = shape.order;
      i.type = shape.type;
      i.access_type = shape.access_type;
      i.first_operand = static_cast<std::uint32_t>(operands);
      i.operand_count = shape.operand_count;
      kinds_.push_back(shape.kinds);
      operands += shape.operand_count;
      if (const Extra extra = extra_of(i.opcode); extra != Extra::None)
        i.extra = static_cast<std::uint32_t>(extras[static_cast<std::size_t>(extra)]++);
    }
    if (operands > operands_left()) return false;
    operands_ = in_.arena().array<Operand>(operands);
    geps_ = in_.arena().array<GepInfo>(extras[static_cast<std::size_t>(Extra::Gep)]);
    calls_ = in_.arena().array<CallInfo>(extras[static_cast<std::size_t>(Extra::Call)]);
    indices_ = in_.arena().array<std::span<const std::int32_t>>(extras[static_cast<std::size_t>(Extra::Indices)]);
    texts_ = in_.arena().array<std::string_view>(extras[static_cast<std::size_t>(Extra::Text)]);
    return !in_.failed();
  }

  /// Operands without an index (none, asm) take no byte: at most one per instruction does that.
  [[nodiscard]] std::size_t operands_left() const {
    return in_.left(Column::OperandValue) + in_.left(Column::OperandConstant) + in_.left(Column::OperandGlobal) +
           in_.left(Column::OperandFunction) + in_.left(Column::OperandBlock) + instructions_.size();
  }

  void read(const Function& f, std::size_t at, std::size_t block) {
    Instruction& i = instructions_[at];
    in_.ordered_id(Column::InstructionLocation, i.location);
    for (std::uint32_t k = 0; k < i.operand_count && !in_.failed(); ++k) {
      auto kind = static_cast<Operand::Kind>((kinds_[at] >> (4 * (k % Shape::kinds_kept))) & 15);
      if (k >= Shape::kinds_kept) in_.enumeration(Column::OperandKind, kind, Operand::Kind::Asm);
      const auto operand = operand_of(kind, read_index(kind, f.result_of(at), block));
      if (!operand) return in_.fail();
      operands_[i.first_operand + k] = *operand;
    }
    read_extra(i);
  }

  std::uint64_t read_index(Operand::Kind kind, ValueId at, std::size_t block) {
    std::uint64_t index = 0;
    std::int64_t distance = 0;
    switch (kind) {
      case Operand::Kind::Value:
        in_.signed_number(Column::OperandValue, distance);
        return at.index() - static_cast<std::uint64_t>(distance);
      case Operand::Kind::Constant: in_.number(Column::OperandConstant, index); return index;
      case Operand::Kind::Global: in_.number(Column::OperandGlobal, index); return index;
      case Operand::Kind::Function: in_.number(Column::OperandFunction, index); return index;
      case Operand::Kind::Block:
        in_.signed_number(Column::OperandBlock, distance);
        return block + static_cast<std::uint64_t>(distance);
      default: return 0;
    }
  }

  void read_extra(const Instruction& i) {
    switch (extra_of(i.opcode)) {
      case Extra::None: return;
      case Extra::Gep: gep_columns(in_, geps_[i.extra]); return;
      case Extra::Call: call_columns(in_, calls_[i.extra]); return;
      case Extra::Indices: index_columns(in_, indices_[i.extra]); return;
      case Extra::Text: in_.text(Column::Text, texts_[i.extra]); return;
    }
  }

  ColumnReader& in_;
  Program& program_;
  std::vector<Shape> shapes_;
  std::vector<std::uint32_t> kinds_;     // of the first operands of each instruction
  std::span<Instruction> instructions_;  // of the function that is read, and its lists
  std::span<Operand> operands_;
  std::span<GepInfo> geps_;
  std::span<CallInfo> calls_;
  std::span<std::span<const std::int32_t>> indices_;
  std::span<std::string_view> texts_;
};

}  // namespace

void bodies(ColumnReader& in, Program& program) { BodyReader(in, program).run(); }

}  // namespace heddle
