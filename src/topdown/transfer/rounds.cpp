// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/rounds.h"

namespace heddle::topdown {

namespace {
constexpr std::uint32_t before_main = 0xffff0000;  ///< "call instruction" of what no instruction calls
constexpr int most_recordings = 8;
}  // namespace

State Rounds::entry_state(ThreadId id) {
  State s;
  s.thread = id;
  const threads::Thread& thread = u.threads.threads[id];
  const Function& f = u.program.functions[thread.entry];
  auto set = [&](std::size_t parameter, FormId form) {
    if (parameter < f.parameters.size())
      s.environment = u.maps.set(s.environment, u.environment_key(thread.root, ValueId(parameter)), form.index());
  };
  if (id == main_) {
    const ObjectId outside = u.object(ObjectKind::External, 0, {}, {}, false);
    const SymbolId argc =
        u.symbol({.kind = SymbolKind::Defined, .bits = 32, .a = thread.root.index(), .b = 0, .depends = {}});
    set(0, d.define(s, argc, u.any_number(32)));
    set(1, u.opaque(u.addresses({{outside, 0, 0, 0}})));
    // The third parameter is the environment, which the library reads too.
    const ObjectId environment = u.object(ObjectKind::Hidden, 0, {}, {}, false, "environ");
    for (std::size_t k = 2; k < f.parameters.size(); ++k)
      set(k, u.opaque(u.addresses({{outside, 0, 0, 0}, {environment, 0, 0, 0}})));
    return s;
  }
  s.parallel = s.was_parallel = true;
  s.teams = threads_.teams_of(id);
  s.works_for = threads_.owners_of(id);
  for (const ThreadId t : thread.joined_before) s.joined = u.maps.set(s.joined, t.index(), 1);
  const SymbolId argument =
      u.symbol({.kind = SymbolKind::Argument, .bits = u.pointer_bits(), .a = id.index(), .depends = {}});
  set(0, d.define(s, argument, threads_.argument_of(id).value_or(u.any_number(u.pointer_bits()))));
  return s;
}

/// What runs before main, in its order.
States Rounds::after_constructors(const State& s) {
  const threads::Thread& thread = u.threads.threads[main_];
  const Site site{thread.root, thread.entry, &u.program.functions[thread.entry], before_main};
  States states{s};
  for (std::size_t k = 0; k < u.program.constructors.size(); ++k) {
    const FunctionId constructor = u.program.constructors[k];
    if (!u.program.functions[constructor].has_body()) {
      const std::string name(u.program.functions[constructor].name);
      recorder_.obstacle(site, "'" + name + "' runs before main and has no body");
      continue;
    }
    States next;
    const ContextId context = u.threads.call(site.context, before_main + static_cast<std::uint32_t>(k), constructor);
    for (const State& before : states)
      for (const State& after : blocks_.run_function(context, before).returns) next.push_back(after);
    disjuncts_.compact(next, site);
    states = next;
  }
  return states;
}

void Rounds::run_thread(ThreadId id) {
  const State entry = entry_state(id);
  const States states = id == main_ ? after_constructors(entry) : States{entry};
  const ContextId root = u.threads.threads[id].root;
  for (const State& s : states) {
    const Exits exits = blocks_.run_function(root, s);
    for (const State& end : exits.returns) {
      const States ends = id == main_ ? States{end} : ending_.run_at_thread_end(end);  // main ends the program
      for (const State& after : ends) phase_.note_thread_end(id, after);
      if (id == main_) ending_.run_at_exit(end);
      if (u.threads.threads[id].after) run_after(id, end);
    }
  }
}

/// What the thread calls when its entry has returned: with the same argument, from the state the entry left.
void Rounds::run_after(ThreadId id, State s) {
  const threads::Thread& thread = u.threads.threads[id];
  const ContextId context = u.threads.call(thread.root, before_main, thread.after);
  if (const auto known = threads_.argument_of(id))
    s.environment = u.maps.set(s.environment, u.environment_key(context, ValueId(0)), u.opaque(*known).index());
  blocks_.run_function(context, s);
}

void Rounds::round(bool is_final) {
  recorder_.set_recording(is_final);
  blocks_.start_round(is_final, !changed_ && !memory_.changed());
  changed_ = false;
  shared_.start_round(&flow_.all_thresholds());
  memory_.start_round();
  for (std::size_t t = 0; t < u.threads.threads.size(); ++t) run_thread(ThreadId(t));
}

void Rounds::run_until_stable() {
  for (int attempt = 0; attempt < most_recordings; ++attempt) {
    do {
      round(false);
    } while (!is_stable());
    recorder_.clear();
    round(true);
    if (is_stable()) return;
  }
  recorder_.obstacle({u.threads.threads[main_].root, 0, "the analysis does not settle; please report this program"});
}

bool Rounds::run() {
  try {
    run_until_stable();
    return true;
  } catch (const BudgetExceeded& budget) {
    recorder_.obstacle({u.threads.threads[main_].root, 0, budget.what});
    return false;
  }
}

}  // namespace heddle::topdown
