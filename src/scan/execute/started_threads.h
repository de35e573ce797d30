// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StartedThreads: the threads that a function starts, each known by its entry and the memory that holds its handle.
//
//   pthread_t t; pthread_create(&t, 0, worker, 0);     row: worker, handle `t`
//   pthread_join(t, 0);                                memory_of(t) is `t`: it waits for that row
//
// All elements of an array are one handle (see thread_state.h). A handle that a wrapper returns is kept in a local of
// ours, so to speak, until it is stored somewhere. At most 64 rows; what has no row or no name counts as any thread.
#pragma once
#include <cstdint>
#include <vector>

#include "scan/execute/bound_call.h"
#include "scan/execute/value_names.h"

namespace heddle::scan {

struct OpenThread : StartedThread {
  static constexpr std::uint32_t no_loop = ~0U;
  Lvalue exact = {};  ///< the handle, with the element
  std::uint32_t loop_head = no_loop;
  friend bool operator==(const OpenThread&, const OpenThread&) = default;
};

class StartedThreads {
 public:
  static constexpr std::uint32_t unknown = ~0U;

  StartedThreads(const FunctionBody& body, ValueNames& names, const std::vector<BoundCall>& calls)
      : body_(body), names_(names), calls_(calls) {}

  /// The row of a thread that the block of this rank starts; `unknown` if it cannot be said which it is.
  std::uint32_t add(const SymbolicValue& entry, Lvalue handle, std::uint32_t rank, bool is_many, bool is_group = false);
  [[nodiscard]] const OpenThread& operator[](std::uint32_t row) const { return rows_[row]; }
  [[nodiscard]] const std::vector<OpenThread>& rows() const { return rows_; }

  /// All elements of an array are one.
  [[nodiscard]] Lvalue handle_name(Lvalue handle);
  /// Where a handle given by value comes from: a load, or a call that returns one.
  [[nodiscard]] Lvalue memory_of(Operand handle);
  /// The memory that stands for the handle a call returns.
  [[nodiscard]] Lvalue returned_handle(ValueId call);
  [[nodiscard]] bool returns_handle(ValueId call) const;
  [[nodiscard]] bool is_nameless(Lvalue handle) const;

 private:
  const FunctionBody& body_;
  ValueNames& names_;
  const std::vector<BoundCall>& calls_;
  std::vector<OpenThread> rows_;
};

}  // namespace heddle::scan
