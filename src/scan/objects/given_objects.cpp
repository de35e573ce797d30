// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/objects/given_objects.h"

#include <algorithm>

#include "api/action.h"
#include "program/model/function_queries.h"
#include "scan/calls/called_model.h"

namespace heddle::scan {
namespace {

constexpr int most_steps = 40;                ///< pointers and calls that are followed backward
constexpr GivenObjects::Givers assumed = 16;  ///< the answer rests on one that is still looked for

/// Whether an instruction may be followed by another, both with the same value of `object`.
bool leads_to(const FunctionBody& code, std::size_t from, std::size_t to, Operand object) {
  const BlockId first = block_of(code.function, from), last = block_of(code.function, to);
  if (first == last && from < to) return true;
  std::vector<bool> seen(code.function.blocks.size());
  if (object.is_value() && !code.function.is_parameter(object.as_value()))
    seen[block_of(code.function, code.function.definition(object.as_value())).index()] =
        true;  // it is another one there
  std::vector<BlockId> open{first};
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    for (const BlockId next : code.cfg.successors[at.index()]) {
      if (seen[next.index()]) continue;
      if (next == last) return true;
      seen[next.index()] = true;
      open.push_back(next);
    }
  }
  return false;
}

bool is_given(GivenObjects::Givers givers) {
  return (givers & (GivenObjects::taken | GivenObjects::by_event | GivenObjects::by_thread)) != 0;
}

}  // namespace

GivenObjects::GivenObjects(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                           TakenObjects& taken_off)
    : in_(input),
      summaries_(summaries),
      reach_(reach),
      taken_(taken_off),
      structs_(input.program),
      places_(input.program, structs_) {
  if (std::ranges::none_of(reach.roots, &Root::owns_argument)) return;
  for (std::uint32_t f = 0; f < summaries.size(); ++f)
    if (reach.is_reached(FunctionId(f))) index_function(FunctionId(f));
  for (const Global& global : input.program.globals)
    for (const Relocation& word : global.relocations)
      spoiled_.insert(places_.keys().at(global.source_type, static_cast<std::int64_t>(word.offset)));
  find_entries();
}

void GivenObjects::index_function(FunctionId id) {
  const Function& function = in_.program.functions[id];
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& code = function.instructions[i];
    if (code.is_call()) index_callbacks(id, i);
    if (code.opcode != Opcode::Store || !in_.is_pointer(code.access_type)) continue;
    const auto operands = function.operands_of(code);
    const DeclaredPlaces::Place place = places_.at(id, operands[1]);
    const MemberKey key = places_.keys().at(place.type, place.offset);
    if (!key.record) continue;
    // A local struct may be copied.
    const Instruction* base = definition_of(function, base_of(function, operands[1]));
    if (base != nullptr && base->opcode == Opcode::Alloca) spoiled_.insert(key);
    stores_[key].push_back({id, i, operands[0]});
  }
}

/// What callbacks will be called with, but for the object in which the event lies that calls them.
void GivenObjects::index_callbacks(FunctionId id, std::uint32_t call) {
  const Function& function = in_.program.functions[id];
  const api::Model* model = called_model(in_.models, function, function.instructions[call]);
  if (model == nullptr) return;
  const auto arguments = function.arguments_of(function.instructions[call]);
  const auto at = [&](api::Argument number) {
    return number >= 0 && static_cast<std::size_t>(number) < arguments.size()
               ? without_casts(function, arguments[static_cast<std::size_t>(number)])
               : Operand{};
  };
  for (const api::Effect& effect : model->effects) {
    const auto later = api::get<api::RunLater>(effect);
    if (!later || later->when != api::RunLater::When::Outside) continue;
    const Operand entry = at(later->entry), given = at(later->argument);
    if (!entry.is_function() || given == Operand{}) continue;
    bool lies_in_it = false;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      lies_in_it |=
          k != static_cast<std::size_t>(later->argument) && base_of(function, arguments[k]) == base_of(function, given);
    if (lies_in_it)
      events_[id].push_back({id, call, base_of(function, given)});
    else
      callbacks_[entry.as_function()].push_back({id, call, given});
  }
}

