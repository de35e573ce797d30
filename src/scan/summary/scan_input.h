// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScanInput: what all functions of a scan share while they are summarised; const from then on.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "alias/alias_facts.h"
#include "api/models/api_models.h"
#include "program/model/accessed_bytes.h"
#include "program/model/program.h"
#include "scan/calls/assumptions.h"
#include "scan/calls/call_targets.h"
#include "scan/calls/semaphore_locks.h"
#include "scan/names/lvalue.h"
#include "scan/names/stable_ids.h"

namespace heddle::scan {

struct Limits {
  std::uint32_t dependent_groups = 400;  ///< a function hands on to its callers
  std::uint32_t wide_call = 12;          ///< a call with more targets hands on none of their accesses
  std::uint32_t component = 64;          ///< in a larger one, calls backward hand on no accesses
  std::uint32_t stores = 48;             ///< pointers in memory that symbolic execution keeps track of
};

struct ScanInput {
  const Program& program;
  const CallTargets& targets;
  StableIds ids;
  std::vector<const api::Model*>
      models;                     ///< by FunctionId: of those without a body, and of wrappers; null if there is none
  std::vector<bool> trampolines;  ///< by FunctionId, see trampolines.h
  std::vector<bool> pointed_to;   ///< by GlobalId, see pointed_to.h
  std::map<std::uint32_t, alias::Place> hidden_places;  ///< of state inside of libraries, by index of its node
  bool errno_is_known = false;       ///< its address is more than a place to read or write: other threads may have it
  std::vector<bool> only_main_uses;  ///< by GlobalId, see other_threads.h; empty with the assumption `stable-paths`
  bool locks_may_refuse = false;     ///< see other_threads.h; false with the assumption `reentrant-locks`
  Limits limits;
  Assumptions assumptions;
  SemaphoreLocks semaphores;  ///< none without the assumption `semaphores-lock`
  /// A profile says so: volatile accesses are meant to race (READ_ONCE of the kernel).
  bool volatile_is_marked = false;

  [[nodiscard]] bool is_pointer(TypeId type) const { return type && program.types[type].kind == TypeKind::Pointer; }
  [[nodiscard]] std::uint32_t bytes_of(TypeId type) const {
    return type ? static_cast<std::uint32_t>(accessed_bytes(program.types[type])) : 0;
  }
  [[nodiscard]] std::uint32_t word_bytes() const { return program.layout.pointer_bits / 8; }
};

/// `entries`: functions that somebody outside calls, in threads of his own.
ScanInput make_input(const Program& program, const api::ApiModels& models, const CallTargets& targets,
                     const alias::AliasFacts& aliases, const Limits& limits, const Assumptions& assumptions,
                     const std::vector<FunctionId>& entries = {});

}  // namespace heddle::scan
