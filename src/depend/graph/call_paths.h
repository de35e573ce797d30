// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CallPaths: how a run of an entry came to a function, as a chain of calls.
//
//   task → calc (line 10) → get (line 21)       one path; get called from line 22 is another one
//
// A path holds no function twice: a recursive call, and a function with very many paths, is on the path `any`, whose
// callers are all that there are. Paths are made when they are asked for, equal ones are one row.
#pragma once
#include <map>
#include <tuple>
#include <vector>

#include "base/table.h"
#include "depend/access/access_facts.h"

namespace heddle::depend {

struct CallFrame;
using PathId = Id<CallFrame>;

struct CallFrame {
  PathId caller = {};      ///< none: an entry begins here, or it is called in whichever way
  std::uint32_t call = 0;  ///< instruction of the caller
  FunctionId function = {};
  std::uint32_t entry = 0;  ///< in System::entries(), or CallPaths::no_entry
  bool is_any = false;
  std::uint32_t depth = 0;
};

class CallPaths {
 public:
  explicit CallPaths(const AccessFacts& facts);

  /// Of functions that no entry reaches.
  static constexpr std::uint32_t no_entry = ~0U;

  [[nodiscard]] const CallFrame& operator[](PathId path) const { return frames_[path]; }
  [[nodiscard]] bool reaches(std::uint32_t entry, FunctionId function) const;

  PathId begin(std::uint32_t entry);
  PathId any(FunctionId function, std::uint32_t entry);
  PathId call(PathId caller, std::size_t instruction, FunctionId callee);
  /// All paths of the entry to the function; `any` alone if they are very many.
  const std::vector<PathId>& to(FunctionId function, std::uint32_t entry);

  struct Caller {
    PathId path;
    std::size_t call = 0;
  };
  /// Where the function was called on that path; nothing: an entry begins there.
  std::vector<Caller> callers(PathId path);
  /// A run of the entry may begin with it.
  [[nodiscard]] bool may_begin(PathId path) const;
  /// All calls of a function, whoever makes them: what the parameters of an entry mean that is also called.
  std::vector<Caller> all_callers(FunctionId function);
  /// In one run of an entry the one instruction may come before the other.
  [[nodiscard]] bool may_precede(PathId path, std::size_t instruction, PathId later,
                                 std::size_t later_instruction) const;

 private:
  PathId intern(const CallFrame& frame);
  PathId below(PathId caller, std::size_t instruction, FunctionId callee);
  [[nodiscard]] bool is_on(PathId path, FunctionId function) const;
  std::vector<PathId> find_paths(FunctionId function, std::uint32_t entry);

  const CallGraph& calls_;
  Table<CallFrame> frames_;
  std::vector<FunctionId> begins_;                 ///< by entry
  const std::vector<std::vector<bool>>& reached_;  ///< by entry and function
  std::map<std::tuple<PathId, std::uint32_t, FunctionId, std::uint32_t, bool>, PathId> ids_;
  std::map<std::pair<FunctionId, std::uint32_t>, std::vector<PathId>> to_;
};

}  // namespace heddle::depend
