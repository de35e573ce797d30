// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inside of the top-down driver: rounds (top_down.cpp), blocks (blocks.cpp), instructions (transfer.cpp), calls and
// library effects (calls.cpp, effects.cpp), recording of accesses (record.cpp).
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/action.h"
#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

/// Thrown when a budget is used up; caught once, by the driver, and reported as an obstacle.
struct BudgetExceeded {
  std::string what;
};

using States = std::vector<State>;  ///< disjuncts

/// How control leaves a function. A returned value is in the environment under the function's return slot.
struct Exits {
  States returns;
  States unwinds;
};

/// Where execution stands: the function instance, and the instruction in it.
struct Site {
  ContextId context;
  FunctionId function_id;
  const Function* function = nullptr;
  std::uint32_t instruction = 0;
  [[nodiscard]] const Instruction& code() const { return function->instructions[instruction]; }
  [[nodiscard]] std::span<const Operand> operands() const { return function->operands_of(code()); }
};

class TopDownAnalysis {
 public:
  TopDownAnalysis(const Program& program, const api::ApiModels& models, const TopDownOptions& options,
                  Universe& universe);
  void run(FunctionId main);
  void deliver(TopDownResult& result);

 private:
  // rounds
  void round();
  void run_thread(ThreadId thread);
  void run_after(ThreadId thread, State s);
  void run_at_exit(const State& s);
  State entry_state(ThreadId thread);
  void note_thread_end(ThreadId thread, const State& s);

  // blocks
  struct Instance {
    Exits exits;
    std::vector<States> in;  ///< by block; kept for recording
    bool recorded = false;
  };
  using Edge = std::function<void(BlockId, const State&)>;
  const Exits& run_function(ContextId context, const State& entry);
  void fixpoint(ContextId context, const State& entry, Instance& instance);
  void record_instance(ContextId context, Instance& instance);
  void run_block(ContextId context, BlockId block, const States& in, Exits& exits, const Edge& edge);
  void take_edge(ContextId context, BlockId from, BlockId to, State s, const Edge& edge);
  bool add_disjunct(States& states, const State& s, const MergePoint& at);
  void compact(States& states, const Site& site);
  const flow::Cfg& cfg(FunctionId function);
  const std::vector<std::int64_t>& thresholds(FunctionId function);
  void step();

  // instructions
  void transfer(const Site& site, States& states, Exits& exits);
  bool transfer_one(const Site& site, State& s);  ///< false: no execution gets behind it
  FormId or_null(ObjectId object);
  FormId evaluate(const Site& site, const State& s, Operand operand);
  void assign(const Site& site, State& s, FormId value);
  FormId defined(const Site& site, State& s, InfoId info);
  SymbolId result_symbol(const Site& site) const;
  [[nodiscard]] unsigned bits_of(TypeId type) const;
  [[nodiscard]] unsigned operand_bits(const Site& site, Operand operand) const;
  FormId binary(const Site& site, State& s);
  FormId compare(const Site& site, State& s);
  FormId cast(const Site& site, State& s);
  FormId expression(const Site& site, State& s, SymbolKind kind, std::uint8_t detail, FormId a, FormId b, unsigned bits,
                    std::uint32_t c, InfoId info);
  FormId gep(const Site& site, State& s);
  bool load(const Site& site, State& s);
  void check_publication(const Site& site, const State& s, FormId value);
  bool store(const Site& site, State& s);
  bool atomic_update(const Site& site, State& s);
  void extract_value(const Site& site, State& s);
  bool memory_copy(const Site& site, State& s);

  // calls
  void call(const Site& site, States& states, Exits& exits);
  std::vector<FunctionId> callees(const Site& site, const State& s, bool& unknown);
  void call_defined(const Site& site, const State& s, FunctionId callee, const std::vector<FormId>& arguments,
                    States& out, Exits& exits);
  /// Runs `callee` from a library effect; the call's own result is not assigned.
  States call_back(const Site& site, const State& s, FunctionId callee, const std::vector<FormId>& given);
  void call_undefined(const Site& site, const State& s, FunctionId callee, States& out, Exits& exits);
  void call_asm(const Site& site, State& s);
  std::vector<FormId> arguments(const Site& site, const State& s);
  bool is_recursive(ContextId context, FunctionId callee) const;

