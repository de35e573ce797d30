// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/exception_ends.h"

#include <algorithm>

#include "topdown/transfer/calls.h"

namespace heddle::topdown {

namespace {

/// A destructor of the library: it only touches the object that it gets, which nobody else has any more.
bool touches_its_object_only(const api::Model* model) {
  return model && std::ranges::all_of(model->effects, [](const api::Effect& effect) {
           const auto touch = api::get<api::Touch>(effect);
           return touch && touch->object == 0;
         });
}

}  // namespace

void ExceptionEnds::keep(const Site& site, const api::RunLater& later, State& s) {
  const Info destructor = u.infos[d.info_of(s, call_.argument(site, s, later.entry), u.pointer_bits())];
  const bool may_be_none = destructor.number.is_empty() || destructor.number == Interval::constant(0);
  if (destructor.any_address || !may_be_none)
    recorder_.obstacle(site, "the destructor of an exception that is not known");
  if (!destructor.addresses) return;
  InfoId given = d.info_of(s, call_.argument(site, s, later.argument), u.pointer_bits());
  const std::vector<Target> targets = u.points_to[destructor.addresses].targets;
  for (const Target& t : targets) {
    const bool is_function = u.objects[t.object].kind == ObjectKind::Function;
    const FunctionId f = is_function ? FunctionId(u.objects[t.object].a) : FunctionId();
    if (!is_function || !u.program.functions[f].has_body()) {
      if (!is_function || !touches_its_object_only(models_.find(u.program.functions[f].name)))
        recorder_.obstacle(site, "the destructor of an exception that is not known");
      continue;
    }
    memory_.publish(s, given);
    given = memory_.settled(given);
    const auto [it, inserted] = destructors_.try_emplace(f, given);
    const InfoId joined = u.join(it->second, given);
    if (inserted || joined != it->second) changed_ = true;
    it->second = joined;
  }
}

void ExceptionEnds::end(const Site& site, const State& s, States& out) {
  out.push_back(s);
  const std::map<FunctionId, InfoId> now = destructors_;  // one of them may throw
  for (const auto& [destructor, object] : now)
    for (const State& after : calls_.call_back(site, s, destructor, {u.opaque(object)})) out.push_back(after);
}

Catching catching_of(const Universe& u, ThreadId main, const Site& site) {
  Catching out;
  std::uint32_t instruction = site.instruction;
  for (ContextId at = site.context; at; at = u.threads.contexts[at].caller) {
    const threads::Context& context = u.threads.contexts[at];
    const Function& f = u.program.functions[context.function];
    if (instruction < f.instructions.size() && f.instructions[instruction].opcode == Opcode::Invoke) {
      const auto operands = f.operands_of(f.instructions[instruction]);
      const Block& unwind = f.blocks[operands[operands.size() - 1].as_block().index()];
      for (const Instruction& code : f.instructions_of(unwind)) {
        if (code.opcode != Opcode::LandingPad) continue;
        for (const Operand clause : f.operands_of(code)) {
          out.may_be_caught = true;
          const bool is_null =
              clause.is_constant() && u.program.constants[clause.as_constant()].kind == Constant::Kind::Null;
          out.must_be_caught = out.must_be_caught || is_null;
        }
      }
    }
    // What starts a thread may catch what leaves it, as some libraries do; what starts main does not.
    if (!context.caller && context.thread != main) out.may_be_caught = true;
    if (context.shared == at) {  // some of its callers may catch it
      out.may_be_caught = true;
      break;
    }
    instruction = context.call;
  }
  return out;
}

}  // namespace heddle::topdown
