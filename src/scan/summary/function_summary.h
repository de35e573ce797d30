// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FunctionSummary: what a call of a function does, in the terms of its parameters and of globals (RELAY §3), so that a
// caller needs to look no further. Everything in it names memory by `nodes`, which belong to the summary alone.
//
//   void airo_read_stats(struct airo *ai)    accesses: ai->pwr.ev R ({},{}), ai->stats.rx_p W ({},{ai->lock})
//                                            exit: ({},{ai->lock})
//
// Groups of accesses whose name or locks depend on a parameter come first: callers re-express and take over these. The
// others are *settled*: no caller can say more about them than which locks it holds at the call, which is found
// top-down later (reach.h). So an access travels up only as far as its name does, and summaries stay small.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "program/names/access_kind.h"
#include "scan/names/lvalue.h"
#include "scan/names/member_key.h"
#include "scan/summary/lock_history.h"
#include "scan/summary/relative_lockset.h"
#include "scan/summary/thread_state.h"

namespace heddle::scan {

/// What a value is, as far as symbolic execution knows: ⊤ (Unknown), a constant, code, or the address of an lvalue. The
/// incoming content of a pointer, init(o), is the address of Target(o). In summaries also: a number that is a parameter
/// (`void *ERR_PTR(long error) { return (void *)error; }`), by its index.
struct SymbolicValue {
  enum class Kind : std::uint8_t { Unknown, Number, Code, Address, Parameter };
  Kind kind = Kind::Unknown;
  FunctionId code = {};
  std::int64_t number = 0;
  Lvalue address = {};
  [[nodiscard]] static SymbolicValue at(Lvalue address) { return {.kind = Kind::Address, .address = address}; }
  [[nodiscard]] static SymbolicValue function(FunctionId code) { return {.kind = Kind::Code, .code = code}; }
  [[nodiscard]] static SymbolicValue constant(std::int64_t number) { return {.kind = Kind::Number, .number = number}; }
  [[nodiscard]] static SymbolicValue parameter(std::int64_t index) {
    return {.kind = Kind::Parameter, .number = index};
  }
  [[nodiscard]] bool is_null() const { return kind == Kind::Number && number == 0; }
  /// Null, or one of the numbers that stand for an error in a pointer (`return ERR_PTR(-ENOMEM)`): as a pointer it is
  /// not followed.
  [[nodiscard]] bool leads_nowhere() const { return kind == Kind::Number && (number == 0 || is_error(number)); }
  static constexpr std::int64_t most_errors = 4095;
  [[nodiscard]] static bool is_error(std::int64_t number) { return number < 0 && number >= -most_errors; }
  [[nodiscard]] bool is_address() const { return kind == Kind::Address; }
  [[nodiscard]] bool is_code() const { return kind == Kind::Code; }
  [[nodiscard]] bool is_number() const { return kind == Kind::Number; }
  [[nodiscard]] bool is_unknown() const { return kind == Kind::Unknown; }
  [[nodiscard]] bool is_parameter() const { return kind == Kind::Parameter; }
  friend bool operator==(const SymbolicValue&, const SymbolicValue&) = default;
};

/// An instruction of the function itself that touches memory.
struct OwnAccess {
  std::uint32_t instruction = 0;
  std::int32_t offset = 0;  ///< from its group's node
  std::uint32_t size = 0;   ///< bytes; 0: not known
  MemberKey key = {};
  AccessKind kind = AccessKind::Read;
  bool is_atomic = false;
  std::uint8_t address = no_operand;  ///< the operand that has the address; of a call, the argument
  static constexpr std::uint8_t no_operand = 255;
};

/// All accesses of a callee's group, made through a call. The group is known by its name, which stays when the callee
/// is summarised again; `offset` is what to add to theirs.
struct InheritedAccesses {
  std::uint32_t instruction = 0;
  FunctionId callee = {};
  std::uint64_t group = 0;
  std::int32_t offset = 0;
  friend auto operator<=>(const InheritedAccesses&, const InheritedAccesses&) = default;
};

/// Bytes from `from` up to `to`.
struct ByteRange {
  static constexpr std::int32_t farthest = 1 << 30;
  std::int32_t from = 0, to = 0;
  [[nodiscard]] static ByteRange everything() { return {-farthest, farthest}; }
  /// `size` 0: not known.
  [[nodiscard]] static ByteRange at(std::int32_t offset, std::uint32_t size) {
    return size == 0 ? everything() : ByteRange{offset, offset + static_cast<std::int32_t>(size)}.moved(0);
  }
  [[nodiscard]] bool is_empty() const { return from >= to; }
  [[nodiscard]] bool overlaps(const ByteRange& other) const { return from < other.to && other.from < to; }
  [[nodiscard]] ByteRange moved(std::int32_t by) const {
    const auto move = [&](std::int32_t place) {
      if (place <= -farthest || place >= farthest) return place;
      return static_cast<std::int32_t>(std::clamp<std::int64_t>(std::int64_t{place} + by, -farthest, farthest));
    };
    return is_empty() ? ByteRange{} : ByteRange{move(from), move(to)};
  }
  void add(const ByteRange& other) {
    if (other.is_empty()) return;
    *this = is_empty() ? other : ByteRange{std::min(from, other.from), std::max(to, other.to)};
  }
};

/// Under which condition on a parameter something happens: callers that pass a number or a function know more.
///
///   void control(int op) { if (op == 3) x++; }               x: if parameter 0 is 3
///   void each(void (*f)(struct o *), struct o *o) { f(o); }   what `inc` does: if parameter 0 is `inc`
class Condition {
 public:
  enum class Kind : std::uint8_t { Always, Zero, NonZero, Equal, Differs, IsCode };
  Condition() = default;  ///< always
  /// Of a number or a pointer, of which it may be known that it is not zero, and no more.
  [[nodiscard]] static Condition if_zero(std::uint32_t parameter, bool is_zero) {
    return of(is_zero ? Kind::Zero : Kind::NonZero, parameter, 0, {});
  }
  /// Of a number.
  [[nodiscard]] static Condition if_equal(std::uint32_t parameter, std::int64_t number, bool is_equal) {
    return of(is_equal ? Kind::Equal : Kind::Differs, parameter, number, {});
  }
  [[nodiscard]] static Condition if_code(std::uint32_t parameter, FunctionId code) {
    return of(Kind::IsCode, parameter, 0, code);
  }
  /// Parameters beyond `most` have none.
  static constexpr std::uint32_t most = 64;
  [[nodiscard]] static Condition of(Kind kind, std::uint32_t parameter, std::int64_t number, FunctionId code) {
    Condition out;
    if (parameter >= most || kind == Kind::Always) return out;
    out.kind_ = kind;
    out.parameter_ = static_cast<std::uint8_t>(parameter);
    out.number_ = number;
    out.code_ = code;
    return out;
  }
  /// The same, of another parameter.
  [[nodiscard]] Condition moved_to(std::uint32_t parameter) const { return of(kind_, parameter, number_, code_); }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::uint32_t parameter() const { return parameter_; }
  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] FunctionId code() const { return code_; }
  [[nodiscard]] bool is_always() const { return kind_ == Kind::Always; }
  [[nodiscard]] bool wants_zero() const { return kind_ == Kind::Zero; }
  [[nodiscard]] bool asks_for_zero() const { return kind_ == Kind::Zero || kind_ == Kind::NonZero; }
  /// One that only a value tells: Equal, Differs, IsCode.
  [[nodiscard]] bool asks_for_value() const { return kind_ >= Kind::Equal; }
  /// False: it is surely not so if the parameter is this.
  [[nodiscard]] bool may_hold_for(const SymbolicValue& value) const {
    switch (kind_) {
      case Kind::Equal: return !value.is_number() || value.number == number_;
      case Kind::Differs: return !value.is_number() || value.number != number_;
      case Kind::IsCode: return value.is_code() ? value.code == code_ : !value.is_number();
      default: return true;
    }
  }
  friend bool operator==(const Condition&, const Condition&) = default;
  [[nodiscard]] std::uint8_t hash() const {
    return static_cast<std::uint8_t>(static_cast<unsigned>(kind_) * 41U + parameter_ * 7U +
                                     static_cast<unsigned>(number_) * 13U + code_.index());
  }

