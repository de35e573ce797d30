// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds a Program by hand, without LLVM: for unit tests, fuzzers and models of functions that have no source.
//
//   ProgramBuilder b;
//   const TypeId i32 = b.int_type(32);
//   const Operand counter = b.global("counter", i32);
//   FunctionBuilder& f = b.function("bump", b.void_type(), {b.ptr_type()});
//   const Operand old = f.at(3, 5).load(i32, f.param(0));
//   f.store(f.binary(BinaryOp::Add, old, b.int_constant(i32, 1)), counter);
//   f.ret();
//   const Program program = b.take();
//
// Types and constants are interned, so two calls with the same arguments give the same id. A function starts in its
// entry block. Further blocks are made by `block` (so that branches may go forward) and filled in that order by
// `enter`; this keeps instruction order and block order the same, as the front end does. References to FunctionBuilders
// stay valid until `take`.
#pragma once
#include <deque>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "program/model/function_builder.h"
#include "program/model/program.h"

namespace heddle {

/// A member of a struct or union to be; the builder finds the offset. `bits` makes it a bitfield.
struct FieldSpec {
  std::string name;
  TypeId type;
  std::uint64_t bits = 0;
  bool is_base = false;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::uint32_t pointer_bits = 64);
  ProgramBuilder(const ProgramBuilder&) = delete;
  ProgramBuilder& operator=(const ProgramBuilder&) = delete;

  // Machine types.
  TypeId void_type();
  TypeId int_type(std::uint64_t bits);
  TypeId float_type(std::uint64_t bits);
  TypeId ptr_type();
  TypeId array_type(TypeId element, std::uint64_t count);
  TypeId struct_type(const std::vector<TypeId>& members, std::string name = "");
  TypeId function_type(TypeId result, std::vector<TypeId> parameters, bool vararg = false);

  // Source types.
  TypeId source_void();
  TypeId source_int(std::string name = "int", std::uint64_t bits = 32, bool is_signed = true);
  TypeId source_pointer(TypeId pointee);
  TypeId source_reference(TypeId referee);
  TypeId source_array(TypeId element, std::uint64_t count);
  TypeId source_function(TypeId result, std::vector<TypeId> parameters);
  TypeId source_struct(std::string name, const std::vector<FieldSpec>& fields = {});
  TypeId source_union(std::string name, const std::vector<FieldSpec>& fields = {});
  /// Gives a struct or union its members afterwards, for types that refer to themselves.
  void set_fields(TypeId type, const std::vector<FieldSpec>& fields);

  Operand int_constant(TypeId type, std::uint64_t value);
  Operand null();
  Operand undef(TypeId type);

  /// A zero-initialised global.
  Operand global(std::string name, TypeId type, TypeId source_type = {});
  /// Gives a global its first bytes; the rest stays zero.
  void set_bytes(Operand global, std::string_view bytes);
  /// Names must outlive the Program: literals, or `keep`.
  Global& edit(Operand global) { return program_.globals[global.as_global()]; }
  Function& edit(FunctionId function) { return program_.functions[function]; }

  FunctionId declare(std::string name, TypeId result, std::vector<TypeId> parameters, bool vararg = false);
  FunctionBuilder& function(std::string name, TypeId result, std::vector<TypeId> parameters);
  /// Gives a function made by `declare` its body.
  FunctionBuilder& define(FunctionId function);

  std::string_view keep(std::string_view text) { return program_.arena.text(text); }
  LocationId location(std::string_view file, std::uint32_t line, std::uint32_t column);
  [[nodiscard]] const Program& peek() const { return program_; }

  /// The finished Program: bodies closed, names indexed. The builder is empty afterwards.
  Program take();

 private:
  friend class FunctionBuilder;
  TypeId intern(Type type);
  Operand intern(Constant constant);

  Program program_;
  std::deque<FunctionBuilder> bodies_;
};

}  // namespace heddle
