// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summarises one function, given the summaries of its callees (RELAY §3.1-3.3). Three walks:
//
//   1. symbolic execution, once over the blocks in reverse post-order: every pointer gets a name, every instruction
//      that matters
//      becomes an event (symbolic_execution.cpp, call_effects.cpp, library_actions.cpp);
//   2. relative locksets, a fixpoint over the events of lock operations and calls alone (lock_flow.cpp);
//   3. guarded accesses: each event with the lockset it happens under, the callees' accesses re-expressed
//      (guarded_accesses.cpp).
//
// What a function allocates, or has on its stack, is private until it is stored where others look, passed to who does
// that, or given to a thread; private accesses are left out. Linear in the function but for the lockset fixpoint, which
// visits blocks two or three times; of a function with more groups than `Limits` allows to hand on, the rest counts as
// settled.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "api/action.h"
#include "api/models/api_models.h"
#include "flow/cfg.h"
#include "program/model/program.h"
#include "scan/calls/call_targets.h"
#include "scan/calls/semaphore_locks.h"
#include "scan/names/stable_ids.h"
#include "scan/summarise/function_summary.h"

namespace heddle::scan {

struct Limits {
  std::uint32_t dependent_groups = 400;  ///< a function hands on to its callers
  std::uint32_t wide_call = 12;          ///< a call with more targets hands on none of their accesses
  std::uint32_t component = 64;          ///< in a larger one, calls backward hand on no accesses
  std::uint32_t stores = 48;             ///< pointers in memory that symbolic execution keeps track of
};

/// What all functions share; const while they are summarised.
struct ScanInput {
  const Program& program;
  const CallTargets& targets;
  StableIds ids;
  std::vector<const api::Model*>
      models;                     ///< by FunctionId: of those without a body, and of wrappers; null if there is none
  std::vector<bool> trampolines;  ///< by FunctionId, see trampolines.h
  Limits limits;
  Assumptions assumptions = {};
  SemaphoreLocks semaphores = {};
  /// A profile says so: volatile accesses are meant to race (READ_ONCE of the kernel).
  bool volatile_is_marked = false;
};

ScanInput make_input(const Program& program, const api::ApiModels& models, const CallTargets& targets,
                     const Limits& limits);

class Summariser {
 public:
  Summariser(const ScanInput& input, const std::vector<FunctionSummary>& summaries)
      : in_(input), summaries_(summaries), keys_(input.program) {}

  FunctionSummary run(FunctionId function);
  [[nodiscard]] MemberKeys& keys() { return keys_; }

  /// Where the function takes locks, itself or by calls that return with them; named in nodes() (lock_places.cpp).
  struct Acquisition {
    std::uint32_t instruction = 0;
    Lvalue lock;
  };
  std::vector<Acquisition> acquisitions(FunctionId function);
  [[nodiscard]] const NodeTable& nodes() const { return nodes_; }

 private:
  using StoreMap = std::vector<std::pair<Lvalue, SymbolicValue>>;  ///< sorted by lvalue

