// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_site.h"
#include "program/model/accessed_bytes.h"

namespace heddle {
namespace {

std::optional<std::uint64_t> constant_value(const Program& program, Operand operand) {
  if (!operand.is_constant()) return std::nullopt;
  const Constant& c = program.constants[operand.as_constant()];
  if (c.kind != Constant::Kind::Int || !c.wide.empty()) return std::nullopt;
  return c.bits;
}

class SiteCollector {
 public:
  SiteCollector(const Program& program, const Function& function, std::vector<AccessSite>& out)
      : program_(program), function_(function), out_(out) {}

  void visit(std::size_t index) {
    const Instruction& i = function_.instructions[index];
    const std::span<const Operand> operands = function_.operands_of(i);
    switch (i.opcode) {
      case Opcode::Load: add(index, AccessKind::Read, 0, accessed(i)); return;
      case Opcode::Store: add(index, AccessKind::Write, 1, accessed(i)); return;
      case Opcode::CmpXchg:
      case Opcode::AtomicRmw: add(index, AccessKind::Update, 0, accessed(i)); return;
      case Opcode::VaArg: add(index, AccessKind::Write, 0, std::nullopt); return;
      case Opcode::MemSet: add(index, AccessKind::Write, 0, constant_value(program_, operands[2])); return;
      case Opcode::MemCopy:
        add(index, AccessKind::Write, 0, constant_value(program_, operands[2]));
        add(index, AccessKind::Read, 1, constant_value(program_, operands[2]));
        return;
      case Opcode::Call:
      case Opcode::Invoke:
        for (const auto& [argument, bytes, align] : function_.calls[i.extra].byval)
          if (bytes != 0) add(index, AccessKind::Read, argument + 1, bytes);
        return;
      default: return;
    }
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> accessed(const Instruction& i) const {
    if (!i.access_type) return std::nullopt;
    return accessed_bytes(program_.types[i.access_type]);
  }

  void add(std::size_t index, AccessKind kind, std::uint32_t operand, std::optional<std::uint64_t> size) {
    const Instruction& i = function_.instructions[index];
    out_.push_back({.instruction = index,
                    .kind = kind,
                    .address_operand = operand,
                    .size = size,
                    .is_atomic = !i.is_call() && i.is_atomic(),
                    .is_volatile = !i.is_call() && i.has_flag(Instruction::is_volatile)});
  }

  const Program& program_;
  const Function& function_;
  std::vector<AccessSite>& out_;
};

}  // namespace

std::vector<AccessSite> access_sites(const Program& program, const Function& function) {
  std::vector<AccessSite> out;
  SiteCollector collector(program, function, out);
  for (std::size_t i = 0; i < function.instructions.size(); ++i) collector.visit(i);
  return out;
}

std::vector<AccessSite> access_sites(const Program& program, const Function& function, std::size_t instruction) {
  std::vector<AccessSite> out;
  SiteCollector(program, function, out).visit(instruction);
  return out;
}

}  // namespace heddle
