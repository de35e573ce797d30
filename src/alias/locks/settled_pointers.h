// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SettledPointers: memory that only ever holds one address, or null. A lock that is taken through a pointer in such
// memory is the lock at that address, whenever that is and in whichever thread.
//
//   static struct obj o;                  o.lock is &m or null: pthread_mutex_lock(o.lock) takes m
//   int main(void) { o.lock = &m; … }
//
// Every initialiser and every store of the program is looked at once: by class of objects and offset (AliasFacts), so
// what holds for a member holds for that member of all objects of the class, heap memory included. Any other way to
// write there (a copy of a struct, a library function that is given the object, another size, another address) makes
// it unsettled. Null does not count: nobody locks through it and lives.
//
// Sound under the assumptions of AliasFacts and one more: a function with neither body nor model writes what its
// arguments lead to, and what the pointers right there lead to, but nothing further behind (assumption
// `settled-pointers` of scans).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "alias/alias_facts.h"
#include "alias/global_places.h"

namespace heddle::alias {

class SettledPointers {
 public:
  SettledPointers(const Program& program, const api::ApiModels& models, const AliasFacts& aliases);

  /// The address that every pointer read from there is; nothing: there may be several, or none is known.
  [[nodiscard]] std::optional<GlobalPlace> at(Place place) const;

 private:
  /// A pointer that is written: its offset and size (0: not known), and the address; none: anything.
  using Cells = std::map<std::pair<std::int32_t, std::uint64_t>, std::optional<GlobalPlace>>;
  void read_initialisers();
  void read_function(FunctionId id);
  void read_instruction(FunctionId id, const Instruction& code);
  void read_call(FunctionId id, std::size_t call);
  void read_effect(FunctionId id, const Instruction& call, const api::Effect& effect);
  void store(FunctionId id, const Instruction& code, Operand address, Operand value);
  void add(Place place, std::uint64_t bytes, const std::optional<GlobalPlace>& value);
  /// Anything may be written into the object that an operand leads to.
  void unsettle(Place place);
  void unsettle_all(FunctionId id, std::span<const Operand> operands);
  [[nodiscard]] bool is_null(Operand operand) const;
  [[nodiscard]] std::uint64_t word() const { return program_.layout.pointer_bits / 8; }

  const Program& program_;
  const api::ApiModels& models_;
  const AliasFacts& aliases_;
  GlobalPlaces addresses_;
  std::map<std::uint32_t, Cells> cells_;  ///< by object
  std::set<std::uint32_t> unsettled_;     ///< objects
  bool is_nothing_settled_ = false;
};

}  // namespace heddle::alias
