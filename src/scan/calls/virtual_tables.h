// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VirtualTables: whom a virtual call may reach, by the class hierarchy and the slot.
//
//   Env *env; env->start(f, a)      %1 = load env; %2 = load (%1 + 24); call %2(env, f, a)
//                                   the functions 24 bytes behind the address points of the tables of Env and of all
//                                   classes that are derived from it
//
// A table is a constant of function pointers that no declaration describes; an *address point* is a byte of it whose
// address is used somewhere: in a constructor, in an object that needs none, in a table of tables. The word before it
// leads to the type information of a class, where those of its base classes stand (Itanium C++ ABI, 2.5.2 and 2.9.5).
// Which source class that is, its constructors say: they store address points into `this`. With -fno-rtti, the source
// class says what it is derived from. What is not known narrows nothing: without a class, every table with a fitting
// function in that slot counts, and so does a table of no known class. So do tables of function pointers that C code
// walks through by hand.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/content_hash.h"
#include "program/model/program.h"
#include "scan/calls/declared_places.h"

namespace heddle::scan {

class VirtualTables {
 public:
  VirtualTables(const Program& program, DeclaredPlaces& places);

  struct Targets {
    bool is_virtual = false;            ///< by declaration; else it may also be something that only looks like it
    std::vector<FunctionId> functions;  ///< ascending
  };
  /// The functions that a call may mean whose pointer is read from a table that an object leads to.
  [[nodiscard]] Targets targets(FunctionId caller, const Instruction& call);

 private:
  struct AddressPoint {
    GlobalId table;
    std::int64_t offset = 0;
    friend auto operator<=>(const AddressPoint&, const AddressPoint&) = default;
  };
  /// Of a call: how far behind the address point that `object` leads to.
  struct Slot {
    Operand object;
    std::int64_t offset = 0;
  };
  [[nodiscard]] bool is_table(GlobalId id) const { return is_table_[id.index()]; }
  void collect(const Global& global);
  void collect(FunctionId function);
  void note_class(FunctionId function, const Instruction& store);
  [[nodiscard]] std::optional<AddressPoint> address_point(const Function& function, Operand value) const;
  void add_point(const AddressPoint& point);
  /// Where the type information of a point's class lies.
  [[nodiscard]] GlobalId class_of(const AddressPoint& point) const;
  void list_bases();
  void add_base_looks(TypeId record, std::set<ContentHash>& out) const;
  [[nodiscard]] std::optional<Slot> slot_of(const Function& function, Operand callee) const;
  /// What is known of the class that has an address point.
  struct ClassOfPoint {
    GlobalId info;                ///< its type information
    std::set<ContentHash> looks;  ///< of the source class and those that it is derived from; empty if not known
    bool has_virtual_bases = false;
  };
  /// What the source declares an object as.
  struct Declared {
    std::set<GlobalId> infos;  ///< empty if not known of all
    std::set<ContentHash> looks;
  };
  [[nodiscard]] Declared declared(const std::vector<TypeId>& classes) const;
  [[nodiscard]] bool may_be(const ClassOfPoint& point, const Declared& declared) const;
  /// A function in a slot, with the class of its table.
  struct Entry {
    FunctionId function;
    const ClassOfPoint* of = nullptr;
  };
  const std::vector<Entry>& entries(std::int64_t slot);
  [[nodiscard]] ContentHash look(TypeId record) const;
  [[nodiscard]] bool fits(const Function& target, const Function& caller, const Instruction& call) const;

  const Program& program_;
  DeclaredPlaces& places_;
  std::int64_t word_;
  std::vector<bool> is_table_;  ///< by GlobalId
  std::map<AddressPoint, ClassOfPoint> points_;
  std::map<GlobalId, std::set<GlobalId>> bases_;        ///< by type information: itself and all that it is derived from
  std::map<ContentHash, std::set<GlobalId>> of_class_;  ///< by look of a class: its type information
  std::map<std::int64_t, std::vector<Entry>> entries_;  ///< by slot, as far as asked
};

}  // namespace heddle::scan
