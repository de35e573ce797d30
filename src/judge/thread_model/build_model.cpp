// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_model/build_model.h"

#include <memory>

#include "judge/thread_graphs/acts.h"
#include "judge/thread_graphs/finish_model.h"
#include "judge/thread_graphs/own_values.h"
#include "judge/thread_graphs/reduce_threads.h"
#include "judge/thread_graphs/settled_variables.h"
#include "judge/thread_model/relevance.h"
#include "judge/thread_model/thread_builder.h"

namespace heddle::judge::transaction {
namespace {

constexpr std::size_t most_instructions = 60'000;      // where pointers lead is asked of all of them
constexpr std::size_t most_points_at_first = 100'000;  // without values, points are cheap

void check_size(const Program& program) {
  std::size_t instructions = 0;
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    instructions += program.functions[FunctionId(f)].instructions.size();
  if (instructions > most_instructions) throw NoModel{"it is too large"};
  if (!program.unseen.empty() || !program.missing_bodies.empty()) throw NoModel{"a part of it is missing"};
}

std::optional<ThreadIndex> thread_of(const Workshop& shop, const ThreadBuilder::JoinOf& join) {
  return join.handle ? shop.names.thread_of(*join.handle, join.fails_for_null) : std::nullopt;
}

/// Joins wait for who they are known to wait for, and the others for nobody. Of two threads that join one, one fails
/// and does not wait: so all joins of a thread are made by one thread, and a join of nobody knows whom may be one of
/// these.
void settle_joins(Model& model, const Workshop& shop, const std::vector<std::vector<ThreadBuilder::JoinOf>>& joins) {
  std::vector<std::set<std::size_t>> joiners(model.threads.size());
  for (std::size_t t = 0; t < joins.size(); ++t)
    for (const ThreadBuilder::JoinOf& join : joins[t]) {
      const auto thread = thread_of(shop, join);
      for (ThreadIndex each = 0; each < joiners.size(); ++each)
        if (!thread || *thread == each) joiners[each].insert(t);
    }
  for (std::size_t t = 0; t < joins.size(); ++t)
    for (const ThreadBuilder::JoinOf& join : joins[t]) {
      if (!join.handle) continue;
      std::vector<Act>& acts = model.threads[t].points[join.from].edges[join.edge].acts;
      const auto thread = thread_of(shop, join);
      const bool waits =
          thread && joiners[*thread].size() == 1 && !shop.some_are_detached && !shop.threads[*thread].may_be_detached;
      for (std::size_t k = 0; k < acts.size(); ++k) {
        if (!std::holds_alternative<Join>(acts[k])) continue;
        if (waits)
          acts[k] = Join{*thread};
        else
          acts.erase(acts.begin() + static_cast<std::ptrdiff_t>(k));
        break;
      }
    }
}

/// Addresses that are only compared with others of the same kind, an object and a distance, tell nothing that is not
/// known of the pair already.
void drop_plain_addresses(Model& model, const Names& names) {
  const auto each_visit = [&](const auto& look) {
    for (Thread& thread : model.threads)
      for (Point& point : thread.points)
        for (Edge& edge : point.edges)
          for (Act& act : edge.acts)
            if (Visit* visit = std::get_if<Visit>(&act); visit != nullptr && visit->address) look(*visit);
  };
  const auto plain = [&](const LinearForm& form) -> std::optional<VariableIndex> {
    if (form.terms.size() != 1 || form.terms[0].factor != 1) return std::nullopt;
    const VariableIndex v = form.terms[0].variable;
    return v < first_local && names.is_address(v) ? std::optional(v) : std::nullopt;
  };
  std::set<VariableIndex> wanted;
  each_visit([&](const Visit& visit) {
    if (!plain(*visit.address))
      for (const numeric::LinearTerm& term : visit.address->terms) wanted.insert(term.variable);
  });
  each_visit([&](Visit& visit) {
    if (const auto object = plain(*visit.address); object && !wanted.contains(*object)) visit.address.reset();
  });
}

bool has_landing_pads(const Program& program) {
  return std::ranges::any_of(program.functions, [](const Function& f) {
    return std::ranges::any_of(f.instructions,
                               [](const Instruction& code) { return code.opcode == Opcode::LandingPad; });
  });
}

/// None, if no warning is about an element.
Rows rows_of_warnings(const Program& program, const PointedMemory& memory, const BuildOptions& options) {
  if (!options.follows_elements) return {};
  Rows rows(program, memory);
  const auto is_of_row = [&](const Place& place) {
    const Function& f = program.functions[place.function];
    const Instruction& code = f.instructions[place.instruction];
    return std::ranges::any_of(f.operands_of(code), [&](Operand operand) {
      return !rows.lead(memory.points().targets(place.function, operand), 1).rows.empty();
    });
  };
  return std::ranges::any_of(options.places, is_of_row) ? std::move(rows) : Rows();
}

/// The threads of the program, function by function.
BuiltModel threads_of(Workshop& shop, FunctionId main) {
  const auto root = shop.memory.points().root(main);
  if (!root) throw NoModel{"nothing is known of its main"};
  shop.threads.push_back({.entry = main, .context = *root});
  for (const FunctionId late : shop.program.destructors) {
    const auto context = shop.memory.points().root(late);
    if (!context) throw NoModel{"a function without a body runs behind main"};
    shop.late.push_back({late, *context});
  }
  BuiltModel out;
  std::vector<std::unique_ptr<ThreadBuilder>> builders;
  for (bool is_new = true; is_new;) {
    is_new = false;
    while (builders.size() < shop.threads.size()) {
      const StartedThread started = shop.threads[builders.size()];
      builders.push_back(std::make_unique<ThreadBuilder>(shop));
      builders.back()->build(started, builders.size() == 1);
    }
    for (const auto& builder : builders) is_new = builder->build_late_functions() || is_new;
    is_new = is_new || builders.size() < shop.threads.size();
  }
  std::vector<std::vector<ThreadBuilder::JoinOf>> joins;
  for (const auto& builder : builders) {
    out.model.threads.push_back(builder->take_thread());
    joins.push_back(builder->joins());
  }
  settle_joins(out.model, shop, joins);
  drop_locks(out.model, shop.names.lost_locks());  // they may be given back unseen
  drop_plain_addresses(out.model, shop.names);
  out.visited = std::move(shop.visited);
  out.of_elements = std::move(shop.of_elements);
  out.assumptions = std::move(shop.assumptions);
  out.model.shared = shop.names.shared();
  out.model.locks = shop.names.locks();
  return out;
}

BuiltModel built(const Program& program, const api::ApiModels& models, FunctionId main, const BuildOptions& options) {
  check_size(program);
  const PointedMemory memory(program, models, main, options.declared_arrays);
  if (const std::string& why = memory.points().why_incomplete(); !why.empty()) throw NoModel{why};
  const Rows rows = rows_of_warnings(program, memory, options);
  if (options.follows_elements && rows.empty()) throw NoModel{"no warning is about an element"};
  const AskedBits asked(program);
  Names names(program, models, memory, rows);
  const auto build = [&](bool is_first) {
    const std::vector<bool> relevant =
        relevant_functions(program, models, memory, is_first ? nullptr : &names, options.places);
    Workshop shop{.program = program,
                  .models = models,
                  .options = options,
                  .memory = memory,
                  .rows = rows,
                  .asked = asked,
                  .relevant = relevant,
                  .names = names,
                  .is_first = is_first,
                  .most_points = is_first ? most_points_at_first : options.most_points,
                  .has_landing_pads = has_landing_pads(program)};
    return threads_of(shop, main);
  };
  (void)build(true);
  names.forget_building();
  names.keep(wanted_shared(build(true).model));
  BuiltModel out = build(false);
  if (memory.points().used_declared_arrays()) out.assumptions.insert("pointer-arithmetic");
  std::set<VariableIndex> arguments;
  for (VariableIndex v = 0; v < out.model.shared_count(); ++v)
    if (names.is_argument(v)) arguments.insert(v);
  take_arguments_at_begin(out.model, arguments);
  replace_settled_variables(out.model, arguments);
  drop_variables(out.model);
  find_thresholds(out.model);
  drop_impossible_edges(out.model);
  drop_variables(out.model);
  split_by_constants(out.model, false);
  for (Thread& thread : out.model.threads) {
    drop_dead_acts(out.model, thread);
    merge_equal_points(thread);
  }
  return out;
}

}  // namespace

std::expected<BuiltModel, std::string> build_model(const Program& program, const api::ApiModels& models,
                                                   FunctionId main, const BuildOptions& options) {
  try {
    return built(program, models, main, options);
  } catch (const NoModel& no) {
    return std::unexpected(no.why);
  }
}

}  // namespace heddle::judge::transaction
