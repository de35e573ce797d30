// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system of tasks and interrupts that runs: one core, the interpreter, a stack of entries of which the top one runs.
//
//   stack: main                      main stands before a write of x
//   raise(isr)      main, isr        isr runs to its end, or is interrupted in turn
//   …               main             main goes on
//
// First the init entries run, then main begins, if there is one; everybody else may come whenever priorities and masks
// allow, as often as he likes. A run goes one instruction at a time. Who may come is asked only where it can make a
// difference (`look`): before an access to a variable that he, or who may interrupt him, may disturb; before masks
// begin; where a loop goes round; and where nobody runs. With one that may disturb come all that he has to do with, by
// whatever variables (Setting::is_related). So the runs that are left out differ from others only in the order of what
// commutes, and no loop keeps one out for ever.
//
// Inputs: results of undefined functions, reads of devices (Setting::is_device) and of fixed addresses that are no
// variable. Undefined functions are taken to touch no variable of the program. Masks that a run leaves behind end with
// it. A task whose function cannot return may pause where it goes round: there it is taken to wait for its next turn.
//
// Locks: a task that asks for one that another run holds is put aside until it is free, and who it has interrupted goes
// on; then it comes back at once, unless something keeps it out. Who has the lock may be lent the priority of who waits
// (then it runs before those that have interrupted it, until it gives the lock back) or not: both are tried. An
// interrupt cannot wait: such a run does not go on. A call that may fail (LockCall::may_fail) may come back without the
// lock at any time; which, is an input.
//
// What cannot be followed is written down in `gaps` and never taken back: with a gap nothing is refuted.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "depend/judge/gaps.h"
#include "depend/judge/setting.h"
#include "depend/risk/mask_flow.h"
#include "interpret/core/core.h"

namespace heddle::depend {

class Board {
 public:
  enum class Part : std::uint8_t { All, First, Rest };
  /// An access that was made, or a part of one.
  struct Seen {
    GlobalId variable;  ///< invalid: no variable
    std::uint64_t address = 0, size = 0, value = 0;
    bool writes = false;
    Part part = Part::All;
    std::uint64_t behind = 0;                 ///< First: bytes that the rest has
    std::optional<std::uint64_t> whole = {};  ///< Rest of a read: what was read, both together
  };
  /// Accesses of this kind to the variable in this line are made in two steps (board_parts.cpp).
  struct Cut {
    GlobalId variable;
    std::uint32_t line = 0;
    bool writes = false;
  };
  /// Where the top run stands, and what may happen there.
  struct Stand {
    enum class Kind : std::uint8_t { Runs, Idle, Over };
    Kind kind = Kind::Idle;
    std::vector<std::size_t> raises = {};        ///< entries
    const InputValues::Values* input = nullptr;  ///< the next instruction takes one
    bool may_pause = false;
    bool is_round = false;    ///< a loop has gone round: the state may be an old one
    bool must_raise = false;  ///< somebody who waited for a lock comes back
    [[nodiscard]] bool is_choice() const {
      return kind == Kind::Idle || !raises.empty() || is_round || (input != nullptr && input->all.size() > 1);
    }
  };
  /// What the world outside gave.
  struct Taken {
    std::string name;
    std::uint64_t value = 0;
  };
  /// Of the run on top: how many frames it has, and the innermost one.
  struct Point {
    std::size_t depth = 0;
    FunctionId function = {};
    std::uint32_t instruction = 0;
  };

  /// `part`: by entry, who takes part (Setting::taking_part).
  Board(Setting& setting, std::vector<bool> part, std::optional<Cut> cut, Gaps& gaps);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  [[nodiscard]] Stand look();
  void raise(std::size_t entry);
  /// The top run gives the processor away until it is raised again.
  void pause();
  /// The next instruction of the top run; `input` is what it takes, if it takes one.
  void execute(std::uint64_t input = 0);

  [[nodiscard]] bool is_idle() const { return state_.stack.empty(); }
  /// Places of runs, the lowest first. A place belongs to one entry, and is free again when its run has ended.
  [[nodiscard]] std::span<const std::uint32_t> stack() const { return state_.stack; }
  [[nodiscard]] std::size_t entry_at(std::uint32_t place) const { return places_[place]; }
  /// On the stack, or paused.
  [[nodiscard]] bool is_under_way(std::uint32_t place) const;
  /// Of a run under way.
  [[nodiscard]] Point point_of(std::uint32_t place) const;
  /// All its frames, the outermost first.
  [[nodiscard]] std::vector<Point> frames_of(std::uint32_t place) const;

  // Of the latest instruction:
  [[nodiscard]] std::span<const Seen> seen() const { return seen_; }
  [[nodiscard]] const std::optional<Taken>& taken() const { return taken_; }
  [[nodiscard]] const Point& before() const { return before_; }
  [[nodiscard]] std::uint32_t place() const { return place_; }
  /// It asked for a lock, and was put aside.
  [[nodiscard]] bool waits() const { return waits_; }
  /// The latest entry that was raised had a run under way, which goes on.
  [[nodiscard]] bool is_resumed() const { return is_resumed_; }

  [[nodiscard]] std::size_t mark();
  void undo_to(std::size_t mark);
  void pop_mark();
  /// All that decides what may come: states that hash alike have the same future.
  void add_to(Hasher& hasher) const;

