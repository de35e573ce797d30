// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends: of frames by exceptions, of threads, and of the program, with the functions that run then.
//
//   void f() { Guard g; h(); }      an exception of h: the landing pad of f's invoke, which ends g, and then where an
//                                   exception of f goes
#include <algorithm>

#include "judge/thread_model/thread_builder.h"

namespace heddle::judge::transaction {

namespace {

/// An exception may go past the pad: it has handlers of some types, and none for everything. One without handlers is a
/// clean-up, which all pass.
bool may_be_passed_by(const Program& program, const Function& f, BlockId pad) {
  for (const Instruction& code : f.instructions_of(f.blocks[pad.index()])) {
    if (code.opcode != Opcode::LandingPad) continue;
    const auto clauses = f.operands_of(code);
    return !clauses.empty() && std::ranges::none_of(clauses, [&](Operand clause) {
      return clause.is_constant() && program.constants[clause.as_constant()].kind == Constant::Kind::Null;
    });
  }
  return true;
}

/// A destructor of the library, or what ends a condition.
bool ends_only_its_object(const api::Model& model) {
  return std::ranges::all_of(model.effects, [](const api::Effect& effect) {
    const auto touch = api::get<api::Touch>(effect);
    return api::get<api::SetUpObject>(effect).has_value() || (touch && touch->object == 0);
  });
}

}  // namespace

/// Where an exception goes that comes out of the present instruction of the frame; none: the program ends.
std::optional<PointIndex> ThreadBuilder::handler(Frame& frame) {
  if (frame.invoke == nullptr) return handler_above(frame);
  if (frame.landing_pad) return frame.landing_pad;
  const PointIndex pad = point();
  frame.landing_pad = pad;
  const BlockId block = frame.function->operands_of(*frame.invoke).back().as_block();
  branch(frame, pad, frame.invoke_block, block, {});
  if (may_be_passed_by(program_, *frame.function, block))
    connect(pad, handler_above(frame).value_or(Thread::exits), {});
  return pad;
}

std::optional<PointIndex> ThreadBuilder::handler_above(Frame& frame) {
  if (frame.caller == nullptr) return std::nullopt;
  if (frame.owns_section) throw NoModel{"an exception may leave an atomic function"};
  const auto above = handler(*frame.caller);
  if (!frame.once) return above;
  const PointIndex gives_up = point();  // somebody else may try
  connect(gives_up, above.value_or(Thread::exits), {Give{*frame.once}});
  return gives_up;
}

void ThreadBuilder::throw_from(Frame& frame) {
  const auto to = handler(frame);
  connect(at_, to.value_or(Thread::exits), std::exchange(acts_, {}));
  is_over_ = true;
}

/// Or it goes on. Where nobody catches it the program would end: the others see nothing else of that.
void ThreadBuilder::may_throw_from(Frame& frame) {
  const auto to = handler(frame);
  if (!to) return;
  const PointIndex behind = point();
  connect(at_, *to, acts_);
  connect(at_, behind, std::exchange(acts_, {}));
  at_ = behind;
}

void ThreadBuilder::leave_by_exception(Frame& frame) {
  const auto to = handler_above(frame);
  connect(at_, to.value_or(Thread::exits), std::exchange(acts_, {}));
}

PointIndex ThreadBuilder::end_of_program() {
  if (!end_) end_ = point();
  return *end_;
}

/// In any order, any number of times: more than what happens.
bool ThreadBuilder::build_late_functions() {
  if (!end_) return false;
  if (late_ == 0 && !shop_.late.empty()) connect(*end_, Thread::exits, {});
  const std::size_t before = late_;
  for (; late_ < shop_.late.size(); ++late_) {
    const LateFunction late = shop_.late[late_];
    at_ = *end_;
    run(late.function, late.context);
    connect(at_, *end_, {});
  }
  return late_ != before;
}

void ThreadBuilder::run_later(const CallSite& site, const api::RunLater& later) {
  using When = api::RunLater::When;
  if (later.when == When::ProgramEnd) return run_at_end(site, later);
  if (later.when != When::ExceptionEnd)
    throw NoModel{"it has functions that run later: when a thread ends, or a signal comes"};
  // A destructor of the library ends the object that it is given, which nobody has any more.
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(later.entry);
  if (at >= arguments.size() || known(site.frame, arguments[at]).is(0)) return;
  for (const FunctionId function : functions(targets(site.frame, arguments[at]))) {
    const api::Model* model = shop_.models.find(program_.functions[function].name);
    if (program_.functions[function].has_body() || model == nullptr || !ends_only_its_object(*model))
      throw NoModel{"it throws objects with destructors"};
  }
}

void ThreadBuilder::run_at_end(const CallSite& site, const api::RunLater& later) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(later.entry);
  if (at >= arguments.size()) throw NoModel{"it has functions at its end that are not known"};
  std::vector<FunctionId> callees;
  if (const auto only = known(site.frame, arguments[at]).function)
    callees.push_back(*only);
  else
    callees = functions(targets(site.frame, arguments[at]));
  if (callees.empty()) throw NoModel{"it has functions at its end that are not known"};
  for (const FunctionId callee : callees) {
    if (program_.functions[callee].has_body()) {
      const LateFunction late{callee, context_of(site.frame, site.instruction, callee)};
      if (!std::ranges::count(shop_.late, late)) shop_.late.push_back(late);
      continue;
    }
    // What the library ends is its own business; nobody knows when.
    const api::Model* model = shop_.models.find(program_.functions[callee].name);
    if (model == nullptr || !ends_only_its_object(*model)) throw NoModel{"a library function runs at its end"};
    std::vector<Target> all = shop_.memory.points().rearranged(site.frame.context, site.instruction);
    const auto given = static_cast<std::size_t>(later.argument);
    if (later.argument >= 0 && given < arguments.size())
      for (const Target& target : targets(site.frame, arguments[given])) all.push_back(target);
    for (const Target& target : all) {
      if (shop_.memory.is_unknown(target.object)) throw NoModel{"a library function runs at its end"};
      const Region its{.object = target.object, .offset = alias::anywhere, .bytes = {}};
      shop_.names.lose_cells(its);
      shop_.names.holds_anything(its);
    }
  }
}

void ThreadBuilder::end(const CallSite& site, const api::End& end) {
  switch (end.of) {
    case api::End::Of::Frame: return throw_from(site.frame);
    case api::End::Of::Thread:
      if (shop_.has_landing_pads) throw NoModel{"a thread that ends itself runs the destructors of its frames"};
      connect(at_, Thread::ended, std::move(acts_));
      break;
    case api::End::Of::Terminate:
      if (end.may_return) return;
      [[fallthrough]];
    case api::End::Of::Program: connect(at_, Thread::exits, std::move(acts_)); break;
    case api::End::Of::Exit: connect(at_, end_of_program(), std::move(acts_)); break;
  }
  acts_ = {};
  is_over_ = true;
}

}  // namespace heddle::judge::transaction
