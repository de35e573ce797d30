// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unroller: unrolls a program once, with the shape as it is known so far. For unroll() only; its parts are memory,
// code, values, calls and the library.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "api/action.h"
#include "judge/bmc/block_order.h"
#include "judge/bmc/shape.h"
#include "judge/bmc/unroll.h"

namespace heddle::judge::bmc {

/// Main has started somebody on one way and not on another, and they meet.
struct StartsOnSomeWays {};

/// What kind of access it is.
struct AccessHow {
  bool is_atomic = false;
  bool can_race = true;
  bool is_lock = false;  ///< not the memory itself, but the state of the lock that lies there
  bool is_part = false;  ///< of an operation that is one step: its first event stands for it
  bool only_reads = false;
  TouchRole role = TouchRole::Memory;
};
inline constexpr AccessHow lock_access{.is_atomic = true, .can_race = false, .is_lock = true};

class Unroller {
 public:
  Unroller(const Program& program, const api::ApiModels& models, const UnrollOptions& options, Shape& shape,
           bool is_public_at_once);

  Unrolled run(FunctionId main);

 private:
  using SetNumber = std::uint32_t;    ///< of targets; 0: none
  using ValueNumber = std::uint32_t;  ///< in values_; 0: none
  struct Value {
    Word bits;
    SetNumber leads = 0;  ///< what it may be the address of
  };
  using Memory = std::map<ChunkPlace, ValueNumber>;

  /// What a thread knows at a point of its way.
  struct Path {
    Bit condition = Bit::yes();  ///< of getting there
    Memory memory;               ///< that nobody else accesses
    PointNumber section = nobody;
    std::uint32_t section_depth = 0;
    bool is_public = false;  ///< there may be other threads
  };

  struct LoopFacts {
    std::vector<BlockPlace> places;
    std::set<std::uint32_t> endless;  ///< heads of loops that nothing leaves
  };

  struct Arrival {
    Path path;
    std::vector<ValueNumber> values;
    std::vector<std::uint32_t> counted;  ///< of each loop around it: rounds whose end is not known
  };
  struct Arrivals {
    BlockId block;
    std::vector<std::uint32_t> rounds;
    std::vector<Arrival> ways;
  };

  /// A call that is being unrolled.
  struct Frame {
    FunctionId id;
    const Function* function = nullptr;
    const LoopFacts* loops = nullptr;
    const Frame* caller = nullptr;
    std::uint32_t context = 0;
    std::map<std::vector<std::uint32_t>, Arrivals> open;  ///< by place
    std::set<std::vector<std::uint32_t>> unknown_ends;    ///< rounds of loops
    std::vector<std::pair<Path, ValueNumber>> returns;
    // Of the block that is being unrolled:
    BlockId block;
    std::vector<std::uint32_t> rounds;
    std::vector<std::uint32_t> counted;
    std::vector<ValueNumber> values;
  };

  struct Site {
    Frame& frame;
    std::uint32_t index;
    const Instruction& code;
  };

  struct Spot {
    ObjectNumber object = 0;
    std::uint64_t offset = 0;
    Bit is_it;
  };

  /// A wait for a thread that need not be unrolled yet.
  struct Join {
    PointNumber point = 0;
    ObjectNumber object = 0;
    Bit condition;
    Word result;
  };
  /// A thread that is still to be unrolled.
  struct Start {
    ThreadNumber thread = 0;
    ObjectNumber object = 0;
    Value entry, argument;
    Value after;  ///< a second function, which it calls then; no bits: none
    Bit condition;
  };

  // Sets and values.
  SetNumber set_of(const std::set<Target>& targets);
  SetNumber moved(SetNumber targets, std::uint64_t by, std::uint64_t step);
  SetNumber somewhere(SetNumber targets);
  [[nodiscard]] std::set<ObjectNumber> objects_of(SetNumber targets) const;
  SetNumber join_sets(SetNumber a, SetNumber b);
  ValueNumber keep(Value value);
  Value choose_value(Bit condition, const Value& a, const Value& b);
  ValueNumber merge_values(const std::vector<Bit>& conditions, const std::vector<ValueNumber>& values);
  Path merge_paths(std::vector<Path> paths);
  std::uint64_t width_of(TypeId type) const;