  enum class Outcome : std::uint8_t { Always, Zero, NonZero, Negative, NonNegative };
  struct Event {
    enum class Kind : std::uint8_t { Access, Acquire, Release, Call, Spawn, Join, Detach, Move };
    Kind kind = Kind::Access;
    AccessMode mode = AccessMode::Read;
    bool flag = false;  ///< Access: atomic; Acquire: shared
    Outcome outcome = Outcome::Always;
    std::uint32_t position = 0;  ///< counts instructions in the order they are visited
    std::uint32_t instruction = 0;
    std::uint32_t number = 0;  ///< Access: size; Call: index into calls_; Spawn: into started_; Join: rank of its block
    Lvalue where = {};
    MemberKey key = {};
    [[nodiscard]] locks::Mode lock_mode() const { return flag ? locks::Mode::Shared : locks::Mode::Exclusive; }
  };
  /// A callee with its names in our terms.
  struct BoundCall {
    FunctionId callee;
    std::uint32_t instruction = 0;
    const FunctionSummary* summary = nullptr;  ///< of the callee; an empty one if it is not to be looked at
    std::uint32_t rank = 0;                    ///< of its block
    bool hands_on = false;                     ///< its callee's accesses
    std::vector<Lvalue> names;                 ///< by callee node; invalid: leads nowhere
    std::vector<std::uint32_t> rebound;        ///< by callee lockset: ours, once asked for
    /// The callee's lvalue in our terms; invalid: leads nowhere, or somewhere.
    [[nodiscard]] Lvalue name(Lvalue theirs) const {
      const Lvalue at = names[theirs.node.index()];
      return at.valid() ? Lvalue{at.node, at.offset + theirs.offset} : at;
    }
    /// What a pointer in our own memory leads to, if nobody knows what was stored there: no name, but not nothing.
    static constexpr Lvalue somewhere() { return {NodeId{}, 1}; }
    /// What has a name in the callee that is too long for us.
    static constexpr Lvalue too_deep() { return {NodeId{}, 2}; }
    static bool has_no_name(Lvalue at) { return at == somewhere() || at == too_deep(); }
  };
  /// What a branch says about a value.
  struct Test {
    std::uint32_t value = 0;
    Outcome if_true = Outcome::Always, if_false = Outcome::Always;
    [[nodiscard]] Outcome on(std::size_t successor) const { return successor == 0 ? if_true : if_false; }
  };
  struct LockState {
    std::uint32_t lockset = 0;
    std::uint32_t pending = none;  ///< an event whose outcome a branch may still tell
    std::uint32_t before = 0;      ///< the lockset in front of it
    std::uint32_t threads = 0;     ///< in thread_states_
    bool reached = false;
    bool ended = false;  ///< in a call that does not return
    friend bool operator==(const LockState&, const LockState&) = default;
  };
  static constexpr std::uint32_t none = ~0U;
  static constexpr std::uint8_t always = 0;  ///< see AccessGroup::when
  /// Blocks by rank.
  struct Loop {
    std::uint32_t head = 0;
    std::vector<std::uint32_t> body;   ///< head included; sorted
    std::vector<std::uint32_t> tails;  ///< those that lead back to the head
    [[nodiscard]] bool contains(std::uint32_t rank) const { return std::ranges::binary_search(body, rank); }
  };
  struct OpenThread : StartedThread {
    Lvalue exact = {};  ///< the handle, with the element
    std::uint32_t loop_head = none;
    friend bool operator==(const OpenThread&, const OpenThread&) = default;
  };
  struct LoopJoin {
    std::uint32_t loop = 0;
    Lvalue handle = {};  ///< none: without a name
  };

  // symbolic_execution.cpp
  void start(FunctionId function);
  void find_loops();
  void execute();
  void execute_block(std::uint32_t rank);
  void execute_instruction(std::size_t number);
  [[nodiscard]] StoreMap entry_store(std::uint32_t rank);
  void execute_gep(std::size_t number);
  void execute_load(std::size_t number);
  void execute_store(std::size_t number);
  void execute_phi(std::size_t number);
  void execute_return(const Instruction& instruction);
  [[nodiscard]] SymbolicValue load_from(Lvalue from, TypeId type);
  void store_to(Lvalue to, const SymbolicValue& value);
  void forget_stores(NodeId node, const ByteRange& bytes);
  void set_value(std::size_t number, SymbolicValue value) { values_[f_->result_of(number).index()] = value; }
  void add_access(Lvalue where, MemberKey key, AccessMode mode, bool is_atomic, std::uint64_t size);
  [[nodiscard]] bool is_marked(const Instruction& access) const;
  [[nodiscard]] bool is_pointer(TypeId type) const;
  [[nodiscard]] std::uint32_t bytes_of(TypeId type) const;

  // local_writes.cpp
  void note_writes_to_locals();
  [[nodiscard]] ByteRange written_by(const Instruction& call, std::size_t operand) const;
  [[nodiscard]] bool is_written_from(std::uint32_t rank, std::uint32_t local, std::int32_t offset) const;

  // branches.cpp
  void execute_branch(std::uint32_t rank, const Instruction& branch);
  [[nodiscard]] bool may_go(std::uint32_t rank, std::size_t successor) const;
  [[nodiscard]] std::uint32_t find_split() const;
  [[nodiscard]] bool is_in_loop(std::uint32_t value) const;
  [[nodiscard]] std::optional<std::uint8_t> bound_condition(const BoundCall& call, std::uint8_t when,
                                                            std::uint8_t here);
  [[nodiscard]] std::uint8_t condition_on(std::uint32_t value, Outcome outcome) const;

