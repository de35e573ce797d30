// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function under construction; see program_builder.h. Every instruction returns its value as an Operand, to be used
// by later instructions. `at` sets the source position of everything that follows.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "program/model/function_body.h"

namespace heddle {

class ProgramBuilder;

class FunctionBuilder {
 public:
  FunctionBuilder(ProgramBuilder& owner, FunctionId id);

  [[nodiscard]] FunctionId id() const { return id_; }
  [[nodiscard]] Operand param(std::size_t index) const;
  /// Index of the instruction added last.
  [[nodiscard]] std::size_t last() const { return body_.instructions.size() - 1; }
  /// Position in the file of `in_file`, "test.c" unless told.
  FunctionBuilder& at(std::uint32_t line, std::uint32_t column = 1);
  FunctionBuilder& in_file(std::string path);
  /// Flags of Instruction (is_volatile, …) for the next instruction only.
  FunctionBuilder& with(std::uint8_t flags);
  /// Debug names: of a value, and of the memory an address stands for.
  FunctionBuilder& name(Operand value, std::string name, TypeId source_type = {});
  FunctionBuilder& name_memory(Operand address, std::string name, TypeId source_type = {});

  BlockId block(std::string name = "");
  FunctionBuilder& enter(BlockId block);
  [[nodiscard]] BlockId current() const { return current_; }

  Operand alloca_of(TypeId type);
  Operand load(TypeId type, Operand address, AtomicOrder order = AtomicOrder::NotAtomic);
  Operand store(Operand value, Operand address, AtomicOrder order = AtomicOrder::NotAtomic);
  /// base + offset + Σ index · stride.
  Operand gep(Operand base, std::int64_t offset, const std::vector<std::pair<Operand, std::int64_t>>& indices = {},
              TypeId source_type = {});
  Operand mem_copy(Operand destination, Operand source, Operand length, bool may_overlap = false);
  Operand mem_set(Operand destination, Operand byte, Operand length);
  Operand cmpxchg(Operand address, Operand expected, Operand desired, AtomicOrder success = AtomicOrder::SeqCst,
                  AtomicOrder failure = AtomicOrder::SeqCst);
  Operand atomic_rmw(RmwOp op, Operand address, Operand value, AtomicOrder order = AtomicOrder::SeqCst);
  Operand fence(AtomicOrder order = AtomicOrder::SeqCst);

  Operand phi(TypeId type, const std::vector<std::pair<Operand, BlockId>>& incoming = {});
  void add_incoming(Operand phi, Operand value, BlockId from);
  Operand select(Operand condition, Operand if_true, Operand if_false);
  Operand binary(BinaryOp op, Operand left, Operand right);
  Operand compare(Predicate predicate, Operand left, Operand right);
  Operand cast(CastOp op, Operand value, TypeId type);
  Operand freeze(Operand value);
  Operand extract_value(Operand aggregate, TypeId type, std::vector<std::int32_t> indices);

  Operand call(FunctionId callee, const std::vector<Operand>& arguments = {});
  Operand call_indirect(Operand callee, TypeId function_type, const std::vector<Operand>& arguments = {});
  Operand invoke(FunctionId callee, const std::vector<Operand>& arguments, BlockId normal, BlockId unwind);

  void ret();
  void ret(Operand value);
  void br(BlockId target);
  void cond_br(Operand condition, BlockId if_true, BlockId if_false);
  void switch_on(Operand value, BlockId otherwise, const std::vector<std::pair<Operand, BlockId>>& cases);
  void unreachable();
  Operand unsupported(std::string text, TypeId type);

  /// Machine type of anything usable as an operand.
  [[nodiscard]] TypeId type_of(Operand operand);

 private:
  friend class ProgramBuilder;
  Operand add(Opcode opcode, TypeId type, std::vector<Operand> operands);
  Operand add_call(Opcode opcode, Operand callee, TypeId function_type, std::vector<Operand> operands);
  Instruction& newest() { return body_.instructions.back(); }
  void add_name(ValueName name);
  void finish();

  ProgramBuilder& owner_;
  FunctionId id_;
  FunctionBody body_;
  std::vector<std::vector<Operand>> operands_;  // one list an instruction: phis grow until the end
  BlockId current_{0};
  std::string file_ = "test.c";
  LocationId location_;
  std::uint8_t next_flags_ = 0;
};

}  // namespace heddle