  // effects
  void apply(const Site& site, const api::Effect& effect, const State& s, States& out, Exits& exits);
  FormId argument(const Site& site, const State& s, int number);
  void untreated(const Site& site);
  void unsupported(const Site& site, const api::DoUnsupported& what, const State& s);
  void take_lock(const Site& site, const api::TakeLock& take, State s, States& out);
  void give_lock(const Site& site, const api::GiveLock& give, State s, States& out);
  void set_up(const Site& site, const api::SetUpObject& object, State s, States& out);
  void begin_lock(const Site& site, const api::SetUpObject& begin, State& s);
  void begin_semaphore(const Site& site, const api::SetUpObject& begin, State s, States& out);
  void misuse_semaphore(const Site& site, const State& s, FormId semaphore);
  void use_condition(const api::UseCondition& use, State s, States& out);
  void run_later(const Site& site, const api::RunLater& later, State s, States& out);
  void run_at_end(const Site& site, const api::RunLater& later, State& s);
  void return_value(const Site& site, const api::ReturnValue& value, State& s);
  void return_hidden(const Site& site, const api::ReturnValue& value, State& s);
  void end_here(const Site& site, const api::End& end, State s, Exits& exits);
  void acquire(const Site& site, const api::TakeLock& take, State s, States& out);
  void release(const Site& site, State& s, FormId lock);
  void spawn(const Site& site, const api::StartThread& start, State s, States& out);
  void spawn_one(const Site& site, const api::StartThread& start, State& s, FunctionId entry, InfoId object);
  InfoId entries(const Site& site, const api::StartThread& start, State& s, InfoId object, int slot);
  std::vector<FunctionId> functions_in(InfoId info, bool& all_known) const;
  void leave_thread(const Site& site, const api::LeaveThread& leave, State s, States& out);
  void join_thread(const Site& site, const api::LeaveThread& join, State& s);
  void take_over_joins(State& s, ThreadId ended);
  void update_parallel(const Site& site, State& s);
  [[nodiscard]] std::optional<LockName> lock_name(FormId lock) const;
  bool change_flag(State& s, FormId address, std::uint32_t size, FormId value, std::optional<std::int64_t> before,
                   AtomicOrder order);
  void exchange(const Site& site, const State& s, States& out);
  void semaphore(const Site& site, const api::UseSemaphore& use, State s, States& out);
  void allocate(const Site& site, const api::MakeMemory& make, State& s);
  static AccessKind access_kind(api::Touch::Mode mode);
  bool touch_memory(const Site& site, const api::Touch& touch, State& s);
  bool touch_object(const Site& site, const api::Touch& touch, State& s);
  bool touch_variadic(const Site& site, const api::Touch& touch, State& s);
  bool touch_atomic(const Site& site, const api::TouchAtomic& touch, State& s);
  bool move_pointers(const Site& site, const api::MovePointers& move, State& s);
  void return_status(const Site& site, State& s, api::Success success, bool succeeded);
  void return_any(const Site& site, State& s);
  FormId canonical(const State& s, FormId address) const;
  std::optional<std::int64_t> known_length(const Site& site, const State& s, const api::Length& length);
  void create_key(const Site& site, const api::UseThreadValue& use, State& s);
  void thread_specific(const Site& site, const api::UseThreadValue& use, State& s);
  void hold(State& s, FormId lock, bool shared);
  FormId section_lock();
  [[nodiscard]] bool is_recursive_lock(FormId lock) const;
  bool may_refuse_owner(const State& s, const api::Outcome& outcome, FormId lock);
  bool may_be_same(const State& s, FormId a, FormId b);
  void run_once(const Site& site, const api::RunOnce& once, State s, States& out);
  void call_once(const Site& site, const api::RunOnce& once, State s, States& out);
  void invoke_global(const Site& site, const api::CallBack& back, const State& s, States& out);
  [[nodiscard]] FunctionId callees_of(const Site& site) const;

  // instances
  CellId ledger_cell(ThreadId thread, std::int64_t entry);
  FormId ledger(const State& s, ThreadId thread, std::int64_t entry);
  void set_ledger(State& s, ThreadId thread, std::int64_t entry, FormId value);
  [[nodiscard]] std::optional<std::int64_t> constant_of(FormId form) const;
  std::optional<std::pair<ObjectId, FormId>> split_address(FormId address);
  bool follows(State& s, ThreadId thread, FormId value, std::int64_t base_entry, std::int64_t step_entry);
  void note_creation(State& s, ThreadId thread, FormId handle_address, FormId argument, bool argument_is_fresh,
                     bool is_first);
  void lose_separation(threads::Thread& thread);
  void note_join(State& s, ThreadId thread, FormId address);
  void complete_joins(const Site& site, State& s);
  void disturb_handles(State& s, ObjectId object);
  std::vector<SlotOfNext> next_slots(const State& s, FormId address);
  FormId address_behind(const Site& site, const State& s, Operand operand);

  // recording
  /// False: the address is surely invalid, so no execution gets behind the access.
  bool access(const Site& site, State& s, FormId address, std::uint64_t size, AccessKind kind, bool is_atomic);
  void record(const Site& site, const State& s, const Target& target, FormId address, std::uint64_t size,
              AccessKind kind, bool is_atomic);
  [[nodiscard]] bool is_small(const State& s, const Form& form) const;
  FormId public_bound(const State& s, FormId address, bool is_upper) const;
  std::vector<HeldLock> held_locks(const State& s, FormId address) const;
  void obstacle(const Site& site, std::string what);
  void assume_named(const char* name) { assumptions_.insert(name); }
  ThreadId thread_of(const Site& site) const { return u.threads.contexts[site.context].thread; }

  const Program& program_;
  const api::ApiModels& models_;
  TopDownOptions options_;
  Universe& u;
  Domain d;
  LockKinds kinds_;
  SharedMemory shared_;
  Memory memory_;
  ThreadId main_;
  std::map<ThreadId, InfoId> thread_arguments_;
  std::map<FunctionId, InfoId> at_exit_;  ///< functions to run when the program ends, with their argument
  std::set<ObjectId> all_misused_;        ///< some semaphore of the object was misused, it is not known which
  std::map<std::pair<ContextId, State>, Instance> instances_;
  std::map<FunctionId, flow::Cfg> cfgs_;
  std::map<FunctionId, std::vector<std::int64_t>> thresholds_;
  std::vector<std::int64_t> all_thresholds_;
  std::set<GuardedAccess> accesses_;
  std::set<Obstacle> obstacles_;
  bool gave_up_ = false;
  std::set<FunctionId> reached_;
  std::set<std::string> assumptions_;
  std::uint64_t steps_ = 0;
  bool recording_ = false;  ///< in this sweep accesses count
  bool final_round_ = false;
  bool has_landing_pads_ = false;  ///< some function of the program cleans up when it is unwound
  bool changed_ = false;
};

}  // namespace heddle::topdown
