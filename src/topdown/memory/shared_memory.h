// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SharedMemory: what cells that several threads may reach can hold while more than one thread runs, whoever wrote it
// and whenever (one flow-insensitive invariant per cell, as in thread-modular analysis). It only grows; the driver
// repeats its rounds until it is stable. A cell's initial content counts unless it was surely overwritten before the
// first thread started.
//
// A cell that no thread writes while several run is *frozen*: everybody reads one and the same number there. A cell
// that one thread alone writes is *owned* by it: that thread may go on tracking its content, the others see all of it.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "topdown/domain/lock_kinds.h"
#include "topdown/domain/universe.h"
#include "topdown/memory/fact_reads.h"

namespace heddle::topdown {

class SharedMemory {
 public:
  explicit SharedMemory(Universe& universe) : u_(universe) {}

  /// The content of a cell before anything was stored in it.
  [[nodiscard]] FormId initial(CellId cell);

  /// Everything the cell may hold.
  [[nodiscard]] InfoId read(CellId cell);
  /// Who stores while several threads run, and what keeps others away meanwhile.
  struct Writer {
    ThreadId thread;
    std::vector<LockName> locks;  ///< surely held, exclusively; sorted
    bool changes_flag = false;    ///< takes or frees a lock made of a variable, as LockKinds describes
    std::int64_t step = 0;        ///< positive: it surely adds this much to what is in the cell, without wrap-around
  };
  void write(CellId cell, InfoId info, const Writer& writer);
  /// Stored before; becomes visible to threads now. `first`: nothing was visible so far on this path.
  void publish(CellId cell, InfoId info, bool first);
  /// On this path the cell still had its initial content when the first thread started.
  void publish_initial(CellId cell);
  [[nodiscard]] bool is_frozen(CellId cell) const;
  /// Nobody but `thread`, of which there is one, writes the cell while several run: it knows what it wrote last.
  [[nodiscard]] bool is_owned(CellId cell, ThreadId thread) const;
  /// Every write while several threads run was done under one of these locks, the same for all: who holds it sees no
  /// change.
  [[nodiscard]] bool is_protected(CellId cell, const std::vector<LockName>& held) const;
  /// It is written, and who runs as `thread` with these locks sees no change of it: it is owned or protected.
  [[nodiscard]] bool is_stable(CellId cell, ThreadId thread, const std::vector<LockName>& held) const;
  /// Of a variable that only numbers are stored in while several threads run, always under a lock: these numbers. Once
  /// it holds one of them it always does.
  [[nodiscard]] std::optional<Interval> lasting(CellId cell) const;
  /// Of a counter: every write while several threads run adds at least this much, so no two of them find the same
  /// number in it. 0: it is none.
  [[nodiscard]] std::int64_t step(CellId cell) const;
  /// Written otherwise than as a flag.
  [[nodiscard]] bool has_plain_write(ObjectId object, std::int64_t offset, std::uint32_t size) const;
  [[nodiscard]] bool is_owned_object(ObjectId object, ThreadId thread) const;  ///< all of it

  [[nodiscard]] bool changed() const { return changed_; }
  [[nodiscard]] FactReads& reads() { return reads_; }
  void start_round(const std::vector<std::int64_t>* thresholds) {
    changed_ = false;
    thresholds_ = thresholds;
  }

 private:
  enum class Initial : std::uint8_t { Untouched, Overwritten, Included };
  struct Content {
    InfoId info;    ///< none: nothing stored
    InfoId stored;  ///< the part of it that was written
    Initial initial = Initial::Untouched;
    bool written = false;
    bool several_writers = false;
    bool plainly_written = false;
    std::vector<LockName> protection;  ///< once written: held at every write; sorted
    ThreadId writer;
    std::int64_t step = 0;  ///< the least of all writes
    std::uint32_t updates = 0;
  };
  Content& at(CellId cell);
  using Contents = std::vector<const Content*>;
  [[nodiscard]] Contents written_over(const Cell& cell) const;
  [[nodiscard]] const Content* only_one_written(CellId cell) const;
  [[nodiscard]] bool are_owned(const Contents& written, ThreadId thread) const;
  static bool are_protected(const Contents& written, const std::vector<LockName>& held);
  void begin(CellId cell, Content& content, Initial initial);
  void add(CellId cell, InfoId& known, std::uint32_t& updates, InfoId info);
  void note_change(CellId cell) { reads_.changed(u_.cells[cell].object); }
  InfoId described(FormId initial);
  InfoId initial_range(const Global& global, const Cell& cell);
  FormId from_image(const Global& global, std::int64_t offset, std::uint32_t size);

  Universe& u_;
  std::vector<Content> contents_;
  const std::vector<std::int64_t>* thresholds_ = nullptr;
  bool changed_ = false;
  mutable FactReads reads_;
};

}  // namespace heddle::topdown
