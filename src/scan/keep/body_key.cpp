// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/keep/body_key.h"

#include "scan/keep/bits.h"

namespace heddle::scan {
namespace {

class BodyKey {
 public:
  BodyKey(const Program& program, const Function& function) : program_(program), f_(function) {}

  ContentHash run() {
    for (const TypeId parameter : f_.parameters) add_type(parameter);
    for (const ByValue& copy : f_.byval) h_.add(copy.index);
    h_.add(f_.blocks.size());
    for (const Block& block : f_.blocks) {
      h_.add(block.count);
      for (const Instruction& i : f_.instructions_of(block)) add_instruction(i);
    }
    return h_.finish();
  }

 private:
  /// Pointers are told from others, and sizes.
  void add_type(TypeId id) {
    if (!id) return void(h_.add(0));
    const Type& type = program_.types[id];
    h_.add(bits(type.kind) << 56 | type.size_bytes());
  }

  void add_constant(const Constant& c) {
    h_.add(bits(c.kind)).add(c.wide.size());
    if (c.kind == Constant::Kind::Int) h_.add(c.bits).add(c.type ? program_.types[c.type].value_bits : 0);
  }

  void add_instruction(const Instruction& i) {
    h_.add(bits(i.opcode) | bits(i.detail) << 8 | bits(i.flags) << 16 | bits(i.order) << 24 |
           bits(i.operand_count) << 32);
    add_type(i.type);
    if (i.opcode != Opcode::Alloca) add_type(i.access_type);
    for (const Operand operand : f_.operands_of(i)) {
      h_.add(bits(operand.kind()));
      if (operand.is_value() || operand.is_block()) h_.add(operand.index());
      if (operand.is_constant()) add_constant(program_.constants[operand.as_constant()]);
    }
    if (i.opcode != Opcode::Gep) return;
    const GepInfo& gep = f_.geps[i.extra];
    h_.add(bits(gep.constant_offset)).add(gep.strides.size());
    for (const std::int64_t stride : gep.strides) h_.add(bits(stride));
  }

  const Program& program_;
  const Function& f_;
  Hasher h_;
};

}  // namespace

ContentHash body_key(const Program& program, const Function& function) { return BodyKey(program, function).run(); }

}  // namespace heddle::scan