void GivenObjects::find_entries() {
  for (const Root& root : reach_.roots)
    if (root.owns_argument) entries_[root.entry] |= root.creator.valid() ? by_thread : by_event;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    std::set<Origin> origins;
    const bool is_own = std::ranges::all_of(callbacks_[entry->first], [&](const Store& callback) {
      return is_own_value(callback.function, callback.instruction, callback.value, origins, most_steps);
    });
    entry = is_own ? std::next(entry) : entries_.erase(entry);
  }
  known_.clear();  // it was asked when entries counted that do not
  slots_.clear();
}

GivenObjects::Givers GivenObjects::givers_of(const Candidate& access) {
  if (entries_.empty()) return 0;
  const std::vector<race::CallStep> steps = way_to(summaries_, access);
  const OwnAccess& own = summaries_[access.function.index()].own[access.own];
  const Function& function = in_.program.functions[access.function];
  const Instruction& code = function.instructions[own.instruction];
  const auto operands = code.is_call() ? function.arguments_of(code) : function.operands_of(code);
  if (steps.empty() || own.address >= operands.size()) return 0;
  std::erase_if(known_, [](const auto& known) { return std::get<2>(known.first) != 0; });
  if (is_given_later(access.function, operands[own.address], own.instruction)) return by_event;
  const Way way{Steps(steps).first(steps.size() - 1), false, most_steps};
  const Givers out = follow(access.function, operands[own.address], way) & ~assumed;
  return is_given(out) ? out : 0;
}

GivenObjects::Givers GivenObjects::follow(FunctionId id, Operand pointer, Way way) {
  if (!pointer.is_value() || way.left == 0) return 0;
  const Question question{id, pointer.index(), way.steps.size(), way.is_behind};
  // What depends on itself alone goes round a loop: the other ways into it decide.
  const auto [at, is_new] = known_.try_emplace(question, assumed);
  if (!is_new) return at->second;
  const std::size_t before = assumed_.size();
  const Givers out = find(id, pointer, way);
  known_[question] = out;
  if (out == 0)
    for (; assumed_.size() > before; assumed_.pop_back()) known_.erase(assumed_.back());
  else if ((out & assumed) != 0)
    assumed_.push_back(question);
  return out;
}

GivenObjects::Givers GivenObjects::find(FunctionId id, Operand pointer, Way way) {
  const Function& function = in_.program.functions[id];
  if (function.is_parameter(pointer.as_value())) return by_callers(id, pointer.index(), way);
  const std::size_t number = function.definition(pointer.as_value());
  const Instruction& code = function.instructions[number];
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::Gep:
    case Opcode::Cast:
    case Opcode::Freeze: return follow(id, operands[0], way.further());
    case Opcode::Select: return follow_all(id, operands.subspan(1), way);
    case Opcode::Phi: return follow_all(id, operands, way);
    case Opcode::Load: return by_load(id, number, way);
    case Opcode::Call:
    case Opcode::Invoke: return by_result(id, number, way);
    default: return 0;
  }
}

/// Null does not count.
GivenObjects::Givers GivenObjects::follow_all(FunctionId id, std::span<const Operand> pointers, Way way) {
  Givers all = 0;
  for (const Operand pointer : pointers) {
    if (pointer.is_block() || pointer.is_constant()) continue;
    const Givers one = follow(id, pointer, way.further());
    if (one == 0) return 0;
    all |= one;
  }
  return all;
}

GivenObjects::Givers GivenObjects::by_callers(FunctionId id, std::uint32_t parameter, Way way) {
  const auto passed = [&](FunctionId caller, std::uint32_t call, Way up) -> Givers {
    const Function& function = in_.program.functions[caller];
    const auto arguments = function.arguments_of(function.instructions[call]);
    if (parameter >= arguments.size()) return 0;
    return is_given_later(caller, arguments[parameter], call) ? by_event : follow(caller, arguments[parameter], up);
  };
  if (!way.steps.empty()) return passed(way.steps.back().function, way.steps.back().instruction, way.up());
  Givers all = 0;
  if (std::ranges::any_of(reach_.visits[id.index()], &Visit::is_root)) {
    const auto entry = entries_.find(id);
    if (entry == entries_.end()) return 0;
    all = entry->second;
  }
  for (const TakenObjects::Call& call : taken_.callers_of(id)) {
    const Givers one = passed(call.caller, call.instruction, way.further());
    if (one == 0) return 0;
    all |= one;
  }
  return all;
}

