// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibraryMemory: what library functions do to memory, by the actions of their models: accesses, new memory, pointers
// that move and come back.
//
//   memcpy(d->buffer, s, 16)     Touch: write 16 bytes of d->buffer, read 16 of s; MovePointers: what s holds, it holds
//   p = malloc(8)                MakeMemory: p leads to fresh memory
//   localtime(&t)                ReturnValue: the address of state inside the library, one for all threads
//
// A library that writes memory leaves unknown pointers there. What a summary cannot express is in
// scan/calls/assumed_calls.h, under a name.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "api/action.h"
#include "scan/execute/symbolic_state.h"

namespace heddle::scan {

/// The arguments of a call of a function that has a model.
struct LibraryCall {
  std::span<const Operand> arguments;
  [[nodiscard]] bool has(api::Argument index) const {
    return index >= 0 && static_cast<std::size_t>(index) < arguments.size();
  }
  [[nodiscard]] Operand operator[](api::Argument index) const { return arguments[static_cast<std::size_t>(index)]; }
};

class LibraryMemory {
 public:
  explicit LibraryMemory(SymbolicState& state) : s_(state) {}

  void make(const LibraryCall& call, const api::MakeMemory& make);
  void touch(const LibraryCall& call, const api::Touch& touch);
  /// An operation on a lock, condition, semaphore or barrier is an access to it: one that others of its kind may make
  /// at the same time, or not (its beginning and its end). Assumption `lock-objects`: it is none.
  void use_objects(const LibraryCall& call, const api::Action& action);
  void touch_atomic(const LibraryCall& call, const api::TouchAtomic& touch);
  void move_pointers(const LibraryCall& call, const api::MovePointers& move);
  void return_value(const LibraryCall& call, const api::ReturnValue& value);
  void use_thread_value(const LibraryCall& call, const api::UseThreadValue& use);

  /// A library function may set the thread's errno (without the assumption `library-reach`).
  void change_errno();
  /// Where an argument leads; invalid if there is none.
  [[nodiscard]] Lvalue place_of(const LibraryCall& call, api::Argument argument);
  /// State inside a library.
  [[nodiscard]] Lvalue hidden(std::string_view name);
  /// A plain access by a library function. What it writes is not known any more.
  void access(const LibraryCall& call, api::Argument argument, AccessKind kind, std::uint32_t size);
  /// Others know what the argument leads to.
  void give_away(const LibraryCall& call, api::Argument argument);

 private:
  [[nodiscard]] std::uint32_t length_of(const LibraryCall& call, const api::Length& length) const;
  void touch_hidden(const api::Touch& touch);
  void touch_variadic(const LibraryCall& call, const api::Touch& touch);
  void touch_reachable(const LibraryCall& call, const api::Touch& touch);
  [[nodiscard]] SymbolicValue fresh_memory(TypeId type = {}) {
    return SymbolicValue::at({s_.fresh_memory(0, type), 0});
  }
  [[nodiscard]] SymbolicValue address_within(Lvalue object);
  void set_result(const SymbolicValue& value) { s_.names.set(s_.done.at.instruction, value); }

  SymbolicState& s_;
  std::map<std::string, SymbolicValue> thread_owned_;  ///< state of a library of which each thread has its own, by name
};

}  // namespace heddle::scan
