// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/keep/summary_form.h"

#include <utility>

namespace heddle::scan {
namespace {

class SummaryReader {
 public:
  SummaryReader(std::string_view bytes, const Program& program, const StableIds& ids)
      : in_(bytes), program_(program), ids_(ids) {}

  bool run(std::span<const FunctionId> members, MemberKeys& keys, KeptComponent& out) {
    tables();
    if (!answers_hold(keys)) return false;
    out.summaries.assign(members.size(), {});
    out.faces.clear();
    for (std::size_t i = 0; i < members.size() && !in_.failed(); ++i) {
      out.faces.push_back(in_.hash());
      summary(members[i], out.summaries[i]);
    }
    return !in_.failed() && in_.at_end();
  }

 private:
  void tables() {
    const auto read = [&](auto& table, auto find) {
      table.resize(in_.count());
      for (auto& id : table) {
        id = find(in_.word());
        if (!id) in_.fail();
      }
    };
    read(types_, [&](std::uint64_t name) { return ids_.type(name); });
    read(functions_, [&](std::uint64_t name) { return ids_.function(name); });
    read(globals_, [&](std::uint64_t name) { return ids_.global(name); });
  }

  /// Types that look as they did answer as they did; of others, each question is asked.
  bool answers_hold(MemberKeys& keys) {
    bool is_same = true;
    for (std::uint32_t left = in_.count(); left > 0; --left) {
      const TypeId asked = type();
      is_same &= in_.word() == keys.layout(asked, ids_);
    }
    const std::string_view questions = in_.text();
    if (in_.failed() || is_same) return !in_.failed();
    ByteReader after = std::exchange(in_, ByteReader(questions));
    while (!in_.at_end()) {
      MemberQuestion question;
      question.type = type();
      question.offset = in_.signed32();
      MemberAnswer answer;
      answer.key.record = type();
      answer.key.offset = in_.signed32();
      answer.pointee = type();
      if (in_.failed() || !question.type || keys.ask(question) != answer) return false;
    }
    in_ = after;
    return true;
  }

  TypeId type() {
    const std::uint32_t row = in_.below(types_.size() + 1);
    return row == 0 ? TypeId{} : types_[row - 1];
  }
  FunctionId function() {
    const std::uint32_t row = in_.below(functions_.size());
    return in_.failed() ? FunctionId{} : functions_[row];
  }
  Lvalue lvalue() {
    const NodeId node(in_.below(nodes_));
    return {node, in_.signed32()};
  }
  std::uint32_t instruction() { return in_.below(instructions_); }
  std::uint32_t lockset() { return in_.below(locksets_); }
  std::uint32_t history() { return in_.below(histories_); }
  std::uint32_t thread_state() { return in_.below(states_); }

  SymbolicValue value() {
    SymbolicValue out;
    out.kind = static_cast<SymbolicValue::Kind>(in_.below(5));
    if (out.is_number() || out.is_parameter()) out.number = in_.signed_number();
    if (out.kind == SymbolicValue::Kind::Code) out.code = function();
    if (out.kind == SymbolicValue::Kind::Address) out.address = lvalue();
    return out;
  }

  Condition condition() {
    const auto kind = static_cast<Condition::Kind>(in_.below(6));
    if (kind == Condition::Kind::Always) return {};
    const std::uint32_t parameter = in_.below(Condition::most);
    const std::int64_t number = in_.signed_number();
    return Condition::of(kind, parameter, number, kind == Condition::Kind::IsCode ? function() : FunctionId{});
  }

  void node(FunctionId owner, std::size_t row, Node& n) {
    const std::uint32_t flags = in_.below(1 << 7);
    n.kind = static_cast<NodeKind>(flags & 7);
    n.from_formal = (flags >> 3 & 1) != 0;
    n.is_published = (flags >> 4 & 1) != 0;
    if ((flags >> 5 & 1) != 0) n.function = owner;
    n.depth = static_cast<std::uint8_t>(in_.below(256));
    n.index = in_.number32();
    if (n.kind == NodeKind::Global) {
      if (n.index >= globals_.size()) return in_.fail();
      n.index = globals_[n.index].index();
    }
    if ((flags >> 6 & 1) != 0)
      n.parent = NodeId(in_.below(row));  // nodes stand behind their parents
    else if (n.kind == NodeKind::Target || n.kind == NodeKind::Element)
      in_.fail();
    n.offset = in_.signed32();
    n.stride = in_.signed32();
    n.type = type();
    n.whole = type();
    if (n.whole) n.whole_offset = in_.signed32();
  }

