// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadBuilder: the graph of one thread, function by function, each in place of its call.
//
// An exception goes to the landing pad of the frame that it comes to first, or ends the program. Pads are built when
// something is thrown to them. What throws is said by the models, as for `verify`.
//
// An edge collects acts until something comes that other threads notice: there a point begins, where the thread can be
// found waiting. Values of the source are numbers (a form over variables), addresses of objects, functions, or nothing
// that the model knows. Where a pointer leads that was read from memory, PointedMemory tells.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "api/action.h"
#include "judge/thread_model/asked_bits.h"
#include "judge/thread_model/build_model.h"
#include "judge/thread_model/names.h"
#include "judge/thread_model/pointed_memory.h"

namespace heddle::judge::transaction {

inline constexpr std::string_view section_name = "the atomic section";

/// What is known of an operand.
struct Known {
  std::optional<LinearForm> number = {};
  std::optional<Memory> memory = {};  ///< it is that address
  std::optional<FunctionId> function = {};
  [[nodiscard]] bool is(std::int64_t value) const { return number && *number == LinearForm::number(value); }
};

/// Why there is no model.
struct NoModel {
  std::string why;
};

/// A thread that is started somewhere, to be built.
struct StartedThread {
  FunctionId entry;
  alias::ContextId context;
  FunctionId after = {};  ///< what it calls with the same argument when it has returned
  alias::ContextId after_context = {};
  Known argument = {};
  std::vector<Target> targets = {};      ///< where the argument can lead
  std::optional<LinearForm> is_it = {};  ///< whether the argument is, or leads to, the element that is followed
  bool may_be_detached = false;
};

/// A function that runs when the program ends.
struct LateFunction {
  FunctionId function;
  alias::ContextId context;
  friend auto operator<=>(const LateFunction&, const LateFunction&) = default;
};

/// What all threads of a model have in common while it is built.
struct Workshop {
  const Program& program;
  const api::ApiModels& models;
  const BuildOptions& options;
  const PointedMemory& memory;
  const Rows& rows;
  const AskedBits& asked;
  const std::vector<bool>& relevant;
  Names& names;
  bool is_first = false;  ///< only to know which cells there are
  std::size_t most_points = 0;
  std::vector<StartedThread> threads = {};
  std::vector<LateFunction> late = {};
  std::set<std::string> assumptions = {};
  std::set<Place> visited = {}, of_elements = {};
  std::map<FunctionId, std::vector<bool>> kept = {};  ///< by value: it is used otherwise than to decide a branch
  std::size_t points = 0;
  std::uint32_t frames = 0;
  bool some_are_detached = false;
  bool has_landing_pads = false;
};

class ThreadBuilder {
 public:
  explicit ThreadBuilder(Workshop& shop) : shop_(shop), program_(shop.program) {}

  /// A join waits for the memory whose handle it was given; who it is is known when all threads are.
  struct JoinOf {
    PointIndex from = 0;
    std::size_t edge = 0;
    std::optional<Memory> handle;  ///< none: it may be any thread's, and nobody is waited for
    bool fails_for_null = false;
  };
  void build(const StartedThread& started, bool is_main);
  /// What runs when the program ends, in any order, where this thread may end it. False: it is there already.
  bool build_late_functions();
  [[nodiscard]] Thread take_thread();
  [[nodiscard]] const std::vector<JoinOf>& joins() const { return joins_; }

 private:
  struct Frame {
    FunctionId id = {};
    const Function* function = nullptr;
    alias::ContextId context = {};
    Frame* caller = nullptr;
    std::uint32_t call = 0;  ///< of the caller's instructions
    std::uint32_t number = 0;
    std::vector<Known> arguments = {};
    std::vector<Operand> given = {};   ///< by the caller; none: what is passed is something else
    std::vector<Target> targets = {};  ///< without a caller: where the argument can lead
    std::vector<PointIndex> blocks = {};
    PointIndex behind = 0;                          ///< where it returns to
    std::optional<LinearForm> argument_is_it = {};  ///< without a caller
    std::optional<VariableIndex> result = {};       ///< what it returns
    std::optional<VariableIndex> result_is_it = {};
    bool in_section = false;  ///< of an atomic function, here or above
    bool owns_section = false;
    std::optional<LockIndex> once = {};          ///< it is a body that runs once, and holds this
    std::vector<bool> is_reached = {};           ///< by block
    const Instruction* invoke = nullptr;         ///< that is built just now
    BlockId invoke_block = {};                   ///< where it stands
    std::optional<PointIndex> landing_pad = {};  ///< of it, once something was thrown
  };
  struct CallSite {
    Frame& frame;
    std::uint32_t instruction;
    const Instruction& code;
    const api::Model* model = nullptr;
  };