 private:
  /// A call of a function with a body that masks by its name; it counts when it returns.
  struct OpenCall {
    std::uint32_t place = 0;
    std::size_t depth = 0;
    MaskStep step;
    std::vector<Masks> before;
  };
  /// A lock at run time: an address, a number, the variable that a handle lies in, a name.
  struct Lock {
    enum class Kind : std::uint8_t { Address, Number, Handle, Name };
    Kind kind = Kind::Address;
    std::uint64_t value = 0;
    bool operator==(const Lock&) const = default;
  };
  struct HeldLock {
    Lock lock;
    std::uint32_t place = 0;  ///< nobody: of a run that has ended
    std::uint32_t count = 1;
  };  /// A run that has the priority of one that waits for its lock: on top of the stack until it gives it back.
  struct Lent {
    std::uint32_t place = 0, waiting = 0;
    std::size_t index = 0;  ///< where it was in the stack
    Lock lock;
  };
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  /// An access of which the first part is made.
  struct Half {
    std::uint32_t place = 0;
    std::uint64_t value = 0;
  };
  struct State {
    std::vector<std::uint32_t> stack, paused;
    std::vector<HeldLock> locks;
    std::vector<Half> halves;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> registers;  ///< what was written to devices, by address
    std::vector<std::pair<std::uint32_t, Lock>> waiting;             ///< places, all of them paused
    std::vector<Lent> lent;
    std::optional<std::uint32_t> has_waited;  ///< the latest instruction put it aside
    std::vector<Masks> masks;                 ///< by place
    std::vector<OpenCall> calls;
    std::vector<bool> begun;  ///< init entries and main, by entry
    bool goes_round = false;  ///< the latest instruction went round a loop
    bool may_pause = false;   ///< that of an endless task
    bool is_over = false;
    std::uint64_t inputs = 0;
  };
  enum class Way : std::uint8_t { Run, Part, Mask, Lock, Result, Assembly, DeviceRead, DeviceWrite };
  struct Touched {
    GlobalId variable;
    bool is_shared = false;  ///< memory that is no variable, and others may know
    bool writes = false;
  };
  /// The next instruction of the top run.
  struct Next {
    Way way = Way::Run;
    std::optional<MaskStep> mask = {};
    const LockCall* lock = nullptr;
    FunctionId callee = {};  ///< without a body
    const InputValues::Values* input = nullptr;
    std::uint64_t bytes = 0;  ///< of a plain access
    std::vector<Touched> touched = {};
    bool touches_all = false;
  };

  [[nodiscard]] interpret::Thread& thread_at(std::uint32_t place);
  [[nodiscard]] const interpret::Thread& thread_at(std::uint32_t place) const;
  [[nodiscard]] bool may_come(std::size_t entry) const;
  [[nodiscard]] std::optional<std::uint32_t> free_place(std::size_t entry) const;
  void look_when_idle(Stand& stand) const;
  void look_for_raises(Stand& stand) const;
  [[nodiscard]] bool may_disturb_next(std::size_t entry) const;
  void find_next();
  [[nodiscard]] std::optional<std::int64_t> number_given(const interpret::CallCode& site, std::size_t which) const;
  void find_call(const interpret::Frame& frame, const interpret::Code& code);
  void find_touched(const interpret::Frame& frame, const interpret::Code& code);
  void touch(const interpret::Frame& frame, std::int32_t slot, bool writes);
  [[nodiscard]] GlobalId variable_at(std::uint64_t address) const;
  void finish_calls();
  void apply(const MaskStep& step, std::uint32_t place, std::vector<Masks>& masks) const;
  void run_mask();
  void find_parts(const interpret::Frame& frame, const interpret::Code& code);
  void run_part();
  void find_lock(const interpret::Frame& frame, const interpret::CallCode& site);
  [[nodiscard]] std::optional<Lock> lock_of(const LockCall& call, const interpret::CallCode& site);
  [[nodiscard]] std::optional<Lock> handle_of(std::size_t depth, Operand operand) const;
  [[nodiscard]] HeldLock* held(const Lock& lock);
  [[nodiscard]] bool is_held(const Lock& lock) const;
  [[nodiscard]] bool may_go_on_waiting(std::uint32_t place) const;
  [[nodiscard]] std::vector<std::size_t> coming_back() const;
  [[nodiscard]] bool may_interrupt_top(std::size_t entry) const;
  [[nodiscard]] std::optional<Lent> lending() const;
  void lend(const Lent& lent);
  void take_back(const Lock& lock);
  void run_lock(std::uint64_t input);
  [[nodiscard]] bool take(const Lock& lock);
  void give(const Lock& lock);
  void wait_for(const Lock& lock);
  void leave_masks(std::uint32_t place);
  void leave_locks();
  void run_result(std::uint64_t input);
  void look_at_arguments(const std::string& name, const interpret::CallCode& site);
  void run_device(std::uint64_t input);
  void run_plain();
  void after_step();
  void begin(std::uint32_t place);
  void add_run(Hasher& hasher, std::uint32_t place) const;
  void add_gap(std::string what) { gaps_.unfollowed.insert(std::move(what)); }

  /// The machine is not expected to ask.
  struct NoChooser final : interpret::Chooser {
    explicit NoChooser(Gaps& gaps) : gaps_(gaps) {}
    std::uint64_t choose(const interpret::Choice& choice) override;
    Gaps& gaps_;
  };

  Setting& setting_;
  Gaps& gaps_;
  NoChooser chooser_;
  std::vector<bool> part_;
  std::optional<Cut> cut_;
  std::vector<std::size_t> places_;  ///< the entry of each
  std::unique_ptr<interpret::Core> core_;
  std::vector<interpret::ObjectId> kept_;  ///< variables that matter
  interpret::ObjectId first_made_ = 0;     ///< objects from here on were made by the run
  State state_;
  std::vector<State> marks_;
  Next next_;
  std::vector<Seen> seen_;
  std::map<std::pair<FunctionId, std::uint32_t>, InputValues::Values> results_;  ///< of calls that take locks
  std::optional<Taken> taken_;
  bool waits_ = false, is_resumed_ = false;
  Point before_;
  std::uint32_t place_ = 0;
};

}  // namespace heddle::depend
