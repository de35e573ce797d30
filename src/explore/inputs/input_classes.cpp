// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/inputs/input_classes.h"

#include <optional>

#include "api/action.h"
#include "explore/inputs/followed_number.h"
#include "interpret/code/values.h"

namespace heddle::explore {
namespace {

constexpr std::size_t most_values = 64;  // of one input

/// Of a call whose result may be any number: its width. A function that nobody knows is called as such a one.
std::optional<std::uint32_t> bits_of_input(const Program& program, const api::ApiModels& models, const Function& f,
                                           const Instruction& code) {
  if (!code.is_call() || !f.operands_of(code)[0].is_function()) return std::nullopt;
  const Function& callee = program.functions[f.operands_of(code)[0].as_function()];
  if (callee.has_body() || callee.is_intrinsic) return std::nullopt;
  const api::Model* model = models.find(callee.name);
  const auto is_value = [](const api::Effect& effect) { return api::get<api::ReturnValue>(effect).has_value(); };
  if (model != nullptr && (model->effects.size() != 1 || !is_value(model->effects[0]))) return std::nullopt;
  const Type& type = program.types[code.type];
  if (type.kind != TypeKind::Int || type.value_bits == 0 || type.value_bits > 64) return std::nullopt;
  return static_cast<std::uint32_t>(type.value_bits);
}

/// Cuts the values of one input into classes until following one of each shows no further cut.
class Classes {
 public:
  Classes(const Program& program, const api::ApiModels& models, const InputCall& call)
      : program_(program), models_(models), call_(call), cuts_{0, std::uint64_t{1} << (call.bits - 1)} {}

  /// Nothing: there are too many, or no comparison tells them apart.
  std::optional<std::vector<std::uint64_t>> find() {
    while (follow_all()) {
      if (cuts_.size() > most_values || is_lost_) return std::nullopt;
    }
    if (is_lost_) return std::nullopt;
    return values();
  }

 private:
  /// Whether there were new cuts.
  bool follow_all() {
    const std::set<std::uint64_t> before = cuts_;
    used_.clear();
    for (const std::uint64_t first : before) {
      Followed one = follow_number(program_, models_, call_, first);
      is_lost_ = is_lost_ || one.is_lost;
      if (one.is_used) used_.insert(first);
      cuts_.merge(one.cuts);
    }
    return cuts_.size() > before.size();
  }

  /// Of a class that is used all, of others the first.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> values() const {
    std::vector<std::uint64_t> out;
    const std::uint64_t last = interpret::mask_of(call_.bits);
    for (auto it = cuts_.begin(); it != cuts_.end(); ++it) {
      const std::uint64_t end = std::next(it) == cuts_.end() ? last : *std::next(it) - 1;
      out.push_back(*it);
      if (!used_.contains(*it)) continue;
      if (end - *it >= most_values - out.size()) return std::nullopt;
      for (std::uint64_t value = *it + 1; value <= end && value != 0; ++value) out.push_back(value);
    }
    if (used_.empty() && cuts_.size() == 2 && call_.bits > 1) return std::nullopt;
    return out;
  }

  const Program& program_;
  const api::ApiModels& models_;
  InputCall call_;
  std::set<std::uint64_t> cuts_;  ///< the first value of each class
  std::set<std::uint64_t> used_;  ///< of them
  bool is_lost_ = false;
};

}  // namespace

interpret::InputValues input_classes(const Program& program, const api::ApiModels& models) {
  interpret::InputValues out;
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const auto bits = bits_of_input(program, models, function, function.instructions[i]);
      if (!bits) continue;
      if (auto values = Classes(program, models, {FunctionId(f), i, *bits}).find())
        out[{static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(i)}] = std::move(*values);
    }
  }
  return out;
}

}  // namespace heddle::explore
