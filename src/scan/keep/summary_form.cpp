// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/keep/summary_form.h"

#include "scan/keep/bits.h"

namespace heddle::scan {
namespace {

// A member that is added breaks the build here: it has to be written, read (read_summaries.cpp), and be part of the
// face (summary_store.cpp) if callers see it.
[[maybe_unused]] void all_of(const FunctionSummary& row) {
  [[maybe_unused]] const auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
                                m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35,
                                m36] = row;
}
[[maybe_unused]] void all_of(const AccessGroup& row) {
  [[maybe_unused]] const auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = row;
}
[[maybe_unused]] void all_of(const OwnAccess& row) { [[maybe_unused]] const auto& [m0, m1, m2, m3, m4, m5, m6] = row; }
[[maybe_unused]] void all_of(const InheritedAccesses& row) { [[maybe_unused]] const auto& [m0, m1, m2, m3] = row; }
[[maybe_unused]] void all_of(const SummaryCall& row) {
  [[maybe_unused]] const auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = row;
}
[[maybe_unused]] void all_of(const SummarySpawn& row) {
  [[maybe_unused]] const auto& [m0, m1, m2, m3, m4, m5, m6, m7] = row;
}
[[maybe_unused]] void all_of(const Node& row) {
  [[maybe_unused]] const auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = row;
}
[[maybe_unused]] void all_of(const HeldLock& row) { [[maybe_unused]] const auto& [m0, m1, m2] = row; }
[[maybe_unused]] void all_of(const ReleasedLock& row) { [[maybe_unused]] const auto& [m0, m1, m2] = row; }
[[maybe_unused]] void all_of(const RelativeLockset& row) { [[maybe_unused]] const auto& [m0, m1] = row; }
[[maybe_unused]] void all_of(const LockHistory& row) { [[maybe_unused]] const auto& [m0, m1] = row; }
[[maybe_unused]] void all_of(const ExitHistories& row) { [[maybe_unused]] const auto& [m0, m1, m2] = row; }
[[maybe_unused]] void all_of(const SymbolicValue& row) { [[maybe_unused]] const auto& [m0, m1, m2, m3] = row; }

}  // namespace

std::uint32_t SummaryWriter::Used::row(std::uint32_t id) {
  if (place[id] == 0) {
    ids.push_back(id);
    place[id] = static_cast<std::uint32_t>(ids.size());
  }
  return place[id] - 1;
}

void SummaryWriter::Used::clear() {
  for (const std::uint32_t id : ids) place[id] = 0;
  ids.clear();
}

SummaryWriter::SummaryWriter(const Program& program, const StableIds& ids) : ids_(ids) {
  types_.place.resize(program.types.size());
  functions_.place.resize(program.functions.size());
  globals_.place.resize(program.globals.size());
}

std::string SummaryWriter::write(std::span<const FunctionId> members, const std::vector<FunctionSummary>& summaries,
                                 std::span<const ContentHash> faces, std::span<const MemberQuestion> asked,
                                 MemberKeys& keys) {
  types_.clear();
  functions_.clear();
  globals_.clear();
  out_.clear();
  for (const MemberQuestion& question : asked) {
    const MemberAnswer answer = keys.ask(question);
    type(question.type);
    out_.signed_number(question.offset);
    type(answer.key.record);
    out_.signed_number(answer.key.offset);
    type(answer.pointee);
  }
  const std::string questions = out_.take();
  out_.clear();
  std::uint32_t types = 0;
  TypeId last;
  for (const MemberQuestion& question : asked) {
    if (question.type == last) continue;
    last = question.type;
    type(last);
    out_.word(keys.layout(last, ids_));
    ++types;
  }
  const std::string layouts = out_.take();
  out_.clear();
  for (std::size_t i = 0; i < members.size(); ++i) {
    out_.hash(faces[i]);
    summary(summaries[members[i].index()]);
  }
  ByteWriter all;
  bool is_named = true;
  const auto table = [&](const Used& used, auto name_of) {
    all.number(used.ids.size());
    for (const std::uint32_t id : used.ids) {
      is_named &= name_of(id) != 0;
      all.word(name_of(id));
    }
  };
  table(types_, [&](std::uint32_t id) { return ids_.of(TypeId(id)); });
  table(functions_, [&](std::uint32_t id) { return ids_.of(FunctionId(id)); });
  table(globals_, [&](std::uint32_t id) { return ids_.of(GlobalId(id)); });
  all.number(types).raw(layouts).text(questions).raw(out_.bytes());
  return is_named ? all.take() : std::string();
}

void SummaryWriter::lvalue(Lvalue lvalue) { out_.number(lvalue.node.index()).signed_number(lvalue.offset); }

void SummaryWriter::value(const SymbolicValue& value) {
  out_.number(bits(value.kind));
  switch (value.kind) {
    case SymbolicValue::Kind::Unknown: return;
    case SymbolicValue::Kind::Parameter:
    case SymbolicValue::Kind::Number: out_.signed_number(value.number); return;
    case SymbolicValue::Kind::Code: function(value.code); return;
    case SymbolicValue::Kind::Address: lvalue(value.address); return;
  }
}

void SummaryWriter::condition(const Condition& when) {
  out_.number(bits(when.kind()));
  if (when.is_always()) return;
  out_.number(when.parameter()).signed_number(when.number());
  if (when.kind() == Condition::Kind::IsCode) function(when.code());
}

void SummaryWriter::node(const Node& node) {
  out_.number(bits(node.kind) | bits(node.from_formal) << 3 | bits(node.is_published) << 4 |
              bits(node.function.valid()) << 5 | bits(node.parent.valid()) << 6);
  out_.number(node.depth);
  out_.number(node.kind == NodeKind::Global ? globals_.row(node.index) : node.index);
  if (node.parent) out_.number(node.parent.index());
  out_.signed_number(node.offset).signed_number(node.stride);
  type(node.type);
  type(node.whole);
  if (node.whole) out_.signed_number(node.whole_offset);
}