  // symbolic_values.cpp
  [[nodiscard]] SymbolicValue value_of(Operand operand);
  [[nodiscard]] Lvalue lvalue_of(Operand pointer);
  [[nodiscard]] NodeId value_node(ValueId value);
  [[nodiscard]] MemberKey key_of(Lvalue where, Operand address);
  [[nodiscard]] MemberKey key_of(Lvalue where);

  // publication.cpp
  enum class Reach : std::uint8_t { Caller, Everybody };
  void publish(NodeId node, Reach reach);
  void contain(NodeId container, NodeId content);
  void contain_copy(NodeId to, NodeId from);
  [[nodiscard]] bool is_private(NodeId node, std::uint32_t position) const;
  [[nodiscard]] NodeId owner(NodeId node) const;
  [[nodiscard]] std::uint32_t in_loop_position(std::uint32_t rank, std::uint32_t made) const;

  // call_effects.cpp
  void execute_call(std::size_t number);
  void touch_all(std::span<const Operand> arguments);
  void call_function(std::size_t number, FunctionId callee, std::span<const Operand> arguments, bool is_opaque);
  [[nodiscard]] Lvalue bound_name(const FunctionSummary& callee, std::size_t node, const BoundCall& call,
                                  std::span<const Operand> arguments);
  [[nodiscard]] SymbolicValue bound_value(const SymbolicValue& value, const BoundCall& call) const;
  void spawn(std::size_t number, const SymbolicValue& entry, const SymbolicValue& argument, Lvalue handle);
  [[nodiscard]] SymbolicValue bound_entry(const SymbolicValue& entry, const FunctionSummary& callee,
                                          const BoundCall& call);
  [[nodiscard]] bool is_fresh(const SymbolicValue& value) const;
  void pass_on_spawns(std::size_t number, const FunctionSummary& callee, const BoundCall& call);
  [[nodiscard]] bool in_loop() const;

  // library_actions.cpp, library_memory.cpp
  /// A call of a function that has a model.
  struct LibraryCall {
    std::size_t number = 0;  ///< of the instruction
    std::span<const Operand> arguments;
    [[nodiscard]] bool has(api::Argument index) const {
      return index >= 0 && static_cast<std::size_t>(index) < arguments.size();
    }
    [[nodiscard]] Operand operator[](api::Argument index) const { return arguments[static_cast<std::size_t>(index)]; }
  };
  void apply_model(std::size_t number, const api::Model& model, std::span<const Operand> arguments);
  void apply_action(const LibraryCall& call, const api::Action& action);
  void lock_event(const LibraryCall& call, Event::Kind kind, Lvalue lock, Outcome outcome, bool is_shared);
  [[nodiscard]] Lvalue hidden(std::string_view name);
  [[nodiscard]] Lvalue place_of(const LibraryCall& call, api::Argument argument);
  [[nodiscard]] Lvalue lock_of(const LibraryCall& call, const api::LockRef& lock);
  [[nodiscard]] static Outcome outcome_of(api::Success success);
  void take_lock(const LibraryCall& call, const api::TakeLock& take);
  void use_semaphore(const LibraryCall& call, const api::UseSemaphore& use);
  void set_up(const LibraryCall& call, const api::SetUpObject& object);
  void run_once(const LibraryCall& call, const api::RunOnce& once);
  void call_targets(const LibraryCall& call, std::initializer_list<api::Argument> arguments);
  void leave_thread(const LibraryCall& call, const api::LeaveThread& leave);
  void give_away(const LibraryCall& call, api::Argument argument);
  [[nodiscard]] std::vector<FunctionId> table_entries(Lvalue object, int slot);
  void start_thread(const LibraryCall& call, const api::StartThread& start);
  [[nodiscard]] std::uint32_t word_bytes() const { return in_.program.layout.pointer_bits / 8; }
  [[nodiscard]] std::uint32_t model_length(const LibraryCall& call, const api::Length& length) const;
  void access(const LibraryCall& call, api::Argument argument, AccessMode mode, std::uint32_t size);
  [[nodiscard]] SymbolicValue fresh_memory(const LibraryCall& call);
  void make_memory(const LibraryCall& call, const api::MakeMemory& make);
  void touch_memory(const LibraryCall& call, const api::Touch& touch);
  void touch_variadic(const LibraryCall& call, const api::Touch& touch);
  void touch_reachable(const LibraryCall& call, const api::Touch& touch);
  void touch_atomic(const LibraryCall& call, const api::TouchAtomic& touch);
  void move_pointers(const LibraryCall& call, const api::MovePointers& move);
  [[nodiscard]] SymbolicValue address_within(const LibraryCall& call, Lvalue object);
  void return_value(const LibraryCall& call, const api::ReturnValue& value);
  void use_thread_value(const LibraryCall& call, const api::UseThreadValue& use);