 private:
  Kind kind_ = Kind::Always;
  std::uint8_t parameter_ = 0;
  FunctionId code_ = {};
  std::int64_t number_ = 0;
};

/// Accesses to one piece of memory under one lockset. Callers take over groups, not accesses: a function that hands `c`
/// to a hundred others has a few groups for all that they do with it.
struct AccessGroup {
  std::uint64_t name = 0;  ///< a hash of what follows, by content
  NodeId node = {};
  std::uint32_t lockset = 0;
  std::uint32_t history = 0;       ///< in FunctionSummary::histories
  std::uint32_t threads = 0;       ///< which run beside it: in FunctionSummary::thread_states
  bool after_publication = false;  ///< the function may have made its root's memory known to others before
  bool is_variant = false;         ///< its accesses may be in another group as well, with other locks
  Condition when;
  std::uint32_t first_own = 0, own_count = 0;
  std::uint32_t first_inherited = 0, inherited_count = 0;
  ByteRange written = {};  ///< of the node, by any of them
};

/// A call, with what is known when it happens. Top-down only needs this of a function.
struct SummaryCall {
  std::uint32_t instruction = 0;
  FunctionId callee = {};
  std::uint32_t lockset = 0;
  std::uint32_t history = 0;
  std::uint32_t threads = 0;
  bool in_loop = false;
  bool is_opaque = false;  ///< no accesses were taken over from the callee
  Condition when = {};     ///< asks_for_value(), or always
  /// What is passed for parameters that the callee asks for, by their index; those missing are not known.
  std::vector<std::pair<std::uint32_t, SymbolicValue>> arguments = {};
};