void SummaryWriter::locksets(const FunctionSummary& s) {
  out_.number(s.locksets.size());
  for (const RelativeLockset& l : s.locksets) {
    out_.number(l.acquired.size()).number(l.released.size());
    for (const HeldLock& held : l.acquired) {
      lvalue(held.lock);
      out_.number(bits(held.mode) | bits(held.count) << 1);
    }
    for (const ReleasedLock& gone : l.released) {
      lvalue(gone.lock);
      out_.number(bits(gone.count) | bits(gone.weakened) << 8);
    }
  }
}

void SummaryWriter::acquired(const AcquiredSet& set) {
  out_.number(set.size());
  for (const AcquiredLock& one : set) {
    lvalue(one.lock);
    out_.number(bits(one.mode));
  }
}

void SummaryWriter::histories(const FunctionSummary& s) {
  out_.number(s.histories.size());
  for (const LockHistory& history : s.histories) {
    out_.number(history.rows.size());
    for (const HistoryRow& row : history.rows) {
      lvalue(row.lock);
      acquired(row.since);
    }
    acquired(history.since_entry);
  }
  out_.number(s.interrupted.size());
  for (const Interruption& gone : s.interrupted) {
    lvalue(gone.lock);
    out_.number(gone.depth);
  }
  out_.number(bits(s.may_interrupt_any));
}

void SummaryWriter::threads(const FunctionSummary& s) {
  out_.number(s.started.size());
  for (const StartedThread& thread : s.started) {
    const auto& [entry, handle, is_many, is_group] = thread;
    value(entry);
    lvalue(handle);
    out_.number(bits(is_many));
    out_.number(bits(is_group));
  }
  out_.number(s.thread_states.size());
  for (const ThreadState& state : s.thread_states) {
    const auto& [spawned, others, detached, joined_others, running, joined] = state;
    out_.number(bits(spawned) | bits(others) << 1 | bits(detached) << 2 | bits(joined_others) << 3);
    out_.number(running.size()).number(joined.size());
    for (const std::uint32_t thread : running) out_.number(thread);
    for (const Lvalue handle : joined) lvalue(handle);
  }
}

void SummaryWriter::accesses(const FunctionSummary& s) {
  out_.number(s.groups.size()).number(s.dependent);
  for (const AccessGroup& g : s.groups) {
    out_.word(g.name)
        .number(g.node.index())
        .number(g.lockset)
        .number(g.history)
        .number(bits(g.threads) << 1 | bits(g.after_publication))
        .number(bits(g.is_variant));
    condition(g.when);
    out_.number(g.own_count)
        .number(g.inherited_count)
        .signed_number(g.written.from)
        .number(bits(std::int64_t{g.written.to} - g.written.from));
  }
  for (const OwnAccess& own : s.own) {
    out_.number(own.instruction).signed_number(own.offset).number(own.size);
    type(own.key.record);
    out_.signed_number(own.key.offset).number(bits(own.kind) | bits(own.is_atomic) << 2 | bits(own.address) << 3);
  }
  for (const InheritedAccesses& row : s.inherited) {
    out_.number(row.instruction);
    function(row.callee);
    out_.word(row.group).signed_number(row.offset);
  }
}

void SummaryWriter::exit_of(const FunctionSummary& s) {
  out_.number(s.exit).number(s.exit_zero).number(s.exit_other).number(s.exit_valid);
  condition(s.exit_when);
  out_.number(s.exit_if).number(s.exit_else);
  const auto& [any, if_so, if_not] = s.exit_histories;
  out_.number(any).number(if_so).number(if_not);
  out_.number(s.exit_thrown).number(s.exit_threads);
  value(s.result);
  out_.number(s.stores.size());
  for (const auto& [to, stored] : s.stores) {
    lvalue(to);
    value(stored);
  }
  out_.number(bits(s.returned_handle.valid()));
  if (s.returned_handle.valid()) lvalue(s.returned_handle);
  out_.number(s.escaping).number(s.escaping_below).number(s.overwriting).number(s.asked);
}

void SummaryWriter::calls(const FunctionSummary& s) {
  out_.number(s.spawns.size());
  for (const SummarySpawn& spawn : s.spawns) {
    out_.number(spawn.instruction).number(spawn.threads);
    out_.number(bits(spawn.in_loop) | bits(spawn.fresh_argument) << 1 | bits(spawn.has_handle) << 2 |
                bits(spawn.is_trampoline) << 3);
    value(spawn.entry);
    value(spawn.argument);
  }
  out_.number(s.calls.size());
  for (const SummaryCall& call : s.calls) {
    out_.number(call.instruction);
    function(call.callee);
    out_.number(call.lockset).number(call.history).number(call.threads);
    out_.number(bits(call.in_loop) | bits(call.is_opaque) << 1);
    condition(call.when);
    out_.number(call.arguments.size());
    for (const auto& [index, given] : call.arguments) {
      out_.number(index);
      value(given);
    }
  }
}

void SummaryWriter::summary(const FunctionSummary& s) {
  out_.number(bits(s.missing) | bits(s.may_spawn) << 2 | bits(s.splits_by_result) << 3 | bits(s.returns) << 4 |
              bits(s.gives_locals_away) << 5 | bits(s.leaves_copies) << 6 | bits(s.uses_locks) << 7);
  out_.number(s.nodes.size());
  for (const Node& n : s.nodes) node(n);
  locksets(s);
  histories(s);
  threads(s);
  accesses(s);
  exit_of(s);
  calls(s);
}

}  // namespace heddle::scan