  // thread_builder.cpp: instructions
  void function(Frame& frame, PointIndex begin);
  void run(FunctionId function, alias::ContextId context);
  void block(Frame& frame, BlockId block);
  void instruction(Frame& frame, std::uint32_t index);
  void terminator(Frame& frame, BlockId block, const Instruction& code);
  void branch(Frame& frame, BlockId from, BlockId to, std::vector<Act> acts) {
    branch(frame, at_, from, to, std::move(acts));
  }
  void branch(Frame& frame, PointIndex at, BlockId from, BlockId to, std::vector<Act> acts);
  void load(Frame& frame, std::uint32_t index, const Instruction& code);
  void store(Frame& frame, const Instruction& code);
  void update(Frame& frame, std::uint32_t index, const Instruction& code);
  void exchange(Frame& frame, std::uint32_t index, const Instruction& code);
  void binary(Frame& frame, std::uint32_t index, const Instruction& code);
  void cast(Frame& frame, std::uint32_t index, const Instruction& code);
  void select(Frame& frame, std::uint32_t index, const Instruction& code);

  // ends_builder.cpp: exceptions, and ends of the program
  [[nodiscard]] std::optional<PointIndex> handler(Frame& frame);
  [[nodiscard]] std::optional<PointIndex> handler_above(Frame& frame);
  void throw_from(Frame& frame);
  void may_throw_from(Frame& frame);
  void leave_by_exception(Frame& frame);
  [[nodiscard]] PointIndex end_of_program();
  void run_later(const CallSite& site, const api::RunLater& later);
  void run_at_end(const CallSite& site, const api::RunLater& later);
  void end(const CallSite& site, const api::End& end);

  // memory_builder.cpp: what is written where
  /// The cells that an access changes in one place: the one that it names, and those that overlap it.
  struct Written {
    std::optional<VariableIndex> own = {};
    std::optional<VariableIndex> element = {};  ///< the same, as a field of the element that is followed
    std::vector<VariableIndex> others = {};
    std::optional<Region> region = {};        ///< if there is only one
    std::vector<Act> if_there = {};           ///< guards
    std::optional<std::int64_t> number = {};  ///< that is read there
    [[nodiscard]] bool is_nothing() const { return !own && !element && others.empty(); }
    [[nodiscard]] std::optional<VariableIndex> cell() const { return own ? own : element; }
  };
  [[nodiscard]] bool is_strong(const Instruction& code) const;
  void note_order(const Frame& frame, const Instruction& code, Operand pointer);
  void check_order(const Instruction& code, const std::vector<Written>& ways) const;
  void put_weak(VariableIndex cell, const std::optional<LinearForm>& form);
  bool read_weak(VariableIndex cell, const std::vector<Act>& if_there, std::vector<Written>& ways);
  static constexpr std::size_t most_places = 16;  ///< that are told apart
  /// What a write leaves in a cell that it covers; none: any number.
  using Content = std::function<std::optional<std::int64_t>(const Cell&)>;
  [[nodiscard]] std::vector<Region> regions(const Frame& frame, Operand pointer,
                                            std::optional<std::uint64_t> bytes) const;
  [[nodiscard]] std::vector<Act> hits(const std::optional<LinearForm>& address, const Cell& cell, std::uint64_t bytes);
  [[nodiscard]] std::vector<Written> written(const Frame& frame, const Instruction& code, Operand pointer);
  [[nodiscard]] static Written anywhere_of(const std::vector<Written>& all);
  struct BitOfCell {
    VariableIndex variable = 0;
    LinearForm form;
  };
  void put(const Written& to, const std::optional<LinearForm>& form, Interval range, bool wraps = false,
           const std::vector<BitOfCell>& bits = {});
  template <class Do>
  void on_each_way(const std::vector<Written>& ways, const Do& act);
  /// What is written, besides numbers: something that may be an address, none, or the handle of a thread.
  enum class Leaves : std::uint8_t { Data, Null, Handle };
  void write_bytes(const Frame& frame, Operand pointer, std::optional<std::uint64_t> bytes, const Content& content,
                   Leaves leaves = Leaves::Data);
  void copy_bytes(const Frame& frame, std::uint32_t index, const Instruction& code);
  void set_bytes(const Frame& frame, std::uint32_t index, const Instruction& code);
  [[nodiscard]] std::optional<std::int64_t> constant(const Frame& frame, Operand operand) const;

