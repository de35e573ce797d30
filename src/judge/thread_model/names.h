// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names: what a model under construction calls the memory, the locks and the threads of the program.
//
//   n at bytes 0..3 of an object of which there is one      shared variable 0
//   &m                                                      lock 0
//   pthread_create(&t, 0, f, 0) in main                     thread 1; the handle in `t` is that of thread 1, if of no
//                                                           other
//   slots[i].state                                          shared variable 1, if `i` is the element that is followed
//
// Cells may overlap: who writes one changes the others. So a model is built twice: the first time to know its cells.
//
// While a model grows, slots have numbers from `first_local` on, so that shared variables can be added.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "judge/thread_graphs/model.h"
#include "judge/thread_model/pointed_memory.h"
#include "judge/thread_model/rows.h"
#include "program/model/program.h"

namespace heddle::judge::transaction {

/// An address: so many bytes into an object.
struct Memory {
  ObjectIndex object = 0;
  std::uint32_t frame = 0;  ///< of locals of which there may be more than one: whose; else 0
  std::int64_t offset = 0;
  [[nodiscard]] bool is_single() const { return frame == 0; }
  friend auto operator<=>(const Memory&, const Memory&) = default;
};

/// Bytes of a single object that are read or written as an integer.
struct Cell {
  /// Of a number: itself, or whether it is the number of the element that is followed, or a pointer into that one.
  /// Or one of its bits; or whether it has ever been that number.
  enum class Tells : std::uint8_t { Number, WhetherIndexIsIt, WhetherPointerIsIt, Bit, HasBeen };
  ObjectIndex object = 0;  ///< or `thread`, or `row`
  std::int64_t offset = 0;
  std::uint64_t bytes = 0;  ///< 0: the object's address, or the argument of a thread
  unsigned bits = 0;
  std::optional<ThreadIndex> thread = {};
  Interval range = Interval::of_width(64);
  std::optional<RowIndex> row = {};  ///< of the element that is followed; `offset` behind its beginning
  bool is_element = false;           ///< whether the number of that element is `offset`
  Tells tells = Tells::Number;
  std::int64_t which = 0;  ///< bit, or number
  [[nodiscard]] bool tells_which() const {
    return tells == Tells::WhetherIndexIsIt || tells == Tells::WhetherPointerIsIt;
  }
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// Some bytes of an object.
struct Region {
  ObjectIndex object = 0;
  std::int64_t offset = 0;             ///< or `alias::anywhere`
  std::optional<std::uint64_t> bytes;  ///< none: to its end
  bool is_part = false;                ///< some of these bytes, nobody knows which

  [[nodiscard]] bool has_byte_of(ObjectIndex other, std::int64_t begin, std::uint64_t size) const {
    if (other != object) return false;
    if (offset == alias::anywhere) return true;
    return offset < begin + static_cast<std::int64_t>(size) &&
           (!bytes || begin - offset < static_cast<std::int64_t>(*bytes));
  }
};

/// The number of which a cell tells something: all its bytes.
[[nodiscard]] inline Cell number_in(Cell cell) {
  if (cell.tells == Cell::Tells::Number) return cell;
  cell.tells = Cell::Tells::Number;
  cell.which = 0;
  if (cell.bytes != 0) cell.bits = static_cast<unsigned>(8 * cell.bytes);
  if (cell.bytes != 0) cell.range = Interval::of_width(cell.bits);
  return cell;
}

class Names {
 public:
  Names(const Program& program, const api::ApiModels& models, const PointedMemory& memory, const Rows& rows)
      : program_(program), models_(models), memory_(memory), rows_(rows) {}

  /// The shared variable for an access to that many bytes as an integer; none: no model wants to know it.
  std::optional<VariableIndex> cell(const Memory& memory, std::uint64_t bytes, unsigned bits, Interval range);
  /// Where an object lies: a number that nobody knows, and that stays.
  VariableIndex address(ObjectIndex object);
  [[nodiscard]] bool is_address(VariableIndex variable) const {
    return cells_[variable].bytes == 0 && !cells_[variable].thread && !cells_[variable].is_element;
  }
  [[nodiscard]] bool is_argument(VariableIndex variable) const { return cells_[variable].thread.has_value(); }
  /// What is handed to the thread when it is started; whether that is the element, or a pointer into it.
  VariableIndex argument(ThreadIndex thread);
  VariableIndex whether_argument_is_it(ThreadIndex thread);

  /// The same field of the element that is followed.
  std::optional<VariableIndex> field(Rows::Spot spot, std::uint64_t bytes, unsigned bits, Interval range);
  /// Fields of rows that an access may touch.
  [[nodiscard]] std::vector<VariableIndex> fields_in(const Rows::Lead& lead, std::optional<std::uint64_t> bytes) const;
  /// Whether the element that is followed has that number.
  VariableIndex is_element(std::int64_t number);
  /// Whether what lies in the cell is it; none: no model wants to know that.
  std::optional<VariableIndex> whether_it(VariableIndex cell, bool is_pointer);
  [[nodiscard]] std::optional<VariableIndex> whether_it_is_known(VariableIndex cell, bool is_pointer) const;
  /// One bit of what lies in the cell; none: no model wants to know that.
  std::optional<VariableIndex> bit(VariableIndex cell, unsigned position);
  struct BitCell {
    unsigned position = 0;
    VariableIndex variable = 0;
  };
  /// Those of the mask that a model wants to know.
  [[nodiscard]] std::vector<BitCell> bits_of(VariableIndex cell, std::uint64_t mask) const;

