// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and allocation on a State. Three kinds of memory:
//   fresh objects             private, one concrete object: strong updates in the state
//   other objects, alone      no thread but this one runs: in the state, strong where the object is one
//   other objects, in parallel   in SharedMemory, shared by all threads
//
// Publication: when a pointer to a fresh object is stored where others can see it, or given to a new thread, the object
// and everything fresh that can be reached from it *settle*; from then on accesses to it can race.
#pragma once
#include <functional>
#include <vector>

#include "topdown/domain/state.h"
#include "topdown/memory/shared_memory.h"

namespace heddle::topdown {

/// Where an address may point to, clipped to the objects' bounds.
struct Places {
  std::vector<Target> targets;
  bool anywhere = false;  ///< the address is not known at all
};

class Memory {
 public:
  Memory(Domain& domain, SharedMemory& shared, const LockKinds& kinds)
      : d(domain), u(domain.u), shared_(shared), kinds_(kinds) {}

  [[nodiscard]] Places places(const State& s, FormId address, std::uint64_t size) const;

  /// The value at `address`; `name` is the symbol a value without identity gets.
  FormId load(State& s, FormId address, std::uint32_t size, unsigned bits, SymbolId name);
  /// What was stored there, also into a synchronisation object; unknown if the address is.
  [[nodiscard]] InfoId stored_at(const State& s, FormId address, std::uint32_t size);
  struct StoreFacts {
    bool changes_flag = false;  ///< takes or frees a lock made of a variable
    FormId replaced = {};       ///< what is there until it is stored, if the two are one atomic step
    bool cannot_wrap = false;   ///< the value is a sum that did not overflow: undefined otherwise
  };
  void store(State& s, FormId address, FormId value, std::uint32_t size, unsigned bits, const StoreFacts& facts);
  void store(State& s, FormId address, FormId value, std::uint32_t size, unsigned bits) {
    store(s, address, value, size, bits, StoreFacts{});
  }
  /// Content of unknown shape from there on: numbers, and whatever addresses `content` may be. A negative length is not
  /// known.
  void store_blurred(State& s, FormId address, InfoId content, std::int64_t length = -1);
  /// `length` bytes, each `byte`; a negative length is not known.
  void set_bytes(State& s, FormId destination, InfoId byte, std::int64_t length);
  /// Everything that may be read from there on (for copies of unknown shape); a negative length is not known.
  InfoId content_of(const State& s, FormId address, std::int64_t length = -1);
  void copy(State& s, FormId destination, FormId source, std::int64_t length, bool length_known);

  /// A new object; the previous one of the same name in this state, if any, settles.
  FormId allocate(State& s, ObjectKind kind, ContextId context, ThreadId thread, std::uint32_t instruction,
                  std::uint64_t size, bool zeroed);
  /// The frame's stack objects are gone.
  void leave(State& s, const std::vector<ObjectId>& stack_objects);

  /// The state forgets cells of shared memory that others may change from now on. To be called whenever a lock is given
  /// up, and before one is taken (what was known without it may be stale). What flags held then is remembered.
  void forget_unprotected(State& s) const;
  /// The numbers that flags (SharedMemory::lasting) surely hold as long as the locks are held.      cell -> Info
  [[nodiscard]] MapId flags_now(const State& s) const;
  /// What the state knows of a cell that stays as it is while the current locks are held; none if nothing.
  [[nodiscard]] FormId known_content(const State& s, CellId cell);

  /// Objects reachable from the info become known to others.
  std::vector<ObjectId> publish(State& s, InfoId info);
  [[nodiscard]] InfoId settled(InfoId info) const;  ///< with every fresh object replaced
  /// A first other thread starts: all shared memory moves to SharedMemory.
  void go_parallel(State& s);
  void name_frozen(State& s, CellId cell);
  /// As if a thread had been started and had ended here, which saw no fresh object.
  void pass_parallel_phase(State& s);
  /// The same, and as if that thread knew all fresh objects on stack and heap: what memory holds is in SharedMemory
  /// then, for all of the program at once, and the state is small. It no longer says which objects there have been.
  void forget(State& s);