  // lock_flow.cpp
  void flow_locks();
  void reach_states();
  LockState flow_block(std::uint32_t rank, LockState state);
  [[nodiscard]] LockState enter(std::uint32_t rank, LockState state);
  void step(std::uint32_t number, LockState& state, std::uint32_t& group, LockState& first);
  void apply(const Event& event, std::uint32_t number, LockState& state);
  [[nodiscard]] bool may_mean(Lvalue released, Lvalue held) const;
  [[nodiscard]] bool never_returns(const BoundCall& call) const;
  [[nodiscard]] LockState refine(const LockState& state, Outcome outcome);
  bool merge(LockState& into, const LockState& from);
  void cross(std::uint32_t from, std::uint32_t to, LockState& state);
  void drop_other_names(RelativeLockset& held, Lvalue released) const;
  void add_forgets();
  [[nodiscard]] std::uint32_t intern(RelativeLockset lockset);
  [[nodiscard]] Lvalue some_lock(const FunctionSummary& callee, Lvalue lock);
  [[nodiscard]] NodeId some_object(TypeId type);
  [[nodiscard]] std::uint32_t rebound_lockset(BoundCall& call, std::uint32_t lockset);
  [[nodiscard]] std::uint32_t after_call(BoundCall& call, std::uint32_t before, std::uint32_t callee_lockset);

  // thread_flow.cpp
  [[nodiscard]] std::uint32_t intern(ThreadState state);
  [[nodiscard]] Lvalue handle_name(Lvalue handle);
  [[nodiscard]] Lvalue handle_of(const LibraryCall& call, const api::LeaveThread& leave);
  [[nodiscard]] Lvalue memory_of(Operand handle);
  [[nodiscard]] Lvalue returned_handle(ValueId call);
  [[nodiscard]] bool returns_handle(ValueId call) const;
  void move_handle(std::size_t number, Lvalue to);
  void find_returned_handle();
  [[nodiscard]] bool is_nameless(Lvalue handle) const;
  std::uint32_t started_thread(const SymbolicValue& entry, Lvalue handle, std::uint32_t rank, bool is_many);
  static void run_thread(ThreadState& state, std::uint32_t number);
  [[nodiscard]] const Loop* innermost_loop(std::uint32_t rank) const;
  [[nodiscard]] bool is_several(const OpenThread& thread, std::uint32_t rank) const;
  [[nodiscard]] bool joins_all(Lvalue joined, const OpenThread& thread, std::uint32_t rank) const;
  void apply_thread_event(const Event& event, LockState& state);
  void leave_loop(std::uint32_t from, std::uint32_t to, LockState& state);
  void find_loop_joins();
  [[nodiscard]] ThreadState rebound_threads(const BoundCall& call, std::uint32_t number);
  [[nodiscard]] std::uint32_t threads_after(const BoundCall& call, std::uint32_t before, std::uint32_t theirs);

  // guarded_accesses.cpp
  void collect();
  void collect_block(std::uint32_t rank, LockState state, std::uint8_t when);
  void note_call(const Event& event, const LockState& before);
  std::uint32_t group_of(NodeId node, const LockState& state, bool after_publication, std::uint8_t when);
  void take_over(BoundCall& call, const LockState& state, std::uint32_t position, std::uint8_t when);
  [[nodiscard]] bool is_published(NodeId node, std::uint32_t position) const;
  void export_summary();
  [[nodiscard]] bool is_dependent(const AccessGroup& group) const;

