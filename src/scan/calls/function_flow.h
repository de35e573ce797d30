// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where functions go as values: through parameters, members of structs, globals and results, whatever object it is.
//
//   void job(void (*fn)(void)) { j->fn = fn; }     job(lazy_free);       …  j->fn();          calls lazy_free
//
// A slot is a parameter of a function, a result, a member of a struct (of all objects of that type: assumption
// `function-tables`), a global, or what a pointer to a function pointer leads to (C++ passes callables by reference).
// Constant functions flow along stores, loads, arguments and results until nothing changes; calls through pointers
// found on the way add their own, and virtual calls those of their classes (virtual_tables.h). What is written to
// memory without such a name, handed to a library or passed as a variable argument has *left*: any other pointer may
// hold it. Linear in the instructions and in the functions that flow, which are few.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/content_hash.h"
#include "base/number_set.h"
#include "program/model/program.h"
#include "scan/calls/declared_places.h"
#include "scan/calls/virtual_tables.h"
#include "scan/names/member_key.h"
#include "scan/names/source_structs.h"

namespace heddle::scan {

class FunctionFlow {
 public:
  FunctionFlow(const Program& program, const SourceStructs& sources);

  /// The functions a call through a pointer may mean; `is_known` false if its pointer may come from somewhere else.
  struct Targets {
    bool is_known = false;
    std::vector<FunctionId> functions;  ///< ascending
  };
  [[nodiscard]] Targets targets(FunctionId caller, std::size_t call) const;
  /// False: all pointers to the function that exist are in slots.
  [[nodiscard]] bool has_left(FunctionId function) const;

 private:
  using SlotId = std::uint32_t;
  static constexpr SlotId none = ~0U;
  static constexpr SlotId outside = 0;  ///< for what has left
  /// Pointee, ResultPointee: the memory that a value of a function, or its result, leads to.
  enum class SlotKind : std::uint8_t { Parameter, Result, Member, Global, Outside, Pointee, ResultPointee };

  SlotId slot(SlotKind kind, std::uint32_t what, std::uint32_t which);
  [[nodiscard]] SlotId find(SlotKind kind, std::uint32_t what, std::uint32_t which) const;
  void collect(FunctionId id);
  void collect_call(FunctionId id, const Instruction& call, std::uint32_t number);
  void leave(FunctionId id, std::span<const Operand> values);
  struct Sources {
    std::vector<SlotId> slots;
    std::vector<FunctionId> functions;
  };
  /// Slots and constant functions a value may come from, through phis and selects. Looks at each value once.
  Sources sources(FunctionId id, Operand value);
  SlotId member_slot(MemberKey key);
  SlotId slot_of_address(FunctionId id, Operand address);
  SlotId pointee_slot(FunctionId id, ValueId value, TypeId type);
  /// Where the memory lies that a pointer to a function pointer leads to, through phis and calls.
  std::vector<SlotId> pointees(FunctionId id, Operand address);
  /// Whether a declared type is a pointer or a reference to a pointer to a function.
  [[nodiscard]] bool leads_to_code(TypeId pointee) const;
  void unite(std::span<const SlotId> slots, SlotId with);
  void collect_reference(FunctionId id, Operand argument, FunctionId callee, std::uint32_t parameter);
  void flow(SlotId to, FunctionId id, Operand value);
  /// Whether it is new.
  bool join(SlotId from, SlotId to);
  void add(SlotId to, FunctionId function);
  void add_all(SlotId to, std::span<const FunctionId> functions);
  void propagate();
  void connect(std::uint32_t call, FunctionId target);

  struct IndirectCall {
    FunctionId caller;
    std::uint32_t instruction = 0;
    std::vector<FunctionId> targets;
    bool is_known = false;
  };

  const Program& program_;
  DeclaredPlaces places_;
  VirtualTables tables_;
  std::map<TypeId, TypeId> looks_;             ///< by record: the first that looks the same
  std::map<ContentHash, TypeId> first_alike_;  ///< by look
  std::unordered_map<std::uint64_t, SlotId> ids_;
  std::vector<std::vector<FunctionId>> functions_;  ///< by slot; sorted
  std::vector<std::vector<SlotId>> successors_;     ///< by slot
  std::vector<std::vector<std::uint32_t>> calls_;   ///< by slot: calls through it
  std::vector<IndirectCall> indirect_;              ///< sorted by caller and instruction
  NumberSet seen_;                                  ///< values, while their sources are found
  NumberSet edges_;                                 ///< those of successors_
  std::vector<std::vector<FunctionId>> fresh_;      ///< by slot: those that are still to be passed on; sorted
  std::deque<SlotId> pending_;                      ///< slots that have some
};

}  // namespace heddle::scan
