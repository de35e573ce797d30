// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BranchTest: what a branch says about a value on each of its two ways.
//
//   if (pthread_mutex_trylock(&m) == 0) …      the result is Zero if it is taken, NonZero if not
//   if (!need_lock) …                          need_lock is Zero if it is taken, NonZero if not
//   if (down_timeout(&s) < 0) …                Negative; NonNegative
//   if (IS_ERR(p)) …                           p is Error, one of the numbers that stand for one; NotError
//
// Casts that keep zero, `!` and comparisons with 0 are looked through; `x == 5` says NonZero on one way and nothing on
// the other. So are functions that only ask something of a parameter, as `IS_ERR` does.
#pragma once
#include <cstdint>
#include <optional>

#include "scan/execute/value_names.h"

namespace heddle::scan {

/// What is known of a value. `Always`: nothing; of something that depends on it: it happens in any case.
enum class ResultSign : std::uint8_t { Always, Zero, NonZero, Negative, NonNegative, Error, NotError };

struct BranchTest {
  std::uint32_t value = 0;  ///< a ValueId
  ResultSign if_true = ResultSign::Always, if_false = ResultSign::Always;
  [[nodiscard]] ResultSign on(std::size_t successor) const { return successor == 0 ? if_true : if_false; }
  /// Whether it asks for zero and nothing else.
  [[nodiscard]] bool asks_for_zero() const { return if_true <= ResultSign::NonZero && if_false <= ResultSign::NonZero; }
};

/// The first value of a chain of casts that is zero if and only if this one is.
[[nodiscard]] Operand before_casts(const Program& program, const Function& function, Operand operand);

/// Zero or NonZero where that is sure.
[[nodiscard]] ResultSign sign_of(ValueNames& names, Operand value);

/// Of a conditional branch; none if it says nothing.
[[nodiscard]] std::optional<BranchTest> find_test(const ScanInput& input, const Function& function, ValueNames& names,
                                                  const Instruction& branch);

}  // namespace heddle::scan
