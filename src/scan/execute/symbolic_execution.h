// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First walk of a function: symbolic execution (RELAY §3.1), once over the blocks in reverse post-order. Every pointer
// gets a name, every instruction that matters becomes an event.
//
//   void f(struct dev *d, int *p) {        d: Formal 0, p: Formal 1
//     int **slot = &d->slot;               slot: the address (Formal 0, 8)
//     *slot = p;                           Access write d->slot; stored: d->slot is Formal 1
//     **slot = 3;                          Access read d->slot, Access write (Formal 1, 0): it is known what lies there
//   }
//
// What a value is, is not followed around loops: a phi at a loop's head has a name of its own (lvalue.h). An
// instruction whose address has no name is left out; that happens to null, numbers and code only. Linear in the
// function.
#pragma once
#include <cstdint>
#include <vector>

#include "scan/execute/call_effects.h"
#include "scan/execute/library_actions.h"
#include "scan/execute/symbolic_state.h"

namespace heddle::scan {

class SymbolicExecution {
 public:
  SymbolicExecution(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const FunctionBody& body,
                    ValueNames& names, Execution& done)
      : state_(input, summaries, body, names, done), calls_(state_), library_(state_, calls_) {}

  void run();

 private:
  void execute_block(std::uint32_t rank);
  void execute(std::size_t number);
  void execute_cast(std::size_t number);
  void execute_compare(std::size_t number);
  [[nodiscard]] bool is_one_bit(Operand operand) const;
  void execute_alloca(std::size_t number);
  void execute_load(std::size_t number);
  void execute_store(std::size_t number);
  void execute_gep(std::size_t number);
  void learn_whole(std::size_t number, Lvalue at);
  void execute_transfer(const Instruction& instruction);
  void execute_exchange(const Instruction& instruction);
  void execute_phi(std::size_t number);
  void execute_select(std::size_t number);
  void execute_call(std::size_t number);
  void call_library(FunctionId callee, std::span<const Operand> arguments, bool is_sure);
  void execute_return(const Instruction& instruction);
  void move_handle(Operand stored, Lvalue to);
  [[nodiscard]] bool is_marked(const Instruction& access) const;

  SymbolicState state_;
  CallEffects calls_;
  LibraryActions library_;
};

}  // namespace heddle::scan
