// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recorder: what the analysis says in the end: guarded accesses, obstacles, named assumptions.
//
// The fixpoint visits a program point many times; only the last walk over stable states counts. So whoever transfers an
// instruction reports every access and every obstacle, and the recorder keeps them while it is recording. An access
// also has effects on what is known (a once-control that is written, handles of threads that are overwritten): those
// happen always. An access through an address that is not known is an obstacle, for it could go anywhere.
//
// An access is kept in terms that mean the same in another thread (GuardedAccess): locks as one concrete object, or
// relative to the accessed address, or behind numbers that all threads agree on; bounds of the address over such
// numbers.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "api/effect.h"
#include "api/models/api_models.h"
#include "topdown/domain/guarded_access.h"
#include "topdown/domain/lock_kinds.h"
#include "topdown/memory/memory.h"
#include "topdown/record/instance_ledger.h"
#include "topdown/values/site.h"

namespace heddle::topdown {

struct OutsideVariables {
  std::set<GlobalId> variables;
  bool are_left_alone = false;  ///< assumption `undefined-functions`: nobody outside uses them
};
/// Those that the program declares and nobody defines, besides the ones of which the models tell who touches them.
[[nodiscard]] std::set<GlobalId> outside_variables(const Program& program, const api::ApiModels& models);

class Recorder {
 public:
  /// `without`: assumptions that may not be used.
  Recorder(Memory& memory, InstanceLedger& ledger, LockKinds& kinds, std::set<std::string> without = {},
           OutsideVariables outside = {})
      : d(memory.d),
        u(memory.u),
        memory_(memory),
        ledger_(ledger),
        kinds_(kinds),
        without_(std::move(without)),
        outside_(std::move(outside)) {}

  /// False: the address is surely invalid, so no execution gets behind the access.
  bool access(const Site& site, State& s, FormId address, std::uint64_t size, AccessKind kind, bool is_atomic);
  /// An operation on the synchronisation object there, which is `bytes` long or as long as its memory is. Atomic, or a
  /// plain write of all of it. False: as above.
  /// `is_known`: what it holds can be told.
  bool use_object(const Site& site, State& s, FormId address, std::uint64_t bytes, bool is_atomic,
                  bool is_known = false);
  void obstacle(const Site& site, std::string what);
  void obstacle(const Obstacle& obstacle) { obstacles_.insert(obstacle); }
  /// An action of a model that has no transfer function.
  void untreated(const Site& site);
  /// The analysis rests on the assumption from here on; an obstacle if it may not.
  void assume_named(const Site& site, std::string_view name);
  /// Whether the analysis may leave out that the call fails. It rests on the assumption then.
  bool grants(api::Granted granted);
  /// Objects are private before they are published; that orders what was done to them only if publication synchronises.
  void check_publication(const Site& site, const State& s, FormId value);

  [[nodiscard]] bool is_recording() const { return recording_; }
  void set_recording(bool recording) { recording_ = recording; }
  void clear() {
    accesses_.clear();
    obstacles_.clear();
  }
  [[nodiscard]] const std::set<GuardedAccess>& accesses() const { return accesses_; }
  [[nodiscard]] const std::set<Obstacle>& obstacles() const { return obstacles_; }
  [[nodiscard]] const std::set<std::string>& assumptions() const { return assumptions_; }
  /// The numbers of shares that the thread surely has, or the thread that it works for.
  [[nodiscard]] std::vector<OwnIndex> own_numbers(const State& s) const;

 private:
  void note_write(State& s, const Places& where, std::uint64_t size);
  void look_outside(const Site& site, ObjectId object);
  void record(const Site& site, const State& s, const Target& target, FormId address, std::uint64_t size,
              AccessKind kind, bool is_atomic);
  [[nodiscard]] bool is_small(const State& s, const Form& form) const;
  [[nodiscard]] std::uint32_t share_of(const State& s, SymbolId symbol) const;
  [[nodiscard]] std::uint32_t share_end(const State& s, SymbolId symbol, OwnPart end) const;
  [[nodiscard]] std::vector<OwnIndex> own_indices(const State& s, FormId address) const;
  [[nodiscard]] bool is_threads_own(FormId form) const;
  /// `tickets`: the thread's own may be in it.
  [[nodiscard]] FormId public_bound(const State& s, FormId address, bool is_upper, bool tickets = false) const;
  [[nodiscard]] std::vector<OwnTicket> own_tickets(const State& s, FormId address) const;
  [[nodiscard]] std::vector<HeldLock> held_locks(const State& s, FormId address) const;
  [[nodiscard]] std::vector<TakenSince> history(const State& s, FormId address) const;
  /// All that others can read of a lock at an access to this address.
  [[nodiscard]] std::vector<HeldLock> descriptions(FormId form, locks::Mode mode, FormId address) const;
  void describe_lock(HeldLock lock, const Form& at, std::vector<HeldLock>& out) const;

  const Domain& d;
  Universe& u;
  Memory& memory_;
  InstanceLedger& ledger_;
  LockKinds& kinds_;
  std::set<GuardedAccess> accesses_;
  std::set<Obstacle> obstacles_;
  std::set<std::string> assumptions_;
  std::set<std::string> without_;
  OutsideVariables outside_;
  bool recording_ = false;  ///< in this sweep accesses count
};

}  // namespace heddle::topdown