  // element_builder.cpp: the element that is followed
  [[nodiscard]] Rows::Lead lead(const Frame& frame, Operand pointer, std::uint64_t bytes) const;
  [[nodiscard]] std::optional<LinearForm> is_it(const Frame& frame, Operand operand) const;
  [[nodiscard]] std::optional<LinearForm> is_element_address(const Frame& frame, const Instruction& gep) const;
  [[nodiscard]] bool is_told(const Frame& frame, std::uint32_t index) const;
  void tell(const Frame& frame, std::uint32_t index, const std::optional<LinearForm>& form);
  [[nodiscard]] std::optional<Act> tell_phi(const Frame& frame, std::uint32_t index, Operand operand,
                                            std::vector<Act>& acts) const;
  [[nodiscard]] std::optional<VariableIndex> told_result(const Frame& frame, std::uint32_t index) const;
  void tell_written(const Frame& frame, const Instruction& store, const Written& way);
  [[nodiscard]] bool is_pointer_value(const Function& f, Operand operand) const;
  void tell_read(const Frame& frame, std::uint32_t index, std::optional<VariableIndex> cell);
  [[nodiscard]] static std::vector<Act> if_it(const std::optional<LinearForm>& form, bool is);
  [[nodiscard]] std::vector<Written> with_element(const Frame& frame, const Instruction& code, Operand pointer,
                                                  std::vector<Written> ways);
  void visit_element(const Frame& frame, Operand pointer, Visit visit);

  // bits_builder.cpp: flags that share a word
  [[nodiscard]] std::uint64_t told_bits(const Frame& frame, std::uint32_t index) const;
  [[nodiscard]] std::optional<LinearForm> bit(const Frame& frame, Operand operand, unsigned position) const;
  [[nodiscard]] std::optional<LinearForm> masked(const Frame& frame, Operand operand, std::int64_t mask) const;
  void tell_bits(const Frame& frame, std::uint32_t index, std::optional<Operand> from);
  void tell_phi_bits(const Frame& frame, std::uint32_t index, Operand from, std::vector<Act>& acts,
                     std::vector<Act>& moves) const;
  void tell_read_bits(const Frame& frame, std::uint32_t index, std::optional<VariableIndex> cell,
                      std::optional<std::int64_t> number = {});
  void tell_returned_bits(const Frame& frame, Operand returned);
  [[nodiscard]] std::vector<BitOfCell> bits_behind(const Frame& frame, const Instruction& code,
                                                   const Written& way) const;

  // call_builder.cpp: calls
  void call(Frame& frame, std::uint32_t index, const Instruction& code);
  void call_pointer(Frame& frame, std::uint32_t index, const Instruction& code);
  void call_one(Frame& frame, std::uint32_t index, const Instruction& code, FunctionId callee);
  void call_body(Frame& frame, std::uint32_t index, const Instruction& code, FunctionId callee);
  void enter(Frame& frame, Frame inner, FunctionId callee);
  [[nodiscard]] std::vector<FunctionId> functions(const std::vector<Target>& targets) const;
  [[nodiscard]] alias::ContextId context_of(const Frame& frame, std::uint32_t index, FunctionId callee) const;
  void lose_objects(const CallSite& site, const api::Action& action);
  [[nodiscard]] bool may_count(const CallSite& site, api::Argument format) const;
  void library_writes(const CallSite& site, const api::Touch& touch);
  void library_writes(const CallSite& site, api::Argument argument, std::optional<std::uint64_t> bytes);
  void library_rearranges(const CallSite& site);
  [[nodiscard]] std::optional<std::uint64_t> bytes_of(const CallSite& site, const api::Length& length) const;
  void call_library(CallSite site, const Function& callee);
  void act(const CallSite& site, const api::Effect& effect);
  void take(const CallSite& site, const api::TakeLock& take);
  void give(const CallSite& site, const api::GiveLock& give);
  void wait(const CallSite& site, const api::UseCondition& use);
  void go_on_if(const LinearForm& form);  ///< it is not zero
  void status(const CallSite& site, std::vector<Act>& acts, api::Success success, bool good);
  void split(const CallSite& site, std::vector<std::vector<Act>> good, api::Success success, bool may_fail);
  struct LockWay {
    std::vector<LockIndex> locks = {};
    std::vector<Act> guards = {};
  };
  [[nodiscard]] std::vector<LockWay> locks_of(const CallSite& site, const api::LockRef& lock);
  [[nodiscard]] std::vector<LockWay> object_locks(const CallSite& site, api::Argument argument, bool indirect = false);
  [[nodiscard]] std::vector<LockWay> locks_behind(const CallSite& site, api::Argument argument);
  template <class Change>
  [[nodiscard]] static std::vector<std::vector<Act>> acts_on(const std::vector<LockWay>& ways, const Change& change);
  void step_on_ways(std::vector<std::vector<Act>> ways);
  [[nodiscard]] bool grants(api::Granted granted);

