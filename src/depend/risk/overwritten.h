// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether an entry itself surely overwrites a variable between two of its accesses with something else: then the second
// has nothing to do with the first, and the pairs with the write between them are what counts.
//
//   x = 1;  x = in();  y = x;        nothing between the first and the third
#pragma once
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "depend/access/shared_accesses.h"
#include "depend/risk/ways.h"

namespace heddle::depend {

class Overwrites {
 public:
  Overwrites(const Program& program, const CallGraph& calls, const SharedAccesses& accesses)
      : program_(program), calls_(calls), accesses_(accesses) {}

  /// On every way between the two points, as far as it can be seen.
  [[nodiscard]] bool come_between(const Way& way, const Access& first, const Access& second);
  /// A run of the entry may read there what was there before it began.
  [[nodiscard]] bool may_read_older(FunctionId entry, const std::vector<bool>& reached, const Access& read);

 private:
  struct Part {
    GlobalId variable;
    std::int64_t begin = 0, end = 0;
    friend auto operator<=>(const Part&, const Part&) = default;
  };
  /// Who overwrites it.
  struct Stores {
    std::map<FunctionId, std::vector<std::size_t>> by_function;
    std::unordered_set<FunctionId> callers;  ///< these functions, and all that may call them
  };
  const Stores& stores_of(const Part& part);
  const std::vector<std::size_t>& steps_in(FunctionId function, const Part& part);
  [[nodiscard]] bool comes_from(FunctionId function, const Instruction& store, GlobalId variable) const;
  [[nodiscard]] bool reads(FunctionId function, std::size_t instruction, GlobalId variable) const;
  [[nodiscard]] bool always_overwrites(FunctionId function, const Part& part);
  [[nodiscard]] bool has_path_from_begin(FunctionId entry, const std::vector<bool>& reached, const Point& to,
                                         const Part& part, int depth);
  /// Some path leads from behind `from` to `to`, or to a return, without overwriting it.
  [[nodiscard]] bool has_path(FunctionId function, std::optional<std::size_t> from, std::optional<std::size_t> to,
                              const Part& part, Rounds rounds);

  const Program& program_;
  const CallGraph& calls_;
  const SharedAccesses& accesses_;
  std::map<Part, Stores> stores_;
  std::map<std::pair<FunctionId, Part>, std::vector<std::size_t>> steps_;
  std::map<std::pair<FunctionId, Part>, bool> always_;
};

}  // namespace heddle::depend