  // exits.cpp
  struct Exit {
    std::uint32_t rank = 0;
    Operand value;
    bool has_value = false;
    SymbolicValue symbolic;
    StoreMap store;
  };
  /// What all exits have in common.
  struct Returned {
    LockState any, zero, other;
    SymbolicValue result;
    bool has_result = false, has_zero = false, is_known = true;
    StoreMap stores;
  };
  void finish_exits();
  void add_exit(const Exit& exit, Returned& all);
  [[nodiscard]] const Instruction* returned_phi(const Exit& exit) const;
  void add_phi(const Instruction& phi, const Exit& exit, Returned& all);
  void add_result(const SymbolicValue& value, const LockState& state, Returned& all);

  struct OpenGroup {
    AccessGroup group;
    std::vector<OwnAccess> own;
    std::vector<InheritedAccesses> inherited;
  };

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  MemberKeys keys_;

  FunctionId id_;
  const Function* f_ = nullptr;
  flow::Cfg cfg_;
  std::vector<Loop> loops_;
  NodeTable nodes_;
  std::vector<SymbolicValue> values_;
  struct LocalWrite {
    std::uint32_t local = 0;  ///< value of the alloca
    std::uint32_t rank = 0;   ///< of the block
    ByteRange bytes;
  };
  std::vector<LocalWrite> local_writes_;  ///< sorted by local
  std::vector<StoreMap> exit_stores_;     ///< by rank
  StoreMap store_;
  std::uint32_t rank_ = 0, position_ = 0, instruction_ = 0;
  std::vector<std::uint32_t> start_position_;  ///< by rank
  std::vector<Event> events_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> block_events_;  ///< by rank: first, end
  std::vector<BoundCall> calls_;
  std::vector<std::optional<Test>> tests_;  ///< by rank
  std::unordered_map<std::uint32_t, std::uint32_t>
      published_;                                      ///< by root node: the position from which on others may know it
  std::map<std::string, SymbolicValue> thread_owned_;  ///< state of a library of which each thread has its own, by name
  std::unordered_map<std::uint32_t, std::uint32_t> made_;  ///< by Fresh node: rank of the block that allocates
  std::vector<std::uint32_t> given_away_;                  ///< root nodes that others know when the function returns
  std::vector<std::pair<NodeId, NodeId>> contained_;
  bool has_lock_events_ = false, has_thread_events_ = false;
  std::vector<OpenThread> started_;
  std::vector<LoopJoin> loop_joins_;
  std::vector<ThreadState> thread_states_;
  std::vector<RelativeLockset> locksets_;
  std::vector<LockState> in_states_;  ///< by rank
  std::uint32_t split_ = none;        ///< a value that is assumed to be `assumed_`
  Outcome assumed_ = Outcome::Zero;
  std::vector<std::vector<LockState>> variants_;  ///< in_states_ if the value is zero, and if not; empty: there is none
  std::vector<std::vector<NodeId>>
      forgets_;  ///< by rank: names that mean something else from here on; empty if there are no locks
  std::vector<std::vector<std::uint32_t>>
      phis_;  ///< by rank: those of pointers that have a name of their own; likewise
  std::vector<std::pair<Lvalue, Lvalue>> one_lock_;  ///< two names of one lock
  std::vector<OpenGroup> groups_;
  std::size_t next_spawn_ = 0;
  struct GroupKey {
    std::uint32_t node = 0, lockset = 0, threads = 0;
    bool after_publication = false;
    std::uint8_t when = always;
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
  };
  struct GroupKeyHash {
    std::size_t operator()(const GroupKey& k) const {
      const std::uint64_t first = static_cast<std::uint64_t>(k.node) << 32 | k.lockset;
      const std::uint64_t second =
          static_cast<std::uint64_t>(k.threads) << 9 | std::uint64_t{k.when} << 1 | (k.after_publication ? 1 : 0);
      return (first * 0x9e3779b97f4a7c15ULL) ^ (second * 0xc2b2ae3d27d4eb4fULL) ^ first >> 29;
    }
  };
  std::unordered_map<GroupKey, std::uint32_t, GroupKeyHash> group_ids_;
  std::vector<Exit> exits_;
  FunctionSummary out_;
};

}  // namespace heddle::scan
