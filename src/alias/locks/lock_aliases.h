// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockAliases: which lock pointers are surely the same lock (CAV07 §3). Pointers that are handed to lock functions are
// divided by Steensgaard's classes (AliasFacts): only those of one class can be the same. Within one, a pointer is
// followed backward to what it was when the outermost function of a context began (term_summaries.h), and two pointers
// at one point are the same lock if both were the same then (Proposition 3: there is one pointer with maximally
// complete update sequences to both; that one of them is this pointer itself is the first case).
//
//   void lock_it(struct obj *o) { pthread_mutex_lock(&o->base->m); }
//   void f(void) { lock_it(&a); … }                context f → lock_it: &a.base->m
//
// A context is the calls that lead to a point, outermost first. Without contexts (Contexts::Joined), a pointer is what
// it is at all calls of its function, or nothing. A result of globals alone means the same in every thread
// (thread-local variables aside) and can be compared between them; what its path passes through has to keep its value
// (assumption `stable-paths` of scans).
//
// A pointer that was made of a number or by assembly is in no partition: it is never said to be the same as another
// one, so it protects nothing, and whoever releases it may release every lock of its kind.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "alias/global_places.h"
#include "alias/locks/term_summaries.h"

namespace heddle::alias {

/// A call that takes or gives back the lock that an argument points to.
struct LockUse {
  FunctionId function;
  std::uint32_t instruction = 0;
  Operand pointer;
  bool is_taken = true;
  friend bool operator==(const LockUse&, const LockUse&) = default;
};

struct LockPartition {
  std::uint32_t object = 0;  ///< of the canonical place that its pointers lead to
  std::vector<LockUse> uses;
};

struct ContextStep {
  FunctionId function;
  std::uint32_t instruction = 0;  ///< the call of the next one; of the last one, the point in front of which is asked
};

enum class Contexts : std::uint8_t { Separate, Joined };

class LockAliases {
 public:
  LockAliases(const Program& program, const api::ApiModels& models, const AliasFacts& aliases);

  LockAliases(const LockAliases&) = delete;
  LockAliases& operator=(const LockAliases&) = delete;

  /// By object; within one, by function and instruction.
  [[nodiscard]] const std::vector<LockPartition>& partitions() const { return partitions_; }
  /// Uses of pointers that were made of numbers or by assembly, or lead nowhere that is known.
  [[nodiscard]] const std::vector<LockUse>& outside() const { return outside_; }
  [[nodiscard]] bool is_partitioned(FunctionId function, Operand pointer) const;

  /// What a pointer of the last function was when the first one of the context began. Joined: only the last step
  /// counts, and the answer is of globals alone or nothing.
  std::optional<LockTerm> origin(std::span<const ContextStep> context, const LockTerm& pointer,
                                 Contexts contexts = Contexts::Separate);
  /// Whether two pointers of the last function are surely the same.
  bool must_alias(std::span<const ContextStep> context, const LockTerm& a, const LockTerm& b,
                  Contexts contexts = Contexts::Separate);
  /// The same for a lock function's argument.
  std::optional<LockTerm> origin(std::span<const ContextStep> context, Operand pointer,
                                 Contexts contexts = Contexts::Separate);

  /// The place in a global that a value points to whenever it is made, at all calls of its function; nothing: there is
  /// no such place.
  std::optional<GlobalPlace> address(FunctionId function, ValueId value);

  [[nodiscard]] Place place(FunctionId function, Operand pointer) const { return aliases_.place(function, pointer); }
  [[nodiscard]] Place content(Place place) const { return aliases_.content(place); }
  [[nodiscard]] TermSummaries& summaries() { return summaries_; }

 private:
  void find_uses(const api::ApiModels& models);
  [[nodiscard]] std::optional<LockTerm> only_choice(FunctionId function, ValueId value) const;
  std::optional<LockTerm> at_all_calls(FunctionId function, const LockTerm& entry, std::set<FunctionId>& above);

  const Program& program_;
  const AliasFacts& aliases_;
  MemoryWrites memory_;
  TermSummaries summaries_;
  struct Caller {
    FunctionId function;
    std::uint32_t call = 0;
  };
  std::vector<std::vector<Caller>> callers_;  ///< by function
  std::vector<LockPartition> partitions_;
  std::vector<LockUse> outside_;
};

}  // namespace heddle::alias
