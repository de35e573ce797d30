// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A State in words, for `heddle ir --states`: what the analysis of a whole program knows at one place. The form is for
// people and may change.
//
//     other threads may run
//     locks   &m
//     created worker at counter.c:20 (several)
//     %4 = #12 + 4
//     counter[0..4) = #13
//     #12     0..9
//
// `#12` is a symbol: an unknown, but fixed number. Below the values stands what is known of each symbol that occurs.
#pragma once
#include <iosfwd>
#include <set>
#include <string>

#include "topdown/domain/state.h"

namespace heddle::topdown {

class StateText {
 public:
  explicit StateText(Universe& universe) : u_(universe) {}

  /// The state where a block of `context` begins: of the values only those of that function.
  void print(std::ostream& out, ContextId context, const State& s);
  [[nodiscard]] std::string form(FormId form);
  [[nodiscard]] std::string info(InfoId info) const;

 private:
  [[nodiscard]] std::string object(ObjectId object) const;
  [[nodiscard]] std::string cell(const Cell& cell) const;
  [[nodiscard]] std::string thread(ThreadId thread) const;
  void print_threads(std::ostream& out, const State& s);
  void print_values(std::ostream& out, ContextId context, const State& s);
  void print_symbols(std::ostream& out, const State& s);

  Universe& u_;
  std::set<SymbolId> mentioned_;  ///< in what was printed since the last list of symbols
};

}  // namespace heddle::topdown
