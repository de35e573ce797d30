// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for functions, globals and source types that a later run of a changed program still understands. Rows of the
// Program's tables move when one unit changes; these stay:
//
//   function, global     its symbol, which linking makes unique
//   string literal       its bytes and its unit
//   struct request       kind and tag, whatever its members are
//   struct request *     what it points to
//
// Two that would get one name are numbered, so within one Program no two are alike. A name says who is meant, not what
// it is: whoever reuses an answer has to ask again about members (MemberKeys), and remember flags of globals. Linear in
// the tables.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "program/model/program.h"

namespace heddle::scan {

class StableIds {
 public:
  explicit StableIds(const Program& program);

  [[nodiscard]] std::uint64_t of(FunctionId id) const { return functions_.names[id.index()]; }
  [[nodiscard]] std::uint64_t of(GlobalId id) const { return globals_.names[id.index()]; }
  /// Of source types only; 0 for none.
  [[nodiscard]] std::uint64_t of(TypeId id) const { return id ? types_.names[id.index()] : 0; }

  /// None if there is no such thing.
  [[nodiscard]] FunctionId function(std::uint64_t name) const { return FunctionId(functions_.find(name)); }
  [[nodiscard]] GlobalId global(std::uint64_t name) const { return GlobalId(globals_.find(name)); }
  [[nodiscard]] TypeId type(std::uint64_t name) const { return TypeId(types_.find(name)); }

 private:
  struct Names {
    std::vector<std::uint64_t> names;                              ///< by row; 0: has none
    std::vector<std::pair<std::uint64_t, std::uint32_t>> buckets;  ///< open addressing; a power of two
    void add(std::uint64_t name);
    void begin(std::size_t rows);
    [[nodiscard]] std::uint32_t find(std::uint64_t name) const;
  };
  std::uint64_t name_type(const Program& program, TypeId id, std::vector<std::uint64_t>& known, int depth);

  Names functions_, globals_, types_;
};

}  // namespace heddle::scan