  // starts_builder.cpp: threads
  void start(const CallSite& site, const api::StartThread& start);
  [[nodiscard]] StartedThread started_at(const CallSite& site, const api::StartThread& start) const;
  void leave(const CallSite& site, const api::LeaveThread& leave);
  [[nodiscard]] std::optional<Memory> handle_of(const CallSite& site, const api::LeaveThread& leave) const;
  void empty_word(const CallSite& site, api::Argument argument);
  [[nodiscard]] std::optional<FunctionId> only_function(const std::vector<Target>& all) const;
  [[nodiscard]] std::vector<Target> in_table(const std::vector<Target>& objects, int slot) const;

  // once_builder.cpp: what the library calls
  struct OnceObject {
    std::optional<LockIndex> lock = {};
    std::optional<VariableIndex> flag = {};
  };
  struct OnceWays {
    std::vector<Act> runs = {}, done = {};
  };
  [[nodiscard]] OnceObject once_object(const CallSite& site, api::Argument argument);
  [[nodiscard]] OnceWays ways_to_begin(const OnceObject& object);
  void end_once(const OnceObject& object, bool is_done);
  void run_once(const CallSite& site, const api::RunOnce& once);
  void call_back(const CallSite& site, const api::CallBack& back);
  void call_functions(const CallSite& site, const std::vector<FunctionId>& callees, bool has_context,
                      std::optional<LockIndex> once);

  // values.cpp: what operands are
  [[nodiscard]] Known known(const Frame& frame, Operand operand) const;
  [[nodiscard]] Known known_result(const Frame& frame, std::uint32_t index) const;
  [[nodiscard]] std::optional<std::int64_t> constant_cast(const Frame& frame, const Instruction& code) const;
  [[nodiscard]] std::optional<LinearForm> number(const Frame& frame, Operand operand) const;
  /// The only place that it can lead to, if it leads anywhere.
  [[nodiscard]] std::optional<Memory> memory(const Frame& frame, Operand operand) const;
  [[nodiscard]] std::vector<Target> targets(const Frame& frame, Operand operand) const;
  [[nodiscard]] std::vector<Target> contents(const std::vector<Target>& where, std::uint64_t bytes) const;
  [[nodiscard]] std::optional<Memory> argument_memory(const CallSite& site, api::Argument argument) const;
  [[nodiscard]] std::vector<std::vector<Act>> ways(const Frame& frame, Operand operand, bool truth) const;
  [[nodiscard]] static std::vector<std::vector<Act>> both(const std::vector<std::vector<Act>>& left,
                                                          const std::vector<std::vector<Act>>& right);
  void decide(const Frame& frame, std::uint32_t index);
  [[nodiscard]] bool is_kept(const Frame& frame, std::uint32_t index);
  [[nodiscard]] unsigned bits_of(const Frame& frame, Operand operand) const;
  [[nodiscard]] unsigned number_bits(TypeId type) const;  ///< 0: nothing that is followed
  [[nodiscard]] Interval number_range(TypeId type) const;
  [[nodiscard]] std::optional<LinearForm> address_behind(const Frame& frame, const Instruction& gep) const;
  [[nodiscard]] std::optional<VariableIndex> cell(const Memory& memory, TypeId type) const;
  [[nodiscard]] VariableIndex local(const Frame& frame, std::uint32_t instruction, std::uint32_t part = 0) const;

  // the graph
  PointIndex point();
  void connect(PointIndex from, PointIndex to, std::vector<Act> acts);
  void stop_here();  ///< what comes next is noticed by others
  void stop_once();  ///< the same, of the access that a visit just stopped for
  [[nodiscard]] static Act becomes(VariableIndex target, const std::optional<LinearForm>& form, Interval range,
                                   bool wraps = false);
  void add(Act act) { acts_.push_back(std::move(act)); }
  void any_result(const Frame& frame, std::uint32_t index);  ///< if it is a number
  void result(const Frame& frame, std::uint32_t index, Interval range);
  void result(const Frame& frame, std::uint32_t index, const std::optional<LinearForm>& form, bool wraps);
  /// `pointer`: to what is accessed, if that is known.
  void visit(const Frame& frame, std::uint32_t index, Operand pointer = {}, std::uint64_t bytes = 0);

  Workshop& shop_;
  const Program& program_;
  Thread thread_;
  std::vector<JoinOf> joins_;
  PointIndex at_ = 0;
  std::vector<Act> acts_;
  bool is_over_ = false;           ///< nothing comes behind what was built last
  std::optional<PointIndex> end_;  ///< where the functions run that come at the end of the program
  std::size_t late_ = 0;           ///< so many of them are built
  mutable std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, VariableIndex> locals_;
};

}  // namespace heddle::judge::transaction
