// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/keep/summary_store.h"

#include <map>

#include "api/action.h"
#include "scan/keep/bits.h"
#include "scan/keep/body_key.h"

namespace heddle::scan {
namespace {

/// All of an effect; a member that is added breaks the build here.
void add_effect(Hasher& h, const api::Effect& effect) {
  const auto& [kind, mode, success, blocking, recursive, zeroed, handle_returned, indirect, per_thread, holds_key,
               several, object, entry, argument, handle, value, lock, entry_slot, after_slot, failure, context, granted,
               valid, except, set_bits, length, note] = effect;
  h.add(bits(kind)).add(bits(mode)).add(bits(success));
  h.add(bits(blocking) | bits(recursive) << 1 | bits(zeroed) << 2 | bits(handle_returned) << 3 | bits(indirect) << 4 |
        bits(per_thread) << 5 | bits(holds_key) << 6 | bits(several) << 7);
  for (const int number :
       {object, entry, argument, handle, value, lock, entry_slot, after_slot, failure, static_cast<int>(context)})
    h.add(bits(number));
  h.add(bits(granted))
      .add(bits(except))
      .add(bits(set_bits))
      .add(valid ? bits(valid->low) : 0)
      .add(valid ? bits(valid->high) : 0);
  const auto& [length_kind, first, second, most] = length;
  h.add(bits(length_kind)).add(bits(first)).add(bits(second)).add(bits(most)).add(note);
}

}  // namespace

SummaryStore::SummaryStore(const ScanInput& input, store::RecordStore& records)
    : in_(input), records_(records), faces_(input.program.functions.size()) {
  const Program& program = in_.program;
  const auto& [dependent_groups, wide_call, component, stores] = in_.limits;
  options_ = Hasher()
                 .add("summaries")
                 .add(dependent_groups)
                 .add(wide_call)
                 .add(component)
                 .add(stores)
                 .add(bits(in_.volatile_is_marked) | bits(in_.errno_is_known) << 1 | bits(in_.locks_may_refuse) << 2)
                 .add(program.layout.pointer_bits)
                 .finish();
  for (const AssumptionName& row : assumption_names)
    options_ = Hasher().add(options_.low).add(in_.assumptions.*row.is_on ? 1 : 0).finish();
  std::map<const api::Model*, std::uint64_t> models;
  functions_.reserve(program.functions.size());
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    Hasher h;
    h.add(in_.ids.of(FunctionId(i)));
    h.add(bits(program.functions[FunctionId(i)].has_body()) | bits(bool{in_.trampolines[i]}) << 1);
    if (const api::Model* model = in_.models[i]) {
      const auto [at, is_new] = models.try_emplace(model);
      if (is_new) {
        Hasher effects;
        effects.add(bits(model->keeps_errno));
        for (const api::Effect& effect : model->effects) {
          add_effect(effects, effect);
          // Whether the program sees the state inside the library.
          if (const auto touch = api::get<api::Touch>(effect); touch && touch->extent == api::Touch::Extent::Hidden)
            effects.add(bits(program.find_global(touch->name).valid()));
        }
        at->second = effects.finish().low | 1;
      }
      h.add(at->second);
    }
    functions_.push_back(h.finish().low);
  }
  globals_.reserve(program.globals.size());
  for (std::size_t i = 0; i < program.globals.size(); ++i) {
    const Global& global = program.globals[GlobalId(i)];
    Hasher h;
    h.add(in_.ids.of(GlobalId(i))).add(in_.ids.of(global.source_type));
    h.add(bits(global.is_thread_local) | bits(global.is_constant) << 1 | bits(bool{in_.pointed_to[i]}) << 2);
    if (!in_.only_main_uses.empty()) h.add(bits(bool{in_.only_main_uses[i]}));
    for (const Relocation& r : global.relocations)
      if (r.target.is_function()) h.add(r.offset).add(bits(r.addend)).add(functions_[r.target.as_function().index()]);
    globals_.push_back(h.finish().low);
  }
}

void SummaryStore::add_value(Hasher& face, const SymbolicValue& value) const {
  face.add(bits(value.kind)).add(bits(value.number));
  if (value.kind == SymbolicValue::Kind::Code) face.add(functions_[value.code.index()]);
  if (value.is_address()) face.add(value.address.node.index()).add(bits(value.address.offset));
}

void SummaryStore::add_nodes(Hasher& h, const FunctionSummary& s) const {
  h.add(s.nodes.size());
  for (const Node& n : s.nodes) {
    h.add(bits(n.kind) | bits(n.is_published) << 8);
    // To callers these are only places in the list, and the kind of a lock.
    if (n.kind == NodeKind::Value) h.add(in_.ids.of(n.type));
    if (n.kind == NodeKind::Local || n.kind == NodeKind::Value) continue;
    if (n.kind == NodeKind::Global) h.add(globals_[n.index]);
    if (n.kind == NodeKind::Formal || n.kind == NodeKind::Hidden) h.add(n.index);
    h.add(n.parent.index()).add(bits(n.offset)).add(bits(n.stride)).add(in_.ids.of(n.type)).add(n.depth);
    if (n.whole) h.add(in_.ids.of(n.whole)).add(bits(n.whole_offset));
  }
}

