// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small units and their linking, for the tests of linking.
#pragma once
#include <gtest/gtest.h>

#include "program/link/link.h"
#include "program/sample_unit.h"
#include "program/unit/valid_program.h"

namespace heddle {

/// A unit whose functions return numbers: enough to see which of two definitions was taken.
class Unit {
 public:
  explicit Unit(std::string name) : name_(std::move(name)) {}

  FunctionId function(const std::string& name, std::uint64_t value, Linkage linkage = Linkage::External,
                      std::string_view file = "own.c") {
    FunctionBuilder& f = b.function(name, i32, {});
    f.ret(b.int_constant(i32, value));
    b.edit(f.id()).linkage = linkage;
    b.edit(f.id()).location = b.location(file, 1, 1);
    return f.id();
  }
  FunctionId declare(const std::string& name) { return b.declare(name, i32, {}); }
  /// `int name(void) { return callee(); }`
  FunctionId caller(const std::string& name, FunctionId callee, Linkage linkage = Linkage::External,
                    std::string_view file = "own.c") {
    FunctionBuilder& f = b.function(name, i32, {});
    f.ret(f.call(callee));
    b.edit(f.id()).linkage = linkage;
    b.edit(f.id()).location = b.location(file, 2, 1);
    return f.id();
  }
  Operand global(const std::string& name, std::string_view bytes, Linkage linkage, std::uint64_t size = 4) {
    const Operand g = b.global(name, b.array_type(b.int_type(8), size));
    b.set_bytes(g, bytes);
    b.edit(g).linkage = linkage;
    return g;
  }
  /// `int name(void) { return *(int *)&g; }`
  FunctionId reader(const std::string& name, Operand g, Linkage linkage = Linkage::External,
                    std::string_view file = "own.c") {
    FunctionBuilder& f = b.function(name, i32, {});
    f.ret(f.load(i32, g));
    b.edit(f.id()).linkage = linkage;
    b.edit(f.id()).location = b.location(file, 3, 1);
    return f.id();
  }
  Program take() {
    Program p = b.take();
    p.units = {name_};
    hash_functions(p);
    return p;
  }

  ProgramBuilder b;
  TypeId i32 = b.int_type(32);

 private:
  std::string name_;
};

inline Linked linked(std::vector<Program> units) {
  auto out = link(std::move(units));
  if (!out) {
    ADD_FAILURE() << out.error().message;
    return {};
  }
  const auto valid = check_program(out->program);
  EXPECT_TRUE(valid) << valid.error().message;
  return std::move(*out);
}

template <class... Units>
Linked linked_of(Units&... units) {
  std::vector<Program> programs;
  (programs.push_back(units.take()), ...);
  return linked(std::move(programs));
}

}  // namespace heddle