  void summary(FunctionId id, FunctionSummary& s) {
    instructions_ = program_.functions[id].instructions.size();
    const std::uint32_t flags = in_.below(1 << 8);
    if ((flags & 3) > 2) return in_.fail();
    s.missing = static_cast<FunctionSummary::Missing>(flags & 3);
    s.may_spawn = (flags >> 2 & 1) != 0;
    s.returns = (flags >> 4 & 1) != 0;
    s.splits_by_result = (flags >> 3 & 1) != 0;
    s.gives_locals_away = (flags >> 5 & 1) != 0;
    s.leaves_copies = (flags >> 6 & 1) != 0;
    s.uses_locks = (flags >> 7 & 1) != 0;
    s.nodes.resize(in_.count());
    nodes_ = s.nodes.size();
    for (std::size_t i = 0; i < nodes_ && !in_.failed(); ++i) node(id, i, s.nodes[i]);
    s.locksets.resize(in_.count());
    locksets_ = s.locksets.size();
    for (RelativeLockset& l : s.locksets) lockset_row(l);
    histories(s);
    threads(s);
    groups(s);
    s.exit = lockset();
    s.exit_zero = lockset();
    s.exit_other = lockset();
    s.exit_valid = lockset();
    s.exit_when = condition();
    s.exit_if = lockset();
    s.exit_else = lockset();
    s.exit_histories.any = history();
    s.exit_histories.if_so = history();
    s.exit_histories.if_not = history();
    s.exit_thrown = lockset();
    s.exit_threads = thread_state();
    s.result = value();
    s.stores.resize(in_.count());
    for (auto& [to, stored] : s.stores) {
      to = lvalue();
      stored = value();
    }
    if (in_.below(2) != 0) s.returned_handle = lvalue();
    s.escaping = in_.number();
    s.escaping_below = in_.number();
    s.overwriting = in_.number();
    s.asked = in_.number();
    s.spawns.resize(in_.count());
    for (SummarySpawn& spawn : s.spawns) {
      spawn.instruction = instruction();
      spawn.threads = thread_state();
      const std::uint32_t how = in_.below(1 << 4);
      spawn.in_loop = (how & 1) != 0;
      spawn.fresh_argument = (how >> 1 & 1) != 0;
      spawn.has_handle = (how >> 2 & 1) != 0;
      spawn.is_trampoline = (how >> 3 & 1) != 0;
      spawn.entry = value();
      spawn.argument = value();
    }
    s.calls.resize(in_.count());
    for (SummaryCall& call : s.calls) {
      call.instruction = instruction();
      call.callee = function();
      call.lockset = lockset();
      call.history = history();
      call.threads = thread_state();
      const std::uint32_t how = in_.below(1 << 2);
      call.in_loop = (how & 1) != 0;
      call.is_opaque = (how >> 1 & 1) != 0;
      call.when = condition();
      call.arguments.resize(in_.count());
      for (auto& [index, given] : call.arguments) {
        index = in_.below(Condition::most);
        given = value();
      }
    }
  }

  void lockset_row(RelativeLockset& l) {
    l.acquired.resize(in_.count());
    l.released.resize(in_.count());
    for (HeldLock& held : l.acquired) {
      held.lock = lvalue();
      const std::uint32_t how = in_.below(1 << 9);
      held.mode = (how & 1) != 0 ? locks::Mode::Shared : locks::Mode::Exclusive;
      held.count = static_cast<std::uint8_t>(how >> 1);
    }
    for (ReleasedLock& gone : l.released) {
      gone.lock = lvalue();
      const std::uint32_t how = in_.below(1 << 16);
      gone.count = static_cast<std::uint8_t>(how);
      gone.weakened = static_cast<std::uint8_t>(how >> 8);
    }
  }

  void acquired(AcquiredSet& set) {
    set.resize(in_.count());
    for (AcquiredLock& one : set) {
      one.lock = lvalue();
      one.mode = in_.below(2) != 0 ? locks::Mode::Shared : locks::Mode::Exclusive;
    }
  }

