// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "interpret/code/decoded.h"

namespace heddle::interpret {

/// The constants of all functions as slots, each once. Filled backwards: numbers below zero count from the end.
class ConstantPool {
 public:
  ConstantPool(const Program& program, const std::vector<Shape>& shapes, const Placement& placement)
      : program_(program), shapes_(shapes), placement_(placement) {}

  std::int32_t slot_of(Operand operand) {
    const auto key = std::pair(operand.kind(), operand.index());
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    std::vector<Slot> slots;
    flatten(operand, slots);
    // The pool is filled backwards, so the slots of one constant go in last first.
    slots_.insert(slots_.end(), slots.rbegin(), slots.rend());
    const auto at = -static_cast<std::int32_t>(slots_.size());
    known_.emplace(key, at);
    return at;
  }

  std::vector<Slot> take() {
    std::ranges::reverse(slots_);
    return std::move(slots_);
  }

 private:
  void flatten(Operand operand, std::vector<Slot>& out) const {
    switch (operand.kind()) {
      case Operand::Kind::Global:
        out.push_back({placement_.global_address[operand.index()], 0, placement_.global_object[operand.index()], 0});
        return;
      case Operand::Kind::Function: out.push_back({placement_.function_address[operand.index()], 0, 0, 0}); return;
      case Operand::Kind::Constant: flatten(program_.constants[operand.as_constant()], out); return;
      default: out.push_back({0, ~0ULL, 0, 0});
    }
  }

  void flatten(const Constant& constant, std::vector<Slot>& out) const {
    const Shape& shape = shapes_[constant.type.index()];
    switch (constant.kind) {
      case Constant::Kind::Aggregate:
        for (const Operand element : constant.elements) flatten(element, out);
        return;
      case Constant::Kind::Int:
      case Constant::Kind::Float:
        for (std::uint32_t i = 0; i < shape.slots; ++i)
          out.push_back({i < constant.wide.size() ? constant.wide[i] : i == 0 ? constant.bits : 0, 0, 0, 0});
        return;
      default: break;
    }
    const bool is_undef = constant.kind == Constant::Kind::Undef || constant.kind == Constant::Kind::Poison;
    for (std::uint32_t i = 0; i < shape.slots; ++i) {
      const std::uint64_t mask = shape.leaves[i].bits == 64 ? ~0ULL : (1ULL << shape.leaves[i].bits) - 1;
      out.push_back({0, is_undef ? mask : 0, 0, 0});
    }
  }

  const Program& program_;
  const std::vector<Shape>& shapes_;
  const Placement& placement_;
  std::map<std::pair<Operand::Kind, std::uint32_t>, std::int32_t> known_;
  std::vector<Slot> slots_;
};

}  // namespace heddle::interpret
