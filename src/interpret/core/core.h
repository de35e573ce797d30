// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inside of a Machine. One struct, because the hot loop, the calls, the synchronisation and the library all work on
// the same state; its functions are spread over files by topic, as the sections below say.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "api/action.h"
#include "interpret/code/platform.h"
#include "interpret/machine/machine.h"
#include "interpret/state/thread.h"

namespace heddle::interpret {

/// Thrown to leave a step: the outcome is set.
struct RunOver {};
/// Thrown inside a section that cannot run now.
struct SectionFailed {
  OpKind blocked = OpKind::None;
  Address object = 0;
};

struct Core;
struct NativeCall;
using Native = void (*)(NativeCall&);

/// What a function without a body is.
struct External {
  enum class Kind : std::uint8_t { Unknown, Native, Effect, Nondet, Unsupported };
  Kind kind = Kind::Unknown;
  Native native = nullptr;
  const api::Model* model = nullptr;
  api::Action action;     ///< Effect: the one that is carried out
  std::uint32_t key = 0;  ///< of a ReturnValue that holds a key: its number
  [[nodiscard]] bool is_unknown() const { return kind == Kind::Unknown || kind == Kind::Unsupported; }
};

struct PathNode {
  PathId parent = 0;
  StackEntry entry;
};

struct MarkState {
  std::size_t log = 0, thread_saves = 0, sync_saves = 0, shared_saves = 0, notes = 0, output = 0, errors = 0,
              threads = 0;
  std::uint64_t instructions = 0;
  std::uint64_t epoch = 0;
};

struct Core {
  Core(const Program& p, const api::ApiModels& m, MachineOptions o, Chooser& c);

  const Program& program;
  const api::ApiModels& models;
  MachineOptions options;
  Chooser& chooser;
  Memory memory;
  DecodedProgram decoded;
  Placement placement;
  std::vector<External> externals;  ///< by FunctionId
  struct UndefinedGlobal {
    Address base = 0;
    std::uint64_t extent = 0;
    GlobalId global;
  };
  std::vector<std::string> synthetic_names;  ///< functions behind the program's own; synthetic.cpp
  ObjectId stream_table = 0, stream_ctype = 0;
  std::vector<UndefinedGlobal> undefined_globals;  ///< by address; an access to one ends the run as Unsupported
  bool is_closed = false;
  std::uint32_t pointer_bytes = 8;
  Platform platform;

  std::deque<Thread> threads;
  std::map<std::pair<ThreadIndex, std::uint32_t>, ThreadIndex> thread_names;  ///< stable_threads; never undone
  std::size_t live_threads = 0;
  std::vector<Sync> syncs;
  std::unordered_map<Address, std::uint32_t> sync_index;
  SharedState shared;
  std::string output, errors;
  std::vector<Note> notes;
  Outcome outcome;
  std::vector<Event> events;
  FailedSection failed_section;
  std::uint64_t instructions = 0;

  // During a step.
  ThreadIndex current = 0;
  bool granted = false;       ///< the next visible operation may be carried out
  bool is_rehearsal = false;  ///< what happens now is taken back: rehearsal.cpp
  std::uint32_t section_depth = 0;
  std::uint64_t section_limit = 0;
  std::size_t section_events = 0;
  MarkState section_mark;
  MachineOptions::Record record = MachineOptions::Record::Shared;

  // Undo.
  std::vector<MarkState> marks;
  std::uint64_t epoch = 0, next_epoch = 1;
  std::vector<Thread> thread_saves;  ///< entries behind thread_save_count keep their capacity
  std::vector<ThreadIndex> thread_save_ids;
  std::size_t thread_save_count = 0;
  std::vector<Sync> sync_saves;
  std::vector<SharedState> shared_saves;
  std::vector<PathNode> paths;
  std::map<std::tuple<PathId, std::uint32_t, std::uint32_t>, PathId> path_index;

  // ---- setup.cpp
  void place_globals();
  void classify_externals();
  void start_main();
  void write_initial(ObjectId id, const Global& global);
  ObjectId thread_local_object(ThreadIndex thread, GlobalId global);
  /// A private object of the library for this thread, zeroed; made on first use.
  ObjectId library_object(ThreadIndex thread, std::uint32_t which, std::uint64_t size);
  /// A variable of the library that holds this key.
  Slot library_key(std::uint32_t key);
  Slot make_string(const std::string& text);
  [[nodiscard]] const UndefinedGlobal* undefined_global(Address address) const;

