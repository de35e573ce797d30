// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LinearForm: 3·x − y + 7, over variables that are known by number. Mathematical integers: whoever computes in a width
// says what wraps around (RelationalDomain::wrap).
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::numeric {

struct LinearTerm {
  std::uint32_t variable = 0;
  std::int64_t factor = 0;
  friend auto operator<=>(const LinearTerm&, const LinearTerm&) = default;
};

struct LinearForm {
  std::vector<LinearTerm> terms;  ///< sorted by variable, each once, no factor is 0
  std::int64_t constant = 0;

  [[nodiscard]] static LinearForm number(std::int64_t constant) { return {{}, constant}; }
  [[nodiscard]] static LinearForm variable(std::uint32_t variable, std::int64_t factor = 1, std::int64_t constant = 0) {
    return factor == 0 ? number(constant) : LinearForm{{{variable, factor}}, constant};
  }
  /// False: a number would not fit into 64 bits, and nothing is changed.
  [[nodiscard]] bool add(std::uint32_t variable, std::int64_t factor);
  [[nodiscard]] bool negate();
  friend auto operator<=>(const LinearForm&, const LinearForm&) = default;
};

/// left + by·right; none: a number would not fit into 64 bits.
[[nodiscard]] std::optional<LinearForm> sum(LinearForm left, const LinearForm& right, std::int64_t by = 1);

/// What is said of a form.
enum class Relation : std::uint8_t {
  AtMostZero,
  Zero,
  NotZero,
};

/// A guard by the two that a domain has of its own: `at_most_zero(form)` and `not_zero(form)`.
template <class AtMostZero, class NotZero>
void guard_by(const LinearForm& form, Relation relation, const AtMostZero& at_most_zero, const NotZero& not_zero) {
  if (relation == Relation::NotZero) return not_zero(form);
  at_most_zero(form);
  if (LinearForm other = form; relation == Relation::Zero && other.negate()) at_most_zero(other);
}

}  // namespace heddle::numeric