void SummaryStore::add_locksets(Hasher& h, const FunctionSummary& s) {
  h.add(s.locksets.size());
  for (const RelativeLockset& l : s.locksets) {
    h.add(l.acquired.size());
    for (const HeldLock& held : l.acquired)
      h.add(held.lock.node.index()).add(bits(held.lock.offset)).add(bits(held.mode) | bits(held.count) << 1);
    for (const ReleasedLock& gone : l.released)
      h.add(gone.lock.node.index()).add(bits(gone.lock.offset)).add(bits(gone.count) | bits(gone.weakened) << 8);
  }
}

void SummaryStore::add_histories(Hasher& h, const FunctionSummary& s) {
  const auto add = [&](Lvalue lock) { h.add(lock.node.index()).add(bits(lock.offset)); };
  const auto add_set = [&](const AcquiredSet& set) {
    h.add(set.size());
    for (const AcquiredLock& one : set) {
      add(one.lock);
      h.add(bits(one.mode));
    }
  };
  h.add(s.histories.size());
  for (const LockHistory& history : s.histories) {
    h.add(history.rows.size());
    for (const HistoryRow& row : history.rows) {
      add(row.lock);
      add_set(row.since);
    }
    add_set(history.since_entry);
  }
  h.add(bits(s.may_interrupt_any)).add(s.interrupted.size());
  for (const Interruption& gone : s.interrupted) {
    add(gone.lock);
    h.add(gone.depth);
  }
  h.add(s.exit_histories.any).add(s.exit_histories.if_so).add(s.exit_histories.if_not);
}

void SummaryStore::add_threads(Hasher& h, const FunctionSummary& s) const {
  h.add(s.started.size());
  for (const StartedThread& thread : s.started) {
    add_value(h, thread.entry);
    h.add(thread.handle.node.index())
        .add(bits(thread.handle.offset))
        .add(bits(thread.is_many) | bits(thread.is_group) << 1);
  }
  h.add(s.thread_states.size());
  for (const ThreadState& state : s.thread_states) {
    h.add(bits(state.spawned) | bits(state.others) << 1 | bits(state.detached) << 2 | bits(state.joined_others) << 3);
    h.add(state.running.size());
    for (const std::uint32_t thread : state.running) h.add(thread);
    for (const Lvalue handle : state.joined) h.add(handle.node.index()).add(bits(handle.offset));
  }
}

void SummaryStore::add_condition(Hasher& h, const Condition& when) const {
  h.add(bits(when.kind()) | bits(when.parameter()) << 8).add(bits(when.number()));
  if (when.code()) h.add(functions_[when.code().index()]);
}

void SummaryStore::add_groups(Hasher& h, const FunctionSummary& s) const {
  h.add(s.dependent);
  for (std::uint32_t i = 0; i < s.dependent; ++i) {
    const AccessGroup& g = s.groups[i];
    h.add(g.name).add(g.node.index()).add(g.lockset).add(g.history);
    h.add(bits(g.threads) << 1 | bits(g.after_publication));
    add_condition(h, g.when);
  }
  for (const AccessGroup& g : s.groups)
    if (!g.written.is_empty() && s.nodes[g.node.index()].depth == 0 && s.nodes[g.node.index()].from_formal)
      h.add(g.node.index()).add(bits(g.written.from)).add(bits(g.written.to));
}

ContentHash SummaryStore::face_of(const FunctionSummary& s) const {
  Hasher h;
  h.add(bits(s.missing)).add(bits(s.may_spawn) | bits(s.splits_by_result) << 1 | bits(s.uses_locks) << 2);
  add_nodes(h, s);
  add_locksets(h, s);
  add_histories(h, s);
  add_threads(h, s);
  add_groups(h, s);
  add_condition(h, s.exit_when);
  h.add(s.exit)
      .add(s.exit_zero)
      .add(s.exit_other)
      .add(s.exit_valid)
      .add(s.exit_if)
      .add(s.exit_else)
      .add(s.exit_thrown)
      .add(s.exit_threads)
      .add(s.escaping)
      .add(s.escaping_below)
      .add(s.overwriting)
      .add(s.asked)
      .add(bits(s.returns));
  add_value(h, s.result);
  if (s.returned_handle.valid()) h.add(s.returned_handle.node.index()).add(bits(s.returned_handle.offset));
  h.add(s.stores.size());
  for (const auto& [to, value] : s.stores) {
    h.add(to.node.index()).add(bits(to.offset));
    add_value(h, value);
  }
  for (const SummarySpawn& spawn : s.spawns) {
    if (spawn.entry.kind == SymbolicValue::Kind::Code) continue;  // nothing is left for callers to tell
    h.add(bits(spawn.in_loop) | bits(spawn.has_handle) << 1);
    add_value(h, spawn.entry);
    add_value(h, spawn.argument);
  }
  return h.finish();
}

