// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof: that a warning, or every warning of a program, cannot happen. A judge that refutes must hand one over, and
// only a checker can make one: the constructor is private, and ProofChecker is derived from in src/proof/ and where a
// search has seen everything, nowhere else (tests/check_layers.py has the list). A judge that was cut short has none,
// so it cannot refute.
//
//   class ExhaustionChecker : race::ProofChecker { … return accept(Form::Exhaustion, "1680 traces", assumptions); }
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace heddle::race {

/// Assumed by proofs of single pairs where others of the program may race (docs/assumptions.md).
inline constexpr const char* races_interleave = "races-interleave";

class Proof {
 public:
  /// What was checked. Forms that have no checker yet are added with it.
  enum class Form : std::uint8_t {
    Exhaustion,    ///< every execution of the closed program was looked at
    States,        ///< every state that it can be in was
    History,       ///< the two threads took two locks in opposite orders, and each still holds its first
    Transactions,  ///< invariants over a graph of all threads keep its two places apart
    Values,        ///< the analysis that decides whole programs separates all accesses at the two places
  };

  [[nodiscard]] Form form() const { return form_; }
  /// In a sentence: "no execution has it: all were looked at".
  [[nodiscard]] const std::string& statement() const { return statement_; }
  /// Names from docs/assumptions.md.
  [[nodiscard]] const std::set<std::string>& assumptions() const { return assumptions_; }
  /// How many were looked at: traces, or states.
  [[nodiscard]] std::uint64_t seen() const { return seen_; }

 private:
  friend class ProofChecker;
  Proof(Form form, std::string statement, std::set<std::string> assumptions, std::uint64_t seen)
      : form_(form), statement_(std::move(statement)), assumptions_(std::move(assumptions)), seen_(seen) {}
  Form form_;
  std::string statement_;
  std::set<std::string> assumptions_;
  std::uint64_t seen_;
};

/// `exhaustion`: the word of reports and of test labels (`-> refuted(exhaustion)`).
std::string_view to_text(Proof::Form form);

/// The only maker of proofs, for those who derive from it.
class ProofChecker {
 protected:
  static Proof accept(Proof::Form form, std::string statement, std::set<std::string> assumptions,
                      std::uint64_t seen = 0) {
    return {form, std::move(statement), std::move(assumptions), seen};
  }
};

}  // namespace heddle::race
