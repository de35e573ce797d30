// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/call_targets.h"

#include <algorithm>
#include <optional>

namespace heddle::scan {
namespace {

/// More than that many functions that only their type connects with a call do not become part of its caller: they are
/// reached from there, no more.
constexpr std::size_t most_by_type = 8;
/// More than that many are no answer.
constexpr std::size_t most_reached_by_type = 64;

}  // namespace

CallTargets::CallTargets(const Program& program, const alias::AliasFacts& aliases, const Assumptions& assumptions)
    : program_(program), by_type_(assumptions.function_types), sources_(program), callees_(program.functions.size()) {
  std::optional<FunctionFlow> flow;
  if (assumptions.function_tables) flow.emplace(program, sources_);
  for (std::size_t f = 0; f < program.functions.size(); ++f) resolve(FunctionId(f), aliases, flow ? &*flow : nullptr);
  find_components();
}

CallTargets::Indirect CallTargets::through_pointer(FunctionId caller, std::size_t number,
                                                   std::span<const FunctionId> may, const FunctionFlow* flow) const {
  Indirect out{caller, static_cast<std::uint32_t>(number), {}};
  FunctionFlow::Targets found;
  if (flow != nullptr) found = flow->targets(caller, number);
  if (found.is_known && !found.functions.empty()) {
    out.targets = std::move(found.functions);
    return out;
  }
  if (!by_type_) {
    out.targets.assign(may.begin(), may.end());
    return out;
  }
  const Function& function = program_.functions[caller];
  const TypeId wanted = function.calls[function.instructions[number].extra].function_type;
  for (const FunctionId target : may)
    // If it is known where this pointer lies: all pointers to some lie elsewhere.
    if (program_.functions[target].type == wanted && (!found.is_known || flow->has_left(target)))
      out.targets.push_back(target);
  out.is_loose = out.targets.size() > most_by_type;
  out.is_cut = out.targets.size() > most_reached_by_type;
  if (out.is_cut) out.targets.clear();
  out.targets.insert(out.targets.end(), found.functions.begin(), found.functions.end());
  std::ranges::sort(out.targets);
  const auto rest = std::ranges::unique(out.targets);
  out.targets.erase(rest.begin(), rest.end());
  return out;
}

std::uint32_t CallTargets::unfollowed(FunctionId caller) const {
  const Function& function = program_.functions[caller];
  return static_cast<std::uint32_t>(std::ranges::count_if(indirect(caller), [&](const Indirect& row) {
    const Instruction& call = function.instructions[row.instruction];
    return !function.operands_of(call)[0].is_function() && (row.is_cut || row.targets.empty());
  }));
}

void CallTargets::resolve(FunctionId caller, const alias::AliasFacts& aliases, const FunctionFlow* flow) {
  const Function& function = program_.functions[caller];
  std::vector<FunctionId>& all = callees_[caller.index()];
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& call = function.instructions[i];
    if (!call.is_call()) continue;
    const Operand callee = function.operands_of(call)[0];
    if (callee.is_function()) {
      all.push_back(callee.as_function());
      // Library functions that call back: qsort, call_once.
      if (!program_.functions[callee.as_function()].has_body())
        for (const FunctionId target : aliases.targets(caller, i))
          if (target != callee.as_function()) {
            all.push_back(target);
            if (indirect_.empty() || indirect_.back().caller != caller || indirect_.back().instruction != i)
              indirect_.push_back({caller, static_cast<std::uint32_t>(i), {}});
            indirect_.back().targets.push_back(target);
          }
      continue;
    }
    if (callee.kind() == Operand::Kind::Asm) continue;
    Indirect row = through_pointer(caller, i, aliases.targets(caller, i), flow);
    if (!row.is_loose) all.insert(all.end(), row.targets.begin(), row.targets.end());
    indirect_.push_back(std::move(row));
  }
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
}

std::span<const FunctionId> CallTargets::of(FunctionId caller, std::size_t instruction) const {
  const auto at = std::ranges::lower_bound(indirect_, std::pair(caller, static_cast<std::uint32_t>(instruction)), {},
                                           [](const Indirect& t) { return std::pair(t.caller, t.instruction); });
  if (at == indirect_.end() || at->caller != caller || at->instruction != instruction) return {};
  return at->targets;
}

std::span<const CallTargets::Indirect> CallTargets::indirect(FunctionId caller) const {
  const auto found = std::ranges::equal_range(indirect_, caller, {}, &Indirect::caller);
  return {found.begin(), found.end()};
}

/// Tarjan's algorithm with a stack of its own: call chains of a hundred thousand functions exist.
void CallTargets::find_components() {
  constexpr std::uint32_t unseen = ~0U;
  const std::size_t n = program_.functions.size();
  component_of_.assign(n, unseen);
  std::vector<std::uint32_t> order(n, unseen), low(n, 0);
  std::vector<std::uint32_t> open;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  place_.assign(n, 0);
  std::uint32_t next = 0, last = 0;
  for (std::uint32_t start = 0; start < n; ++start) {
    if (order[start] != unseen) continue;
    stack.emplace_back(start, 0);
    while (!stack.empty()) {
      auto& [f, child] = stack.back();
      if (child == 0 && order[f] == unseen) {
        order[f] = low[f] = next++;
        open.push_back(f);
      }
      if (child < callees_[f].size()) {
        const std::uint32_t to = callees_[f][child++].index();
        if (order[to] == unseen)
          stack.emplace_back(to, 0);
        else if (component_of_[to] == unseen)
          low[f] = std::min(low[f], order[to]);
        continue;
      }
      const std::uint32_t done = f;
      place_[done] = ++last;
      stack.pop_back();
      if (!stack.empty()) low[stack.back().first] = std::min(low[stack.back().first], low[done]);
      if (low[done] != order[done]) continue;
      std::vector<FunctionId> members;
      while (true) {
        const std::uint32_t member = open.back();
        open.pop_back();
        component_of_[member] = static_cast<std::uint32_t>(components_.size());
        members.push_back(FunctionId(member));
        if (member == done) break;
      }
      std::ranges::sort(members, {}, [&](FunctionId member) { return place_[member.index()]; });
      components_.push_back(std::move(members));
    }
  }
}

}  // namespace heddle::scan