SummaryStore::Worker::Worker(SummaryStore& store, MemberKeys& keys)
    : store_(store), in_(store.in_), keys_(keys), reader_(store.records_), writer_(in_.program, in_.ids) {}

/// What the source calls the types of values: all that Summariser::named_pointee and allocas look at.
void SummaryStore::Worker::add_types(Hasher& key, const Function& function) {
  const auto add_pointee = [&](TypeId pointer) {
    const TypeId pointee = keys_.pointee(pointer);
    key.add(in_.ids.of(pointee)).add(pointee ? bits(in_.program.types[pointee].kind) : 0);
  };
  for (const GepInfo& gep : function.geps) key.add(in_.ids.of(in_.targets.sources().of(gep.source_type)));
  for (const ValueName& name : function.names) {
    key.add(bits(name.value.index()) << 1 | bits(name.names_memory));
    if (name.names_memory)
      key.add(in_.ids.of(name.source_type));
    else
      add_pointee(name.source_type);
  }
  if (!function.source_type) return;
  const Type& type = in_.program.types[function.source_type];
  key.add(type.parameters.size());
  for (const TypeId parameter : type.parameters) add_pointee(parameter);
}

void SummaryStore::Worker::add_function(Hasher& key, FunctionId id, std::uint32_t component) {
  const Function& function = in_.program.functions[id];
  key.add(store_.functions_[id.index()]);
  // Hashes of bodies name what they mention as the source does, or not at all; these are the symbols themselves.
  for (const Operand operand : function.operands) {
    if (operand.is_global()) key.add(store_.globals_[operand.index()]);
    if (operand.is_function()) key.add(store_.functions_[operand.index()]);
  }
  add_types(key, function);
  for (const std::uint32_t instruction : in_.semaphores.of(id)) key.add(instruction);
  for (const CallTargets::Indirect& call : in_.targets.indirect(id)) {
    key.add(call.instruction).add(call.targets.size());
    for (const FunctionId target : call.targets) key.add(store_.functions_[target.index()]);
  }
  for (const FunctionId callee : in_.targets.callees(id)) {
    key.add(store_.functions_[callee.index()]);
    if (!in_.program.functions[callee].has_body() || in_.targets.component_of(callee) == component) continue;
    const ContentHash& face = store_.faces_[callee.index()];
    key.add(face.high).add(face.low);
  }
}

/// By the hashes that the bodies have anyway, or by what summarising reads of them.
ContentHash SummaryStore::Worker::key_of(std::uint32_t component, const Hasher& surroundings, Bodies bodies) const {
  Hasher key = surroundings;
  key.add(bits(bodies));
  for (const FunctionId member : in_.targets.components()[component]) {
    const Function& function = in_.program.functions[member];
    const ContentHash body = bodies == Bodies::Whole ? function.hash : body_key(in_.program, function);
    key.add(body.high).add(body.low);
  }
  return key.finish();
}

bool SummaryStore::Worker::load(std::uint32_t component, std::vector<FunctionSummary>& summaries, ContentHash& key) {
  const auto& members = in_.targets.components()[component];
  Hasher surroundings;
  surroundings.add(store_.options_.high).add(store_.options_.low);
  for (const FunctionId member : members) add_function(surroundings, member, component);
  const ContentHash whole = key_of(component, surroundings, Bodies::Whole);
  if (const auto known = reader_.find(whole)) {
    key = ByteReader(*known).hash();
  } else {
    key = key_of(component, surroundings, Bodies::AsRead);
    store_.records_.put(whole, ByteWriter().hash(key).take());
  }
  const auto found = reader_.find(key);
  if (!found || !read_summaries(*found, in_.program, in_.ids, members, keys_, kept_)) return false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    summaries[members[i].index()] = std::move(kept_.summaries[i]);
    store_.faces_[members[i].index()] = kept_.faces[i];
  }
  store_.reused_ += members.size();
  return true;
}

void SummaryStore::Worker::keep(std::uint32_t component, const ContentHash& key,
                                const std::vector<FunctionSummary>& summaries,
                                const std::vector<MemberQuestion>& asked) {
  const auto& members = in_.targets.components()[component];
  std::vector<ContentHash> faces;
  for (const FunctionId member : members) {
    faces.push_back(store_.face_of(summaries[member.index()]));
    store_.faces_[member.index()] = faces.back();
  }
  std::string bytes = writer_.write(members, summaries, faces, asked, keys_);
  if (!bytes.empty()) store_.records_.put(key, std::move(bytes));
}

}  // namespace heddle::scan
