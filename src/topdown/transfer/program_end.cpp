// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/program_end.h"

#include <algorithm>

#include "topdown/transfer/block_fixpoint.h"
#include "topdown/transfer/exception_ends.h"

namespace heddle::topdown {

using api::Effect;

namespace {
constexpr std::uint32_t at_exit = 0xffff8000;  ///< "call instruction" of what no instruction calls
constexpr std::uint32_t at_terminate = 0xffff4000;
constexpr std::uint32_t at_thread_end = 0xffff6000;
constexpr int most_exit_turns = 8;
}  // namespace

ProgramEnd::ProgramEnd(const api::ApiModels& models, const CallValues& call, Memory& memory, Recorder& recorder,
                       const ThreadPhase& phase, const FrameEnds& frames, const ThreadValues& own_values,
                       Disjuncts& disjuncts, BlockFixpoint& blocks, bool& changed)
    : d(memory.d),
      u(memory.u),
      models_(models),
      call_(call),
      memory_(memory),
      recorder_(recorder),
      phase_(phase),
      frames_(frames),
      own_values_(own_values),
      disjuncts_(disjuncts),
      blocks_(blocks),
      changed_(changed) {
  for (const Function& f : u.program.functions)
    for (const Instruction& i : f.instructions) has_landing_pads_ = has_landing_pads_ || i.opcode == Opcode::LandingPad;
}

/// A library function that only takes down a synchronisation object.
bool ProgramEnd::has_nothing_to_do(Operand callee) const {
  const api::Model* model =
      callee.is_function() ? models_.find(u.program.functions[callee.as_function()].name) : nullptr;
  return model && std::ranges::all_of(model->effects, [](const Effect& at_end) {
           const auto set_up = api::get<api::SetUpObject>(at_end);
           return set_up &&
                  (set_up->what == api::SetUpObject::What::LockEnd || set_up->what == api::SetUpObject::What::Other);
         });
}

void ProgramEnd::run_at_end(const Site& site, const api::RunLater& later, State& s) {
  bool known = false;
  const std::vector<FunctionId> functions =
      call_.functions_in(d.info_of(s, call_.argument(site, s, later.entry), u.pointer_bits()), known);
  const Operand callee = site.operands()[static_cast<std::size_t>(later.entry) + 1];
  if (!known && has_nothing_to_do(callee))
    takes_down_ = true;
  else if (!known)
    recorder_.obstacle(site, "a function to run at the end that is not known");
  InfoId given = u.any_number(u.pointer_bits());
  if (later.argument != Effect::none) {
    given = d.info_of(s, call_.argument(site, s, later.argument), u.pointer_bits());
    memory_.publish(s, given);
    given = memory_.settled(given);
  }
  for (const FunctionId f : functions) {
    const auto [it, inserted] = at_exit_.try_emplace(f, given);
    const InfoId joined = u.join(it->second, given);
    if (inserted || joined != it->second) changed_ = true;
    it->second = joined;
  }
  call_.return_status(site, s, api::Success::Zero, true);
}

void ProgramEnd::run_at_exit(const State& before) {
  const ContextId root = u.threads.threads[before.thread].root;
  std::map<FunctionId, InfoId> functions = at_exit_;
  const FunctionId entry = u.threads.threads[before.thread].entry;
  const Site site{root, entry, &u.program.functions[entry], at_exit};
  if (takes_down_ && before.parallel)
    recorder_.obstacle(site, "a synchronisation object is taken down at the end, while other threads may use it");
  for (const FunctionId f : u.program.destructors) {
    if (u.program.functions[f].has_body())
      functions.emplace(f, u.any_number(u.pointer_bits()));
    else
      recorder_.obstacle(site, "'" + std::string(u.program.functions[f].name) + "' runs at the end and has no body");
  }
  const MergePoint at{root, at_exit, false, false, nullptr};
  States states{before};
  if (!run_all(states, functions, at))
    recorder_.obstacle(site, "functions that run at the end of the program and do not settle");
}

bool ProgramEnd::run_all(States& states, const std::map<FunctionId, InfoId>& functions, const MergePoint& at) {
  bool grows = true;
  for (int turn = 0; grows; ++turn) {
    if (turn == most_exit_turns) return false;
    grows = false;
    std::uint32_t number = at.block;
    for (const auto& [function, given] : functions) {
      const ContextId context = u.threads.call(at.context, number++, function);
      grows = run_from(states, context, given, at) || grows;
    }
  }
  return true;
}

States ProgramEnd::run_at_thread_end(const State& before) {
  States states{before};
  if (own_values_.destructors().empty() || !own_values_.kept()) return states;
  const threads::Thread& thread = u.threads.threads[before.thread];
  const Site site{thread.root, thread.entry, &u.program.functions[thread.entry], at_thread_end};
  if (is_ending_thread_) {
    recorder_.obstacle(site, "a destructor of thread-specific data ends its thread");
    return states;
  }
  is_ending_thread_ = true;
  std::map<FunctionId, InfoId> functions;
  for (const FunctionId f : own_values_.destructors()) functions.emplace(f, own_values_.kept());
  if (!run_all(states, functions, {thread.root, at_thread_end, false, false, nullptr}))
    recorder_.obstacle(site, "destructors of thread-specific data that do not settle");
  is_ending_thread_ = false;
  return states;
}

bool ProgramEnd::run_from(States& states, ContextId context, InfoId given, const MergePoint& at) {
  const Function& f = u.program.functions[u.threads.contexts[context].function];
  const std::uint32_t first = u.environment_key(context, ValueId(0));
  const std::uint32_t last = u.environment_key(context, ValueId(f.value_count()));
  const States from = states;
  bool grows = false;
  for (State s : from) {
    if (!f.parameters.empty()) s.environment = u.maps.set(s.environment, first, u.opaque(given).index());
    const States left = blocks_.run_function(context, s).returns;
    for (State after : left) {
      for (std::uint32_t key = first; key <= last; ++key) after.environment = u.maps.erase(after.environment, key);
      grows = disjuncts_.add_disjunct(states, after, at) || grows;
    }
  }
  return grows;
}

/// A library function such as abort.
bool ProgramEnd::only_ends_program(FunctionId function) const {
  const api::Model* model = models_.find(u.program.functions[function].name);
  return model && std::ranges::all_of(model->effects, [](const Effect& effect) {
           const auto end = api::get<api::End>(effect);
           return end && end->of == api::End::Of::Program;
         });
}

void ProgramEnd::run_at_terminate(const Site& site, const api::RunLater& later, State& s) {
  const Info handler = u.infos[d.info_of(s, call_.argument(site, s, later.entry), u.pointer_bits())];
  bool known = !handler.any_address && (handler.number.is_empty() || handler.number == Interval::constant(0));
  if (handler.addresses)
    for (const Target& t : u.points_to[handler.addresses].targets) {
      const bool is_function = u.objects[t.object].kind == ObjectKind::Function;
      const FunctionId f = is_function ? FunctionId(u.objects[t.object].a) : FunctionId();
      if (is_function && u.program.functions[f].has_body())
        changed_ = at_terminate_.insert(f).second || changed_;
      else
        known = known && is_function && only_ends_program(f);
    }
  if (!known) recorder_.obstacle(site, "a handler of std::terminate that is not known");
  // What it returns is the handler before: a function of the program, or of the library.
  const auto result = u.environment_key(site.context, site.function->result_of(site.instruction));
  s.environment = u.maps.set(s.environment, result, u.opaque(u.unknown(u.pointer_bits())).index());
}

void ProgramEnd::terminate_here(const Site& site, const State& s) {
  if (at_terminate_.empty()) return;
  if (is_terminating_) return recorder_.obstacle(site, "std::terminate in a handler of std::terminate");
  is_terminating_ = true;
  const ContextId root = u.threads.threads[s.thread].root;
  const MergePoint at{root, at_terminate, false, false, nullptr};
  std::uint32_t number = at_terminate;
  const std::set<FunctionId> handlers = at_terminate_;  // one of them may install another one
  for (const FunctionId f : handlers) {
    States states{s};
    run_from(states, u.threads.call(root, number++, f), u.any_number(u.pointer_bits()), at);
  }
  is_terminating_ = false;
}

void ProgramEnd::throw_here(const Site& site, const State& s, Exits& exits) {
  const Catching catching = catching_of(u, phase_.main(), site);
  if (!catching.must_be_caught && !is_terminating_) terminate_here(site, s);
  if (catching.may_be_caught || is_terminating_) exits.unwinds.push_back(s);
}

void ProgramEnd::end_here(const Site& site, const api::End& end, State s, Exits& exits) {
  switch (end.of) {
    case api::End::Of::Thread:
      frames_.end_all_frames(site, s);
      for (const State& after : run_at_thread_end(s)) {
        phase_.note_thread_end(s.thread, after);
        if (phase_.is_main(s.thread)) run_at_exit(after);
      }
      if (has_landing_pads_) recorder_.obstacle(site, "a thread that ends here runs the destructors of its frames");
      return;
    case api::End::Of::Program: return;
    case api::End::Of::Exit: run_at_exit(s); return;
    case api::End::Of::Terminate: terminate_here(site, s); return;
    case api::End::Of::Frame: throw_here(site, s, exits); return;
  }
}

}  // namespace heddle::topdown
