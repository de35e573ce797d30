// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// InstanceLedger: several instances of one thread, started in a loop:
//
//   for (i = 0; i < n; i++) { a[i] = 0; pthread_create(&t[i], 0, f, &a[i]); }
//   for (i = 0; i < n; i++) pthread_join(t[i], 0);
//
// The creator's state keeps a small ledger per thread, in cells of an object of its own so that joins of paths treat it
// like any other memory: how many instances it has started so far (merging gives this counter and the loop's i one
// symbol), where the next handle is expected, how many of them it has joined from the front, and how the argument
// depends on the counter. From it follow: all instances have ended when as many were joined, front to back, as were
// started; two instances have different arguments when the argument is a linear function of the counter, or a fresh
// object each time.
//
// Sound because every entry is a form of the state: where two paths disagree, merging makes it opaque, and an opaque
// entry proves nothing. A store to where the handles lie ends the ledger of the handles (disturb_handles).
#pragma once
#include <optional>
#include <vector>

#include "topdown/domain/guarded_access.h"
#include "topdown/domain/state.h"
#include "topdown/memory/shared_memory.h"

namespace heddle::topdown {

class InstanceLedger {
 public:
  /// `changed` becomes true when what all threads see of a thread changes.
  InstanceLedger(const Domain& domain, const SharedMemory& shared, bool& changed)
      : d(domain), u(domain.u), shared_(shared), changed_(changed) {}

  /// How one more instance is started.
  struct Creation {
    FormId handle_address;
    FormId argument;
    bool argument_is_fresh = false;
    bool is_first = false;
  };
  void note_creation(State& s, ThreadId thread, const Creation& creation);
  /// One of several instances was joined; `address` is where its handle was read.
  void note_join(State& s, ThreadId thread, FormId address);
  /// As many instances were joined, front to back, as were started, and nobody touched their handles.
  [[nodiscard]] bool must_have_joined_all(const State& s, ThreadId thread);
  /// Two instances may have the same argument from now on.
  void lose_separation(threads::Thread& thread);

  /// The threads whose ledgers are asked for: of the others only one runs at a time, and a join names it.
  [[nodiscard]] std::vector<ThreadId> kept(const State& s) const;
  /// Something is written to memory where handles may lie: they are no longer what the ledger says.
  void disturb_handles(State& s, ObjectId object);
  /// Objects that keep handles: what becomes of them is looked up by their names.
  [[nodiscard]] std::vector<ObjectId> watched(const State& s);
  /// The object of the handles; taken before the handle is written and put back behind it.
  [[nodiscard]] FormId handles(const State& s, ThreadId thread);
  void set_handles(State& s, ThreadId thread, FormId object);

  /// The slots of instances yet to come: address = (argument of the next instance) + constant.
  std::vector<SlotOfNext> next_slots(const State& s, FormId address);
  /// address = object + offset, for an object that is one; none otherwise.
  std::optional<std::pair<ObjectId, FormId>> split_address(FormId address) const;

 private:
  CellId ledger_cell(ThreadId thread, std::int64_t entry);
  FormId ledger(const State& s, ThreadId thread, std::int64_t entry);
  void set_ledger(State& s, ThreadId thread, std::int64_t entry, FormId value);
  bool follows(State& s, ThreadId thread, FormId value, std::int64_t base_entry, std::int64_t step_entry);
  void begin(State& s, ThreadId thread, const Creation& creation);
  void note_argument(State& s, ThreadId thread, const Creation& creation);

  const Domain& d;
  Universe& u;
  const SharedMemory& shared_;
  bool& changed_;
  std::vector<ObjectId> ledgers_;  ///< by thread
};

}  // namespace heddle::topdown
