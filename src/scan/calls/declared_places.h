// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DeclaredPlaces: the memory that an address means, and the class of the object there, by what the source declares.
//
//   s->ops->read     so many bytes behind the beginning of `struct ops`
//   env_->start(f)   an object of class Env, or of one that is derived from it
//
// Answers about members assume that memory is used by its declared type (`function-tables`, `typed-memory`). One object
// per worker: answers of MemberKeys are remembered.
#pragma once
#include <cstdint>
#include <vector>

#include "program/model/program.h"
#include "scan/names/member_key.h"
#include "scan/names/source_structs.h"

namespace heddle::scan {

class DeclaredPlaces {
 public:
  DeclaredPlaces(const Program& program, const SourceStructs& sources)
      : program_(program), sources_(sources), keys_(program) {}

  /// So many bytes behind the beginning of a type; none if no declaration says so.
  struct Place {
    TypeId type;
    std::int64_t offset = 0;
  };
  [[nodiscard]] Place at(FunctionId function, Operand address) { return at(function, address, deepest); }
  /// Classes of which one, or one that is derived from it, is that of the object at an address; empty if nothing says
  /// so. The same pointer may have several names in the source, each with a class of its own.
  [[nodiscard]] std::vector<TypeId> classes(FunctionId function, Operand address);
  /// The class of the object whose table of virtual functions the word at a place leads to; none if there is no such
  /// word.
  [[nodiscard]] TypeId class_at(Place place) const;
  [[nodiscard]] MemberKeys& keys() { return keys_; }

 private:
  static constexpr int deepest = 6;
  [[nodiscard]] Place at(FunctionId function, Operand address, int depth);
  [[nodiscard]] bool has_table(TypeId type, std::int64_t offset, TypeId& holder) const;
  [[nodiscard]] bool find_table(Place place, TypeId& holder) const;
  [[nodiscard]] bool add_classes(FunctionId function, Operand address, int depth, std::vector<TypeId>& out);
  [[nodiscard]] bool add_named(const Function& function, ValueId value, std::vector<TypeId>& out) const;

  const Program& program_;
  const SourceStructs& sources_;
  MemberKeys keys_;
};

}  // namespace heddle::scan