struct SummarySpawn {
  std::uint32_t instruction = 0;  ///< in this function: the spawn, or the call that leads to it
  SymbolicValue entry = {};
  SymbolicValue argument = {};
  std::uint32_t threads = 0;  ///< that run already
  bool has_handle = false;    ///< by a name, so `threads` tells whether an earlier one may still run
  bool in_loop = false;
  bool fresh_argument = false;  ///< memory that was allocated for this thread
  bool is_trampoline = false;   ///< the function it calls for its argument is a thread of its own, see trampolines.h
};

/// See thread_state.h.
struct StartedThread {
  SymbolicValue entry = {};
  Lvalue handle = {};
  bool is_many = false;   ///< several may be started under this handle
  bool is_group = false;  ///< any number has this handle, and who waits for it waits for all
  friend bool operator==(const StartedThread&, const StartedThread&) = default;
};

/// The histories that go with the locksets when a function returns, in FunctionSummary::histories.
struct ExitHistories {
  std::uint32_t any = 0, if_so = 0, if_not = 0;
  friend bool operator==(const ExitHistories&, const ExitHistories&) = default;
};

struct FunctionSummary {
  enum class Missing : std::uint8_t { None, NoBody, OverBudget };
  Missing missing = Missing::NoBody;
  bool may_spawn = false;
  bool returns = true;             ///< false: it always ends the program or the thread, or runs forever
  bool splits_by_result = false;   ///< see `exit_zero`
  bool gives_locals_away = false;  ///< others know one of its locals, and perhaps still do when it ends
  bool leaves_copies = false;      ///< of memory whose content it does not know, see Publication
  bool uses_locks = false;         ///< it may take, give back or wait with one, itself or by a call
  std::vector<Node> nodes;
  std::vector<RelativeLockset> locksets;  ///< 0 is the empty one
  std::vector<LockHistory> histories;     ///< likewise
  /// Locks of callers that may be given back on the way, and taken again or not; sorted by lock.
  std::vector<Interruption> interrupted;
  bool may_interrupt_any = false;          ///< … and others that have no name
  std::vector<ThreadState> thread_states;  ///< 0: none was started or waited for
  std::vector<StartedThread> started;
  std::vector<AccessGroup> groups;
  std::uint32_t dependent = 0;  ///< that many of them, sorted by name, depend on a parameter; then the settled ones
  std::vector<OwnAccess> own;
  std::vector<InheritedAccesses> inherited;
  std::uint32_t exit = 0;                       ///< lockset when it returns
  std::uint32_t exit_zero = 0, exit_other = 0;  ///< when it returns zero or null, and when not
  std::uint32_t exit_valid = 0;                 ///< … when neither zero nor a number that stands for an error
  /// If the lockset depends on a parameter: `if it is zero`, with what it is then, and otherwise. Callers that know
  /// what they pass know more than `exit`: `void enter(struct cs *c) { if (c) lock(&c->m); }`.
  Condition exit_when = {};
  std::uint32_t exit_if = 0, exit_else = 0;
  ExitHistories exit_histories;
  std::uint32_t exit_thrown = 0;   ///< when an exception leaves it: at most these locks were given back
  std::uint32_t exit_threads = 0;  ///< in `thread_states`
  SymbolicValue result;
  std::vector<std::pair<Lvalue, SymbolicValue>> stores;  ///< pointers it surely leaves in memory of its callers
  Lvalue returned_handle;                                ///< of a thread it started: the local whose content it returns
  std::uint64_t escaping = 0;        ///< bit i: memory of parameter i may become known to other threads
  std::uint64_t escaping_below = 0;  ///< bit i: what the memory of parameter i points to may
  std::uint64_t overwriting = 0;     ///< bit i: pointers in it may be overwritten in ways that no group tells
  std::uint64_t asked = 0;           ///< bit i: what settled accesses and calls do depends on what parameter i is
  std::vector<SummarySpawn> spawns;
  std::vector<SummaryCall> calls;

  /// None if there is no such group any more.
  [[nodiscard]] const AccessGroup* find_group(std::uint64_t name) const {
    const auto end = groups.begin() + dependent;
    const auto at =
        std::lower_bound(groups.begin(), end, name, [](const AccessGroup& g, std::uint64_t n) { return g.name < n; });
    return at != end && at->name == name ? &*at : nullptr;
  }
  [[nodiscard]] bool escapes(std::uint32_t parameter) const {
    return parameter < 64 && (escaping >> parameter & 1) != 0;
  }
  [[nodiscard]] bool escapes_below(std::uint32_t parameter) const {
    return parameter < 64 && (escaping_below >> parameter & 1) != 0;
  }
  /// What may be written of the memory a parameter points to.
  [[nodiscard]] ByteRange written(std::uint32_t parameter) const {
    if (parameter < 64 && (overwriting >> parameter & 1) != 0) return ByteRange::everything();
    ByteRange out;
    for (const AccessGroup& group : groups) {
      const Node* node = &nodes[group.node.index()];
      if (node->depth != 0 || group.written.is_empty()) continue;
      const bool is_element = node->parent.valid();
      while (node->parent) node = &nodes[node->parent.index()];
      if (node->kind == NodeKind::Formal && node->index == parameter)
        out.add(is_element ? ByteRange::everything() : group.written);
    }
    return out;
  }
};

}  // namespace heddle::scan