  // ---- files.cpp; who changes a file calls touch_shared first
  OpenFile& open_file(std::uint64_t descriptor);
  Slot stream_object(std::uint32_t descriptor);
  std::uint32_t descriptor_of(const Slot& stream);
  int read_byte(std::uint32_t descriptor);  ///< -1: the end
  bool write_file(std::uint32_t descriptor, std::string_view text);
  bool knows_input();
  std::int64_t open_named(const std::string& name, const OpenMode& mode);  ///< a descriptor, or minus the error number
  int remove_file(const std::string& name);                                ///< 0 or the error number

  // ---- synthetic.cpp
  void declare_synthetic();
  [[nodiscard]] std::string_view symbol_of(FunctionId function) const;
  [[nodiscard]] std::string name_of(FunctionId function) const { return std::string(symbol_of(function)); }
  [[nodiscard]] Address symbol_address(const std::string& name) const;  ///< 0: no such function
  void fill_table(ObjectId id, std::string_view name, Address type);
  bool fill_stream(ObjectId id);

  // ---- run.cpp
  StepResult step(ThreadIndex thread, std::uint64_t budget);
  bool run(std::uint64_t budget);  ///< until a stop; false: the thread finished

  // ---- access.cpp: memory as the program sees it
  [[nodiscard]] Object& resolve(const Slot& pointer, std::uint64_t size, bool is_write) {
    Object& object = memory.object(pointer.object);
    const std::uint64_t offset = pointer.bits - object.base;
    if (pointer.object != 0 && offset <= object.size && size <= object.size - offset && object.is_alive &&
        pointer.undef == 0 && !(is_write && object.is_constant)) [[likely]]
      return object;
    return resolve_slow(pointer, size, is_write);
  }
  Object& resolve_slow(const Slot& pointer, std::uint64_t size, bool is_write);
  [[noreturn]] void bad_access(const Slot& pointer, std::uint64_t size, bool is_write);
  Slot load(const Slot& pointer, const Leaf& leaf, bool is_atomic);
  void store(const Slot& pointer, const Leaf& leaf, const Slot& value, bool is_atomic);
  void load_many(const Slot& pointer, const Shape& shape, Slot* to, bool is_atomic);
  void store_many(const Slot& pointer, const Shape& shape, const Slot* from, bool is_atomic);
  void copy_bytes(const Slot& to, const Slot& from, std::uint64_t count);
  void check_overlap(const Slot& to, const Slot& from, std::uint64_t count);  ///< what memcpy forbids, memmove allows
  void set_bytes(const Slot& to, const Slot& byte, std::uint64_t count);
  std::uint64_t read_word(const Slot& pointer, std::uint32_t bytes);
  void write_word(const Slot& pointer, std::uint32_t bytes, std::uint64_t value);
  Slot read_pointer(const Slot& pointer);
  void write_pointer(const Slot& pointer, const Slot& value);
  std::string read_string(const Slot& pointer);
  /// `count` bytes that must all be initialised; records one read.
  const std::uint8_t* read_bytes(const Slot& pointer, std::uint64_t count);
  void write_bytes(const Slot& pointer, const void* from, std::uint64_t count);
  void note_access(Object& object, Address address, std::uint64_t size, bool is_write, bool is_atomic);
  [[nodiscard]] bool is_recorded(const Object& object) const {
    return record != MachineOptions::Record::Nothing && (record == MachineOptions::Record::Everything ||
                                                         object.has_sync || (object.is_shared && threads.size() > 1));
  }
  [[nodiscard]] Slot pointer_to(ObjectId id, std::uint64_t offset = 0) {
    return {memory.object(id).base + offset, 0, id, 0};
  }
  [[nodiscard]] Slot pointer_at(Address address) {
    return {address & memory.address_mask(), 0, memory.find(address & memory.address_mask()), 0};
  }
  /// Nobody else can feel what this thread does.
  [[nodiscard]] bool is_alone() const { return options.stop_alone ? threads.size() < 2 : live_threads < 2; }
  /// True (and the thread stops) if a plain access must be a scheduling point.
  bool stop_before_access(Thread& thread, const Slot& pointer, std::uint64_t size, bool is_write);

  // ---- rehearsal.cpp: true (and the thread stops) if a native's accesses must be a scheduling point
  bool stop_before_native(Thread& thread, NativeCall call, Native native);