  /// Who reads these bytes may read what was written long ago.
  void weaken(const Region& region) { weak_.push_back(region); }
  [[nodiscard]] bool is_weak(VariableIndex cell) const;
  /// The number is written there, whole.
  void hold(VariableIndex cell, std::int64_t number) { held_[place_of(cells_[cell])].insert(number); }
  /// All that was ever there; none: nobody knows.
  [[nodiscard]] std::optional<std::set<std::int64_t>> held(VariableIndex cell) const;
  /// Whether that was there; none: no model wants to know.
  std::optional<VariableIndex> has_been(VariableIndex cell, std::int64_t number);
  [[nodiscard]] bool is_same_place(VariableIndex one, VariableIndex other) const {
    return place_of(cells_[one]) == place_of(cells_[other]);
  }
  void lose_cell(VariableIndex cell);

  [[nodiscard]] bool has_cells(ObjectIndex object) const;
  [[nodiscard]] std::vector<SharedVariable> shared() const;
  [[nodiscard]] const Cell& cell(VariableIndex variable) const { return cells_[variable]; }
  /// The variables of cells that have a byte in the region.
  [[nodiscard]] std::vector<VariableIndex> cells_in(const Region& region) const;

  /// The library changes these bytes in its own way: they are no numbers of the program.
  void lose_cells(const Region& region) { lost_cells_.push_back(region); }
  void lose_fields(const Rows::Lead& lead, std::uint64_t bytes);
  /// From now on there are these cells, and no others. Of the rest, only what memory can hold is remembered.
  void keep(const std::set<VariableIndex>& wanted);
  void forget_building();

  /// A pointer to one of these is stored there; or nobody knows what is.
  void holds(const Region& region, const std::vector<Target>& targets);
  void holds_anything(const Region& region) { unknown_contents_.push_back(region); }
  /// What can lie there, if all that was stored is known from building the model before.
  [[nodiscard]] std::optional<std::vector<Target>> contents(const Memory& memory) const;

  LockIndex lock(const Memory& memory);
  LockIndex lock(const std::string& name);
  LockIndex lock(Rows::Spot spot);  ///< of the element that is followed
  [[nodiscard]] const std::vector<std::string>& locks() const { return lock_names_; }
  /// It may be taken or given back where the model does not see it.
  void lose_lock(Target target) { lost_locks_.insert(target); }
  void lose_locks(const Rows::Lead& lead) { lost_rows_.insert(lead.rows.begin(), lead.rows.end()); }
  void lose_locks() { are_locks_lost_ = true; }
  [[nodiscard]] std::set<LockIndex> lost_locks() const;

  /// A thread's handle is written there.
  void handle(const Memory& memory, ThreadIndex thread) { handles_[memory].insert(thread); }
  /// Something else is.
  void no_handle(const Region& region) { no_handles_.push_back(region); }
  /// Zero is.
  void null_handle(const Region& region) { null_handles_.push_back(region); }
  /// The only thread whose handle can be there; or null, if whoever asks may be told nothing then.
  [[nodiscard]] std::optional<ThreadIndex> thread_of(const Memory& memory, bool may_be_null) const;

 private:
  VariableIndex number_of(const Cell& cell);
  std::optional<VariableIndex> wanted_number_of(const Cell& cell);
  [[nodiscard]] bool is_lost(const Cell& cell) const;
  /// A place, or a field of the element that is followed, or else a name.
  struct LockName {
    std::optional<Memory> memory = {};
    std::optional<Rows::Spot> spot = {};
    std::string name = {};
    friend auto operator<=>(const LockName&, const LockName&) = default;
  };
  LockIndex lock_of(const LockName& lock, const std::string& name);
  [[nodiscard]] std::string text(const Cell& cell) const;
  [[nodiscard]] std::string text(const Memory& memory) const;
  [[nodiscard]] std::string text(Rows::Spot spot) const;
  [[nodiscard]] std::optional<std::int64_t> initial(const Cell& cell) const;
  [[nodiscard]] bool is_made_zero(const alias::PointedObject& object) const;

  const Program& program_;
  const api::ApiModels& models_;
  const PointedMemory& memory_;
  const Rows& rows_;
  std::vector<Cell> cells_;
  std::map<Cell, VariableIndex> cell_numbers_;
  bool is_closed_ = false;                                        ///< no other cells of memory
  bool is_built_ = false;                                         ///< once
  std::map<Target, std::set<Target>> contents_, known_contents_;  ///< of this building, and of the one before
  std::vector<Region> unknown_contents_, known_unknown_;
  using CellPlace = std::tuple<ObjectIndex, std::int64_t, std::uint64_t, std::optional<RowIndex>>;
  [[nodiscard]] static CellPlace place_of(const Cell& cell) { return {cell.object, cell.offset, cell.bytes, cell.row}; }
  std::vector<Region> weak_;  ///< of all buildings, as is what is held there
  std::map<CellPlace, std::set<std::int64_t>> held_;
  struct LostField {
    RowIndex row = 0;
    std::optional<Region> bytes;  ///< behind the beginning of an element; none: nobody knows which
  };
  std::vector<Region> lost_cells_;  ///< of all buildings
  std::vector<LostField> lost_fields_;
  std::vector<std::string> lock_names_;
  std::map<LockName, LockIndex> lock_numbers_;
  std::set<Target> lost_locks_;
  std::set<RowIndex> lost_rows_;  ///< of locks
  bool are_locks_lost_ = false;
  std::map<Memory, std::set<ThreadIndex>> handles_;
  std::vector<Region> no_handles_, null_handles_;
};

}  // namespace heddle::judge::transaction