  // Memory (unroll_memory.cpp).
  ObjectNumber global(GlobalId id);
  Value address_of(ObjectNumber object, std::uint64_t offset = 0);
  std::vector<Spot> spots(const Value& address, std::uint64_t bytes, Path& path);
  bool is_event(ObjectNumber object, const Path& path);
  Value chunk(const Memory& memory, ChunkPlace place);
  Value initial_chunk(ChunkPlace place);
  Value image_chunk(ChunkPlace place);
  void put_address(Word& bits, std::set<Target>& leads, std::uint64_t at, const Relocation& relocation);
  Value read_private(const Memory& memory, const Spot& spot, std::uint64_t bytes);
  void write_private(Memory& memory, const Spot& spot, const Value& value, Bit condition);
  UnrolledEvent event_at(const Site& site, Path& path, const AccessHow& how);
  void add_event(UnrolledEvent event);
  /// What lies there, and what is put there instead, if anything.
  using Change = std::function<std::optional<std::pair<Value, Bit>>(const Value& old)>;
  Value access(const Site& site, Path& path, const Value& address, std::uint64_t bytes, const AccessHow& how,
               bool reads, const Change& change);
  Value access_at(const Site& site, Path& path, const std::vector<Spot>& at, std::uint64_t bytes, const AccessHow& how,
                  bool reads, const Change& change);
  void add_spot(std::vector<Spot>& out, const Value& address, ObjectNumber object, std::uint64_t offset);
  Word bits_there(const std::vector<Spot>& at, std::uint64_t bytes);
  Value read(const Site& site, Path& path, const Value& address, std::uint64_t bytes, const AccessHow& how);
  void write(const Site& site, Path& path, const Value& address, Value value, const AccessHow& how);
  PointNumber new_point(bool is_section = false);
  void publish(Path& path);
  Value as_memory(Value value) const;

  // Code (unroll_code.cpp).
  const LoopFacts& loops_of(FunctionId id);
  std::pair<Path, ValueNumber> function(FunctionId id, std::vector<ValueNumber> arguments, Path path,
                                        std::uint32_t context, const Frame* caller);
  [[nodiscard]] bool is_full() const;
  void block(Frame& frame, Arrivals arrivals);
  void go(Frame& frame, BlockId to, Path path, bool is_certain);
  void take_edge(Frame& frame, Path path, Bit condition, BlockId to);
  void terminator(Frame& frame, const Instruction& code, Path& path);
  std::vector<std::uint32_t> place_key(const Frame& frame, const std::vector<std::uint32_t>& path,
                                       const std::vector<std::uint32_t>& rounds) const;
  std::vector<std::uint32_t> here(const Site& site) const;

  // Values (unroll_values.cpp).
  Value operand(Frame& frame, Operand of);
  Value constant_value(ConstantId id);
  void instruction(const Site& site, Path& path);
  Value binary(const Instruction& code, const Value& a, const Value& b, Path& path);
  Bit compare(const Instruction& code, const Value& a, const Value& b);
  Value cast(const Instruction& code, const Value& from);
  Value element_address(const Site& site);
  std::pair<std::uint64_t, std::uint64_t> field_bits(TypeId type, std::span<const std::int32_t> indices) const;
  void allocate_local(const Site& site);
  void update(const Site& site, Path& path);
  void compare_exchange(const Site& site, Path& path);
  Value updated(RmwOp op, const Value& old, const Value& given);
  void copy_memory(const Site& site, Path& path);
  void set_memory(const Site& site, Path& path);

