// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people are told of a triple, wherever it is shown: what may go wrong, from where to where, what would mend it.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "depend/risk/triples.h"

namespace heddle::depend {

/// The part of one function in which the interruption matters, by lines.
struct Interval {
  std::string function;  ///< empty: not known
  std::uint32_t from = 0, to = 0;
};
[[nodiscard]] Interval interval_of(const Program& program, const Way& way);
/// `task, from line 5 to line 9`
[[nodiscard]] std::string to_text(const Interval& interval);

/// `two reads of 'speed' may find different values`. Names are those of the first and the second access.
[[nodiscard]] std::string title_of(const std::string& first, const std::string& second, const Triple& triple);
/// A sentence or two. `interrupters` are entries.
[[nodiscard]] std::string fix_of(const System& system, const Interval& interval, const std::string& first,
                                 const std::string& second, const Triple& triple,
                                 std::span<const std::size_t> interrupters);
/// All of it, of a triple alone, with the names of its variables.
struct TripleWords {
  std::string title, interval, fix;
};
[[nodiscard]] TripleWords words_of(const Program& program, const System& system, const Triple& triple);
/// Does not change when lines move. `parts`: of each access kind, name, function and entry.
[[nodiscard]] std::string triple_id(std::span<const std::string> parts);

}  // namespace heddle::depend
