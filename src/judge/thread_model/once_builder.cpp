// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library calls: bodies that run once, and functions that it is given.
#include <algorithm>
#include <utility>

#include "judge/thread_model/thread_builder.h"

namespace heddle::judge::transaction {

namespace {

/// It does nothing to memory of the program.
bool returns_only(const api::Effect& effect) { return api::get<api::ReturnValue>(effect).has_value(); }

}  // namespace

/// Two edges from here: the body runs, or somebody has run it.
ThreadBuilder::OnceWays ThreadBuilder::ways_to_begin(const OnceObject& object) {
  stop_here();
  OnceWays out;
  if (object.lock) out.runs.push_back(Take{*object.lock, false});
  const auto been = object.flag ? shop_.names.has_been(*object.flag, 1) : std::nullopt;
  if (!been) return out;
  const auto is = [&](std::int64_t number) {
    return Guard{Predicate::Eq, LinearForm::variable(*been), LinearForm::number(number)};
  };
  out.runs.push_back(is(0));
  out.done.push_back(is(1));
  return out;
}

/// A lock that is held while the body runs, and a flag that says that it did: the first byte of the object, which
/// compiled code looks at before it calls.
ThreadBuilder::OnceObject ThreadBuilder::once_object(const CallSite& site, api::Argument argument) {
  const auto object = argument_memory(site, argument);
  if (!object || !object->is_single()) {  // one of several: what is written there, nobody knows
    const auto arguments = site.frame.function->arguments_of(site.code);
    const auto at = static_cast<std::size_t>(argument);
    if (argument < 0 || at >= arguments.size()) return {};
    for (const Region& region : regions(site.frame, arguments[at], std::nullopt)) shop_.names.lose_cells(region);
    return {};
  }
  shop_.names.weaken({object->object, object->offset, 1});
  OnceObject out{.lock = shop_.names.lock(*object), .flag = shop_.names.cell(*object, 1, 8, Interval::of_width(8))};
  if (out.flag && !shop_.names.held(*out.flag)) out.flag.reset();
  return out;
}

void ThreadBuilder::end_once(const OnceObject& object, bool is_done) {
  stop_here();
  if (object.flag && is_done) put_weak(*object.flag, LinearForm::number(1));
  if (object.lock) add(Give{*object.lock});
  stop_here();
}

void ThreadBuilder::run_once(const CallSite& site, const api::RunOnce& once) {
  const OnceObject object = once_object(site, once.object);
  switch (once.step) {
    case api::RunOnce::Step::Begin: {
      const std::vector<Act> before = std::exchange(acts_, {});
      auto [runs, done] = ways_to_begin(object);
      const PointIndex behind = point();
      for (const bool is_run : {true, false}) {
        std::vector<Act>& acts = is_run ? runs : done;
        acts.insert(acts.end(), before.begin(), before.end());
        status(site, acts, once.success, is_run);
        connect(at_, behind, std::move(acts));
      }
      at_ = behind;
      return;
    }
    case api::RunOnce::Step::End: return end_once(object, true);
    case api::RunOnce::Step::Abort: return end_once(object, false);
    case api::RunOnce::Step::Call: break;
  }
  auto [runs, done] = ways_to_begin(object);
  const PointIndex body = point(), behind = point();
  connect(at_, body, std::move(runs));
  connect(at_, behind, std::move(done));
  at_ = body;
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(once.entry);
  if (at >= arguments.size()) throw NoModel{"it runs once what is not known"};
  call_functions(site, functions(targets(site.frame, arguments[at])), true, object.lock);
  if (is_over_) {
    is_over_ = false;
  } else {
    end_once(object, true);
    connect(at_, behind, {});
  }
  at_ = behind;
}

/// One of them, with arguments of which only their contexts tell.
void ThreadBuilder::call_functions(const CallSite& site, const std::vector<FunctionId>& callees, bool has_context,
                                   std::optional<LockIndex> once) {
  if (callees.empty()) throw NoModel{"the library calls a function that is not known"};
  stop_here();
  const PointIndex from = at_, behind = point();
  for (const FunctionId callee : callees) {
    at_ = from;
    acts_ = {};
    is_over_ = false;
    const Function& function = program_.functions[callee];
    if (function.has_body()) {
      Frame inner;
      const auto common = shop_.memory.points().common_context(callee);
      if (!has_context && !common) throw NoModel{"the library calls a function unexpectedly"};
      inner.context = has_context ? context_of(site.frame, site.instruction, callee) : *common;
      inner.call = site.instruction;
      inner.once = once;
      enter(site.frame, std::move(inner), callee);
    } else {
      const api::Model* model = shop_.models.find(function.name);
      if (model == nullptr) throw NoModel{"the library calls a function that is not known"};
      for (const api::Effect& effect : model->effects) {
        const auto back = api::get<api::CallBack>(effect);
        if (back && !back->global.empty())
          call_back(site, *back);
        else if (!returns_only(effect))
          throw NoModel{"the library calls functions of a library"};
      }
    }
    if (!is_over_) connect(at_, behind, std::exchange(acts_, {}));
  }
  at_ = behind;
  acts_ = {};
  is_over_ = false;
}

/// Before the call returns, any number of times.
void ThreadBuilder::call_back(const CallSite& site, const api::CallBack& back) {
  if (back.ends_exception) return;  // those with destructors of the program were refused where they are thrown
  std::vector<FunctionId> callees;
  if (back.entry != api::Effect::none) {
    const auto arguments = site.frame.function->arguments_of(site.code);
    const auto at = static_cast<std::size_t>(back.entry);
    if (at >= arguments.size() || known(site.frame, arguments[at]).is(0)) return;
    callees = functions(targets(site.frame, arguments[at]));
  } else {
    const GlobalId global = program_.find_global(back.global);
    const auto object = global ? shop_.memory.of(global) : std::nullopt;
    if (!object) throw NoModel{"the library calls a function that is not known"};
    callees = functions(shop_.memory.points().contents({*object, 0}, program_.layout.pointer_bits / 8));
  }
  stop_here();
  const PointIndex again = point(), behind = point();
  connect(at_, again, {});
  connect(again, behind, {});
  at_ = again;
  call_functions(site, callees, back.entry == api::Effect::none, std::nullopt);
  connect(at_, again, {});
  at_ = behind;
}

}  // namespace heddle::judge::transaction