  // Calls (unroll_calls.cpp).
  std::pair<Path, ValueNumber> call_one_of(const Value& callee, const std::vector<ValueNumber>& arguments,
                                           const Path& path, std::vector<std::uint32_t> place, const Frame* caller);
  std::vector<ValueNumber> given(const Site& site, Path& path);
  void call(const Site& site, Path& path);
  void call_library(const Site& site, Path& path, const Function& callee);
  void act(const Site& site, Path& path, const api::Effect& effect);
  void set_result(const Site& site, Value value);
  Value argument(const Site& site, api::Argument number);
  bool has_argument(const Site& site, api::Argument number);  ///< and it is not surely null
  Value result_of(const Path& path, const api::CallResult& result, std::uint64_t width);
  Value asked_value(const Path& path, std::uint64_t width);
  void allocate(const Site& site, Path& path, const api::MakeMemory& make);
  void touch_memory(const Site& site, Path& path, const api::Touch& touch);
  void free_memory(const Site& site, Path& path, const api::Touch& touch);
  void return_value(const Site& site, const Path& path, const api::ReturnValue& value);
  void end(const Site& site, Path& path, const api::End& end);
  std::optional<std::uint64_t> bytes_of(const Site& site, const api::Length& length);
  void set_outcome(const Site& site, const api::CallOutcome& outcome, Bit succeeded);

  // Locks (unroll_locks.cpp).
  void demand(Path& path, Bit holds);
  std::vector<Spot> lock_spots(const Value& address, std::uint64_t bytes, Path& path);
  void make_special(const std::vector<Spot>& at);
  [[nodiscard]] bool is_special(const std::vector<Spot>& at) const;
  void take_lock(const Site& site, Path& path, const api::TakeLock& action);
  void take(const Site& site, Path& path, const Value& lock, bool is_shared);
  void give(const Site& site, Path& path, const Value& lock, bool is_part);
  Value named_lock(std::string_view name);
  void begin_section(Path& path);
  void end_section(Path& path);
  void set_up(const Site& site, Path& path, const api::SetUpObject& action);
  void use_semaphore(const Site& site, Path& path, const api::UseSemaphore& action);
  void use_condition(const Site& site, Path& path, const api::UseCondition& action);
  void run_once(const Site& site, Path& path, const api::RunOnce& action);
  void refuse_special_locks(const Site& site, const api::LockRef& lock);
  void wait_at_barrier(const Site& site, Path& path, const api::WaitAtBarrier& action);

  // Threads (unroll_threads.cpp).
  void start_thread(const Site& site, Path& path, const api::StartThread& action);
  Start code_of(const Site& site, Path& path, const api::StartThread& action);
  void join_thread(const Site& site, Path& path, const api::LeaveThread& action);
  void end_thread(Path& path, Value result);
  void thread(const Start& start);
  void join_threads();

  const Program& program_;
  const api::ApiModels& models_;
  const UnrollOptions& options_;
  Shape& shape_;
  bool is_public_at_once_;
  FunctionId main_;
  Circuit circuit_;
  Execution execution_;
  std::vector<Value> values_;
  std::vector<std::set<Target>> sets_;
  std::map<std::set<Target>, SetNumber> set_numbers_;
  std::map<std::pair<SetNumber, SetNumber>, SetNumber> joined_;
  std::map<ChunkPlace, Value> images_;
  Memory published_;  ///< when main started the first thread
  bool was_published_ = false;
  std::map<std::uint32_t, LoopFacts> loops_;
  std::vector<Start> starts_;
  std::map<ObjectNumber, ThreadNumber> thread_of_;
  std::vector<std::pair<Bit, Value>> ends_;  ///< of the thread that is being unrolled, with its results
  std::map<ObjectNumber, Value> results_;    ///< of threads
  std::vector<Join> joins_;
  PointNumber last_point_ = nobody;  ///< of the latest access, if it was an event
  Bit last_common_;                  ///< it was at memory that others know
  ThreadNumber thread_ = 0;
  ObjectNumber thread_object_ = 0;
  std::uint64_t instructions_ = 0, touches_ = 0;
};

}  // namespace heddle::judge::bmc
