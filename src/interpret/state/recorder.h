// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step did, in order: accesses, synchronisation, threads that begin and end. Clocks, race detectors and searches
// read these events after each step; the next step begins with an empty list.
//
//   x = 1; pthread_mutex_unlock(&m);      Write &x 4 bytes value 1;  Release &m
//
// Which plain accesses are recorded is MachineOptions::record: by default those to memory that another thread may know,
// while there are two threads, and always those to memory that has held a lock. Synchronisation is always recorded.
//
// An event says where it happened: instruction, function, and the callers as a PathId. Paths are interned in a tree
// (caller, then its caller), so an event stays small; a frame remembers its path once somebody asked.
#pragma once
#include <map>
#include <tuple>

#include "interpret/state/threads.h"

namespace heddle::interpret {

class Recorder {
 public:
  Recorder(const MachineOptions& options, Threads& threads);

  [[nodiscard]] bool is_recorded(const Object& object) const {
    using Record = MachineOptions::Record;
    return record_ != Record::Nothing &&
           (record_ == Record::Everything || object.has_sync || (object.is_shared && threads_.size() > 1));
  }
  /// An access of the running thread. Behind a write: the value is what memory holds now.
  void add_access(const Object& object, Address address, std::uint64_t size, bool is_write, bool is_atomic);
  /// All of the object's memory is gone.
  void add_end(const Object& object) {
    add(EventKind::Free, object.base, false, static_cast<std::uint32_t>(object.size));
  }
  /// Anything else the running thread did. `size`: of the memory that is gone, for Free.
  void add(EventKind kind, Address address, bool is_lock = false, std::uint32_t size = 0);

  /// The synchronisation object at `address` is that large: said of the first event from number `first` on that is
  /// about it. What the same call does behind that, others may do meanwhile to an object that has ended.
  void set_size(std::size_t first, Address address, std::uint32_t size);

  /// What an atomic section reads has to be known: it may have to wait until that changes.
  void record_section();
  void record_as_asked() { record_ = options_.record; }

  [[nodiscard]] bool records_passages() const { return options_.record_passages; }
  void add_jump(FunctionId function, std::uint32_t from, std::uint32_t to);
  /// The thread's innermost frame begins, or is about to end. Counts if the thread is the one that runs.
  void add_enter(const Thread& thread);
  void add_return(const Thread& thread);

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const std::vector<Passage>& passages() const { return passages_; }
  void clear();
  void drop_from(std::size_t first);
  void restore(std::vector<Event> events, std::vector<Passage> passages);
  /// Where it happened, innermost first.
  [[nodiscard]] std::vector<StackEntry> stack_of(const Event& event) const;

 private:
  Event here(EventKind kind, Address address);
  Passage& add_passage(Passage::Kind kind, FunctionId function);
  PathId path_of(Thread& thread);

  struct PathNode {
    PathId parent = 0;
    StackEntry entry;
  };
  const MachineOptions& options_;
  Threads& threads_;
  MachineOptions::Record record_;
  std::vector<Event> events_;
  std::vector<Passage> passages_;
  std::vector<PathNode> paths_;
  std::map<std::tuple<PathId, std::uint32_t, std::uint32_t>, PathId> path_index_;
};

}  // namespace heddle::interpret