GivenObjects::Givers GivenObjects::by_load(FunctionId id, std::size_t load, Way way) {
  if (taken_.takes_off(id, load)) return taken;
  const Operand address = in_.program.functions[id].operands_of(in_.program.functions[id].instructions[load])[0];
  const Givers holder = follow(id, address, way.behind());
  if (holder == 0) return 0;
  const DeclaredPlaces::Place place = places_.at(id, address);
  return is_own_slot(places_.keys().at(place.type, place.offset)) ? holder : 0;
}

GivenObjects::Givers GivenObjects::by_result(FunctionId id, std::size_t call, Way way) {
  const Function& function = in_.program.functions[id];
  const Operand callee = function.operands_of(function.instructions[call])[0];
  if (!callee.is_function()) return 0;
  const Function& target = in_.program.functions[callee.as_function()];
  if (!target.has_body()) return !way.is_behind && makes_memory(in_, callee) ? made : 0;
  std::vector<Operand> returned;
  for (const Instruction& code : target.instructions)
    if (code.opcode == Opcode::Return && !target.operands_of(code).empty())
      returned.push_back(target.operands_of(code)[0]);
  return follow_all(callee.as_function(), returned, {{}, way.is_behind, way.left - 1});
}

bool GivenObjects::is_given_later(FunctionId id, Operand pointer, std::size_t at) {
  const auto events = events_.find(id);
  if (events == events_.end()) return false;
  const FunctionBody& code = body(id);
  const Operand object = base_of(code.function, pointer);
  return std::ranges::any_of(events->second, [&](const Store& event) {
    return event.value == object && !leads_to(code, event.instruction, at, object);
  });
}

bool GivenObjects::is_own_slot(MemberKey key) {
  if (!key.record || spoiled_.contains(key)) return false;
  const auto [at, is_new] = slots_.try_emplace(key, true);
  if (!is_new) return at->second;
  std::set<Origin> origins;
  const bool is_own = std::ranges::all_of(stores_[key], [&](const Store& store) {
    return is_own_value(store.function, store.instruction, store.value, origins, most_steps);
  });
  if (!is_own) {
    slots_[key] = false;
    known_.clear();  // answers may rest on this one
  }
  return is_own;
}

bool GivenObjects::is_own_value(FunctionId id, std::size_t at, Operand value, std::set<Origin>& origins, int left) {
  const Function& function = in_.program.functions[id];
  const Operand pointer = base_of(function, value);
  if (constant_number(in_.program, function, pointer)) return true;
  if (!pointer.is_value() || left == 0) return false;
  if (is_given(follow(id, pointer, {{}, false, left - 1}))) return true;
  if (function.is_parameter(pointer.as_value()))
    return taken_.is_only_called(id) && std::ranges::all_of(taken_.callers_of(id), [&](const TakenObjects::Call& call) {
             const Function& caller = in_.program.functions[call.caller];
             const auto arguments = caller.arguments_of(caller.instructions[call.instruction]);
             return pointer.index() < arguments.size() &&
                    is_own_value(call.caller, call.instruction, arguments[pointer.index()], origins, left - 1);
           });
  const std::size_t from = function.definition(pointer.as_value());
  const Instruction& code = function.instructions[from];
  if (code.opcode == Opcode::Phi || code.opcode == Opcode::Select)
    return std::ranges::all_of(function.operands_of(code), [&](Operand one) {
      return one.is_block() || one == pointer || is_own_value(id, at, one, origins, left / 2);
    });
  return (follow(id, pointer, {{}, false, left - 1}) & made) != 0 && are_in_one_loop(id, at, from) &&
         origins.emplace(id, static_cast<std::uint32_t>(from)).second;
}

bool GivenObjects::are_in_one_loop(FunctionId id, std::size_t at, std::size_t made_at) {
  const FunctionBody& code = body(id);
  const auto rank = [&](std::size_t instruction) {
    return code.cfg.rank[block_of(code.function, instruction).index()];
  };
  if (rank(at) == flow::Cfg::none_rank || rank(made_at) == flow::Cfg::none_rank) return true;
  return std::ranges::all_of(
      code.loops, [&](const Loop& loop) { return !loop.contains(rank(at)) || loop.contains(rank(made_at)); });
}

const FunctionBody& GivenObjects::body(FunctionId id) {
  std::unique_ptr<FunctionBody>& out = bodies_[id];
  if (out == nullptr) out = std::make_unique<FunctionBody>(in_.program, id);
  return *out;
}

}  // namespace heddle::scan
