// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions with a body do to locks on the whole, when that is the same on every path that returns:
//
//   void q_lock(struct q *q) { if (pthread_mutex_lock(&q->m)) die(); }      takes the lock 8 bytes into argument 0
//   int q_try(struct q *q) { return pthread_mutex_trylock(&q->m) == 0; }    the same if the result is not zero
//
// A guess for people, no fact: calls through pointers and recursive calls count as harmless, memory is not followed.
// Callees go before their callers, so a wrapper of a wrapper is one too. Linear in the program.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::api {

/// The address of a lock as a function knows it.
struct LockPlace {
  enum class Root : std::uint8_t { Argument, Global, Other };
  Root root = Root::Other;
  std::uint32_t index = 0;  ///< argument number, GlobalId, or the value that could not be followed further
  std::int64_t offset = 0;

  friend auto operator<=>(const LockPlace&, const LockPlace&) = default;
};

/// Acquire and Release effects, each with its place; of an Effect only kind, mode, blocking and success count.
struct NetLocks {
  struct Row {
    LockPlace place;
    Effect effect;
  };
  std::vector<Row> rows;
  bool is_mixed = false;  ///< paths differ
};

/// One for each function; empty for those without a body.
[[nodiscard]] std::vector<NetLocks> net_locks(const Program& program, const ApiModels& models);

/// Where a pointer of the function leads.
[[nodiscard]] LockPlace lock_place(const Function& function, Operand pointer);

/// The function a call names, and what it gives it; none for calls through pointers.
struct DirectCall {
  FunctionId callee;
  std::span<const Operand> arguments;
};
[[nodiscard]] std::optional<DirectCall> direct_call(const Function& function, const Instruction& instruction);

}  // namespace heddle::api
