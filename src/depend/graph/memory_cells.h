// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryCells: which memory an instruction touches, and who writes it.
//
//   state.speed = 3;      writes the bytes 4 to 8 of the global `state`, surely
//   *p = 3;               may write every variable that p may lead to, and the objects of p's class
//   fill(&v);             a function without a body may write what it gets the address of
//
// A cell is a range of a global variable, a range of a local one, or all objects of one class of the alias facts. Cost:
// one walk over the program; then what is asked for.
#pragma once
#include <map>
#include <unordered_set>
#include <vector>

#include "depend/access/access_facts.h"

namespace heddle::depend {

struct Cell {
  GlobalId global = {};
  FunctionId function = {};  ///< of a local variable
  std::uint32_t slot = 0;    ///< its alloca
  alias::ClassId object = {};
  std::int64_t offset = 0;
  std::uint64_t size = 0;  ///< 0: any part of it
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

struct CellWrite {
  FunctionId function = {};
  std::size_t instruction = 0;
  bool is_sure = false;  ///< it overwrites the whole cell
};

struct CellWriters {
  std::vector<CellWrite> writes;             ///< by function and instruction
  std::unordered_set<FunctionId> may_write;  ///< the functions of `writes`, and all that may call them
};

/// What happens to a cell in one function: a write, or a call of somebody who may write it.
struct CellEvent {
  std::size_t instruction = 0;
  bool is_call = false;  ///< of functions with bodies
  bool is_sure = false;  ///< a write of all of it, whichever way
};

class MemoryCells {
 public:
  explicit MemoryCells(const AccessFacts& facts);

  /// At most a few: a pointer that leads to very many variables leads to its class alone.
  [[nodiscard]] std::vector<Cell> touched(FunctionId function, const AccessSite& site) const;
  const CellWriters& writers(const Cell& cell);
  /// In the order of the function's instructions.
  const std::vector<CellEvent>& events(FunctionId function, const Cell& cell);
  [[nodiscard]] const SharedAccesses& shared() const { return shared_; }
  [[nodiscard]] const alias::GlobalPlaces& places() const { return places_; }

 private:
  struct ObjectWrite {
    CellWrite write = {};
    FunctionId frame = {};  ///< of a local variable whose address was taken here
    std::uint32_t slot = 0;
    std::int64_t offset = 0;
    std::uint64_t size = 0;
  };
  void look_at(FunctionId function);
  void add_external(FunctionId function, std::size_t call);
  [[nodiscard]] alias::ClassId object_of(const Cell& cell) const;
  [[nodiscard]] std::optional<Cell> local(FunctionId function, Operand address, std::uint64_t size) const;
  void add_shared(const Cell& cell, CellWriters& to) const;
  void add_objects(const Cell& cell, CellWriters& to) const;

  const Program& program_;
  const alias::AliasFacts& aliases_;
  const CallGraph& calls_;
  const SharedAccesses& shared_;
  const alias::GlobalPlaces& places_;
  const GlobalClasses& classes_;
  std::map<alias::ClassId, std::vector<ObjectWrite>> writes_;       ///< not of a known global
  std::map<alias::ClassId, std::vector<CellWrite>> given_outside_;  ///< calls that get its address
  std::map<Cell, CellWriters> writers_;
  std::map<std::pair<FunctionId, Cell>, std::vector<CellEvent>> events_;
};

}  // namespace heddle::depend