  [[nodiscard]] Domain::AbsentCell absent();
  [[nodiscard]] bool changed() const { return changed_ || places_ != kinds_.places; }
  void start_round() {
    changed_ = false;
    places_ = kinds_.places;
  }

  Domain& d;
  Universe& u;

 private:
  [[nodiscard]] bool is_local(const State& s, ObjectId object) const { return u.objects[object].fresh || !s.parallel; }
  /// The state's own copy of the cell is what a load would see.
  [[nodiscard]] bool is_tracked(const State& s, CellId cell) const {
    return is_local(s, u.cells[cell].object) || is_tracked(s, cell, exact_locks(s, true));
  }
  /// The same with the exact locks of the state, shared ones too.
  [[nodiscard]] bool is_tracked(const State& s, CellId cell, const std::vector<LockName>& held) const {
    const ObjectId object = u.cells[cell].object;
    return is_local(s, object) || (u.is_singleton(object) && shared_.is_stable(cell, s.thread, held));
  }
  /// Not a conjecture, or one that every write so far agrees with: as soon as one does not, whoever asked asks again.
  [[nodiscard]] bool is_lock_so_far(const LockName& lock) const {
    if (!kinds_.is_conjecture(lock)) return true;
    const auto flag = kinds_.flags.find(lock);
    return flag != kinds_.flags.end() && !kinds_.semaphores.contains(lock) && !kinds_.once.contains(lock) &&
           !shared_.has_plain_write(lock.object, lock.offset, flag->second.size);
  }
  /// Locks others can name too: one concrete lock each.
  [[nodiscard]] std::vector<LockName> exact_locks(const State& s, bool also_shared) const;  ///< sorted
  [[nodiscard]] SharedMemory::Writer writer(const State& s, bool changes_flag, std::int64_t step = 0) const {
    return {s.thread, exact_locks(s, false), changes_flag, step};
  }
  [[nodiscard]] FormId content_before(const State& s, CellId cell);
  [[nodiscard]] std::int64_t step(const State& s, FormId from, FormId to, unsigned bits, bool cannot_wrap) const;
  void deal(State& s, CellId counter, FormId number) const;
  [[nodiscard]] InfoId flag_number(const State& s, CellId cell, FormId content) const;
  FormId absent_form(const State& s, CellId cell);
  /// What may be in the cell. Synchronisation objects hold numbers that nobody knows.
  InfoId read_cell(const State& s, CellId cell) {
    const InfoId known = stored_in(s, cell);
    return kinds_.is_in_object(u.cells[cell]) ? u.join(known, u.any_number(u.cells[cell].size * 8)) : known;
  }
  InfoId stored_in(const State& s, CellId cell);
  void weak_store(State& s, const Target& target, InfoId info, std::uint32_t size);
  void list_store(State& s, CellId id, InfoId info);
  [[nodiscard]] bool is_any_number_already(const State& s, CellId cell, InfoId info) const;
  FormId thaw(State& s, CellId cell, FormId value);
  void strong_store(State& s, CellId cell, FormId value);
  void settle(State& s, ObjectId fresh);
  [[nodiscard]] InfoId settled_only(InfoId info, ObjectId also) const;  ///< with those settling now replaced
  [[nodiscard]] std::vector<ObjectId> fresh_in(InfoId info) const;
  InfoId form_info(const State& s, FormId form, std::uint32_t size) const {
    return d.info_of(s, form, size >= 8 ? 64 : size * 8);
  }

  SharedMemory& shared_;
  const LockKinds& kinds_;
  std::vector<ObjectId> settling_;
  bool changed_ = false;
  std::size_t places_ = 0;  ///< of synchronisation objects that were known when the round began
};

}  // namespace heddle::topdown
