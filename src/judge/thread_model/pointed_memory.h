// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PointedMemory: the objects of a program of which there is only one, so that an address that can be nowhere else is
// that place: a pointer that is null or leads to `dev` changes `dev` where it is written through.
//
//   struct dev dev;                      one: a variable with one name
//   struct req *r = malloc(sizeof *r);   one, in a call that is made once, not in a loop: one for each such call
//   int local;                           one, in such a call; elsewhere each call has its own
//
// Rests on `defined-behaviour`: nobody writes through null, and no address of one object is computed from that of
// another.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alias/inclusion/points_to.h"

namespace heddle::judge::transaction {

using alias::ObjectIndex;
using alias::Target;

class PointedMemory {
 public:
  PointedMemory(const Program& program, const api::ApiModels& models, FunctionId main, bool declared_arrays);

  [[nodiscard]] const alias::PointsTo& points() const { return points_; }
  [[nodiscard]] const alias::PointedObject& object(ObjectIndex index) const { return points_.object(index); }
  [[nodiscard]] bool is_single(ObjectIndex index) const { return single_[index]; }
  /// None: nothing points to the variable, or to the memory of the alloca.
  [[nodiscard]] std::optional<ObjectIndex> of(GlobalId global) const;
  [[nodiscard]] std::optional<ObjectIndex> of(alias::ContextId context, std::uint32_t alloca) const;
  /// Some object, or nobody knows which: also one of those that are single.
  [[nodiscard]] bool is_unknown(ObjectIndex index) const {
    return object(index).kind == alias::PointedObject::Kind::Unknown;
  }
  /// 0: not known.
  [[nodiscard]] std::uint64_t size(ObjectIndex index) const;
  [[nodiscard]] std::string name(ObjectIndex index) const;

 private:
  void find_what_runs_once();
  [[nodiscard]] bool find_single(const alias::PointedObject& object) const;

  const Program& program_;
  alias::PointsTo points_;
  std::vector<bool> runs_once_;  ///< by context
  std::vector<bool> single_;     ///< by object
};

}  // namespace heddle::judge::transaction