  // ---- calls.cpp
  void push_frame(Thread& thread, const FunctionCode& code, const Slot* arguments, std::size_t count);
  void push_native(Thread& thread, NativeKind kind);
  void pop_frame(Thread& thread);
  void call(Thread& thread, const FunctionCode& code, const CallCode& site);
  bool call_external(Thread& thread, const CallCode& site, FunctionId callee);  ///< false: the thread stops
  void enter(Thread& thread, Address function, const Slot* arguments, std::size_t count);
  void finish_call(Thread& thread, const Slot* result, std::size_t slots);
  void return_from(Thread& thread, const Slot* value, std::size_t slots);
  void finish_native(Thread& thread, const Slot& result);

  // ---- va_list.cpp
  void lay_out_varargs(Thread& thread, const FunctionCode& code, const CallCode& site, std::uint32_t caller_base);

  // ---- native_frames.cpp: false: the thread stops
  bool resume_native(Thread& thread);
  void resume_sort(Thread& thread);
  void resume_search(Thread& thread);
  void resume_startup(Thread& thread);
  void resume_thread_main(Thread& thread);
  bool resume_exit(Thread& thread);
  void resume_thread_exit(Thread& thread);
  void begin_exit(Thread& thread, int code);
  void begin_thread_exit(Thread& thread, const Slot& result);
  void finish_thread(Thread& thread);
  void take_edge(Thread& thread, const Edge& edge);
  const FunctionCode& function_at(const Slot& address);
  Slot stack_object(Thread& thread, std::uint64_t size, std::uint64_t align);
  [[nodiscard]] const Slot* slot_at(const Thread& thread, std::int32_t slot) const {
    return slot < 0 ? decoded.constants_end() + slot : thread.slots.data() + thread.frames.back().base + slot;
  }
  void long_jump(Thread& thread, std::uint64_t token, std::uint64_t value);

  // ---- exceptions.cpp
  void throw_exception(Thread& thread, const CaughtException& exception);
  void throw_library(NativeCall& call, std::string_view name, const std::string& message);
  void unwind(Thread& thread);
  void landing_pad(Thread& thread, const Code& code, Slot* to);

  // ---- effects.cpp, sync.cpp
  bool effect_call(NativeCall& call, const api::Action& action);  ///< false: the thread stops
  [[nodiscard]] bool op_enabled(ThreadIndex thread, OpKind op, Address object, Address lock) const;
  /// Stops (false) unless the step may carry out this operation now.
  bool admit(Thread& thread, OpKind op, Address object, Address lock = 0);
  [[nodiscard]] bool is_nested(OpKind op, Address object) const;
  Sync& sync(Address address);
  [[nodiscard]] const Sync* find_sync(Address address) const;
  void save_sync(Sync& sync);
  int acquire_lock(Thread& thread, Address lock, bool is_shared, bool may_fail);
  int release_lock(Thread& thread, Address lock);
  void wake(Thread& thread);
  void leave_barrier(Thread& thread);
  bool spawn(NativeCall& call, const api::StartThread& start);
  bool join(NativeCall& call, const api::LeaveThread& join);
  void detach(NativeCall& call, const api::LeaveThread& leave);
  bool leave_thread(NativeCall& call, const api::LeaveThread& leave);
  bool use_thread_value(NativeCall& call, const api::UseThreadValue& use);
  bool run_later(NativeCall& call, const api::RunLater& later);
  void emit(EventKind kind, Address address, bool is_lock = false);
  void drop_syncs(const Object& object);
  bool try_fails(bool could_succeed);  ///< although it could: only with weak_tries
  bool take_lock(NativeCall& call, const api::TakeLock& take);
  bool give_lock(NativeCall& call, const api::GiveLock& give);
  void reset_sync(Address object, std::uint32_t count, std::uint32_t limit);
  bool set_up(NativeCall& call, const api::SetUpObject& object);
  void begin_lock(NativeCall& call, const api::SetUpObject& begin);
  void end_lock(NativeCall& call, const api::SetUpObject& end);
  void end_once(NativeCall& call, const api::RunOnce& once, Address object, bool is_done);
  bool run_once(NativeCall& call, const api::RunOnce& once);
  bool end_here(NativeCall& call, const api::End& end);
  bool return_value(NativeCall& call, const api::ReturnValue& value);
  bool call_back(NativeCall& call, const api::CallBack& back);
  bool wait_for_condition(NativeCall& call, const api::UseCondition& use, Address object);
  bool notify(NativeCall& call, Address object, bool all);
  bool use_condition(NativeCall& call, const api::UseCondition& use);
  bool wait_at_barrier(NativeCall& call, const api::WaitAtBarrier& wait);
  bool use_semaphore(NativeCall& call, const api::UseSemaphore& use);
  bool make_memory(NativeCall& call, const api::MakeMemory& make);
  bool touch_atomic(NativeCall& call, const api::TouchAtomic& touch);
  Slot allocate_heap(std::uint64_t size, std::uint64_t align, bool zeroed, bool may_fail);
  void free_heap(const Slot& pointer);
  Slot reallocate(const Slot& pointer, std::uint64_t size);
  [[noreturn]] void assumption_failed();
  /// Checks that memory is there and remembers that a synchronisation object lies in it.
  Address sync_address(const Slot& pointer);