  void histories(FunctionSummary& s) {
    s.histories.resize(in_.count());
    histories_ = s.histories.size();
    for (LockHistory& history : s.histories) {
      history.rows.resize(in_.count());
      for (HistoryRow& row : history.rows) {
        row.lock = lvalue();
        acquired(row.since);
      }
      acquired(history.since_entry);
    }
    s.interrupted.resize(in_.count());
    for (Interruption& gone : s.interrupted) {
      gone.lock = lvalue();
      gone.depth = static_cast<std::uint8_t>(in_.below(256));
    }
    s.may_interrupt_any = in_.below(2) != 0;
  }

  void threads(FunctionSummary& s) {
    s.started.resize(in_.count());
    for (StartedThread& thread : s.started) {
      thread.entry = value();
      thread.handle = lvalue();
      thread.is_many = in_.below(2) != 0;
      thread.is_group = in_.below(2) != 0;
    }
    s.thread_states.resize(in_.count());
    states_ = s.thread_states.size();
    for (ThreadState& state : s.thread_states) {
      const std::uint32_t how = in_.below(1 << 5);
      state.spawned = (how & 1) != 0;
      state.others = (how >> 1 & 1) != 0;
      state.detached = (how >> 2 & 1) != 0;
      state.joined_others = (how >> 3 & 1) != 0;
      state.running.resize(in_.count());
      state.joined.resize(in_.count());
      for (std::uint32_t& thread : state.running) thread = in_.below(s.started.size());
      for (Lvalue& handle : state.joined) handle = lvalue();
    }
  }

  void groups(FunctionSummary& s) {
    s.groups.resize(in_.count());
    s.dependent = in_.below(s.groups.size() + 1);
    std::uint64_t own = 0, inherited = 0;
    for (AccessGroup& g : s.groups) {
      g.name = in_.word();
      g.node = NodeId(in_.below(nodes_));
      g.lockset = lockset();
      g.history = history();
      const std::uint64_t how = in_.number();
      if (how >> 1 >= states_) return in_.fail();
      g.threads = static_cast<std::uint32_t>(how >> 1);
      g.after_publication = (how & 1) != 0;
      g.is_variant = in_.below(2) != 0;
      g.when = condition();
      g.first_own = static_cast<std::uint32_t>(own);
      g.own_count = in_.count();
      g.first_inherited = static_cast<std::uint32_t>(inherited);
      g.inherited_count = in_.count();
      g.written.from = in_.signed32();
      const std::uint64_t bytes = in_.number();
      if (bytes > 2ULL * ByteRange::farthest) return in_.fail();
      g.written.to = static_cast<std::int32_t>(g.written.from + static_cast<std::int64_t>(bytes));
      own += g.own_count;
      inherited += g.inherited_count;
    }
    if (in_.failed() || own + inherited > in_.left()) return in_.fail();
    s.own.resize(own);
    for (OwnAccess& access : s.own) {
      access.instruction = instruction();
      access.offset = in_.signed32();
      access.size = in_.number32();
      access.key.record = type();
      access.key.offset = in_.signed32();
      const std::uint32_t how = in_.below(1 << 11);
      if ((how & 3) > 2) in_.fail();
      access.kind = static_cast<AccessKind>(how & 3);
      access.is_atomic = (how >> 2 & 1) != 0;
      access.address = static_cast<std::uint8_t>(how >> 3);
    }
    s.inherited.resize(inherited);
    for (InheritedAccesses& row : s.inherited) {
      row.instruction = instruction();
      row.callee = function();
      row.group = in_.word();
      row.offset = in_.signed32();
    }
  }

  ByteReader in_;
  const Program& program_;
  const StableIds& ids_;
  std::vector<TypeId> types_;
  std::vector<FunctionId> functions_;
  std::vector<GlobalId> globals_;
  std::size_t instructions_ = 0, nodes_ = 0, locksets_ = 0, histories_ = 0, states_ = 0;
};

}  // namespace

bool read_summaries(std::string_view bytes, const Program& program, const StableIds& ids,
                    std::span<const FunctionId> members, MemberKeys& keys, KeptComponent& out) {
  return SummaryReader(bytes, program, ids).run(members, keys, out);
}

}  // namespace heddle::scan
