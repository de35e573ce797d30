// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source calls the memory that an access touches, and the how-manieth of its kind the access is in its
// function:
//
//   void put(struct ring *r) { r->head++; … r->head = 0; }    read of r->head: 0;  writes of r->head: 0 and 1
//
// Naming walks a whole function, so accesses that are known beforehand are best announced together.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "program/names/access_path.h"
#include "program/names/access_path_namer.h"
#include "race/access.h"

namespace heddle::race {

class AccessNaming {
 public:
  struct Name {
    std::string path;           ///< `r->head`; empty if the function does not say
    std::uint32_t ordinal = 0;  ///< of the accesses of that kind to that path in the function, in instruction order
  };

  explicit AccessNaming(const Program& program) : program_(program), namer_(program, paths_) {}

  /// Names them function by function, whatever their order.
  void announce(std::vector<Access> accesses);
  const Name& operator()(const Access& access);

 private:
  using Key = std::tuple<FunctionId, std::uint32_t, AccessKind>;
  static Key key_of(const Access& a) { return {a.function, a.instruction, without_updates(a.kind)}; }
  void enter(FunctionId function);
  [[nodiscard]] Name name(const Access& access);
  [[nodiscard]] std::uint32_t ordinal_of_call(const Access& access) const;

  const Program& program_;
  AccessPathTable paths_;
  AccessPathNamer namer_;
  FunctionId current_;
  std::vector<AccessSite> sites_;             ///< of the current function
  std::vector<AccessPathId> paths_of_sites_;  ///< alike
  std::map<Key, Name> known_;
};

}  // namespace heddle::race