  // ---- thread_names.cpp
  Thread& add_thread(ThreadIndex& index);
  void remove_thread(ThreadIndex index);
  [[nodiscard]] ThreadIndex thread_with(std::uint64_t handle) const;  ///< no_thread: none

  // ---- sections.cpp
  bool begin_section(Thread& thread);
  void end_section(Thread& thread);
  void section_failed(ThreadIndex thread, const SectionFailed& why);
  [[nodiscard]] bool section_may_run(const SectionWait& wait, ThreadIndex thread) const;
  [[nodiscard]] std::uint64_t content_of(const std::vector<Touch>& reads) const;

  // ---- undo.cpp
  MarkState take_mark();
  void undo_to(const MarkState& mark);
  void forget_log();
  void touch_thread(ThreadIndex thread);
  void touch_shared();
  [[nodiscard]] ContentHash state_hash() const;

  // ---- local_state.cpp; see Machine
  [[nodiscard]] std::optional<ContentHash> local_state(ThreadIndex thread) const;
  [[nodiscard]] bool left_traces(ThreadIndex thread, const MarkState& since, bool takes_locks);

  // ---- report.cpp: outcomes, notes, stacks
  [[noreturn]] void end_run(OutcomeKind kind, std::string what);
  [[noreturn]] void undefined(std::string what) { end_run(OutcomeKind::UndefinedBehaviour, std::move(what)); }
  [[noreturn]] void unsupported(std::string what) { end_run(OutcomeKind::Unsupported, std::move(what)); }
  void add_note(Note::Kind kind, std::string what);
  [[nodiscard]] std::vector<StackEntry> stack(ThreadIndex thread) const;
  PathId path_of(Thread& thread);
  std::uint64_t choose(Choice choice);
  std::uint64_t uninitialised_branch(std::uint32_t bits);
  std::uint64_t choose_value(std::uint32_t bits, bool is_float, std::string_view source);
  void choose_float(const Shape& shape, std::string_view source, Slot* to);
};

/// One call of a function without a body: its arguments flattened to slots, and where the result goes.
struct NativeCall {
  Core& core;
  Thread& thread;
  const CallCode& site;
  FunctionId callee;
  std::vector<Slot> arguments;  ///< one a argument; of aggregates the first slot
  Slot result{};
  Slot second{};       ///< second slot of a result that has two
  bool stays = false;  ///< the native pushed a frame or jumped: the call does not finish now
  bool stops = false;  ///< the thread stops before the call, which is made again when the step is granted

  [[nodiscard]] std::size_t count() const { return arguments.size(); }
  [[nodiscard]] const Slot& slot(std::size_t i) const;
  [[nodiscard]] std::uint64_t word(std::size_t i) const;   ///< as passed, must be initialised
  [[nodiscard]] std::int64_t number(std::size_t i) const;  ///< sign-extended from its width
  [[nodiscard]] double real(std::size_t i) const;          ///< float and double only
  [[nodiscard]] FloatFormat format(std::size_t i) const;
  [[nodiscard]] numeric::FloatBits float_value(std::size_t i) const;  ///< of any format
  [[nodiscard]] std::string text(std::size_t i) const { return core.read_string(slot(i)); }
  [[nodiscard]] std::uint32_t bits(std::size_t i) const;
  /// State of the library that other threads change too: a scheduling point. False: the native returns at once.
  bool is_admitted(Address object);
  void set_errno(int value);
  void give(std::uint64_t value);
  void give_real(double value);
  void give_float(numeric::FloatBits value);
  void give_pointer(const Slot& pointer) { result = pointer; }
  [[nodiscard]] std::uint32_t result_bits() const;
  [[nodiscard]] FloatFormat result_format() const;
};

/// The natively implemented function of that name; null if there is none.
Native find_native(std::string_view name);

}  // namespace heddle::interpret
