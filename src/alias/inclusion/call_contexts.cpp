// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts: which calls are looked at by themselves.
#include "alias/inclusion/points_to.h"

namespace heddle::alias {

namespace {

constexpr std::size_t most_copied_instructions = 40'000;

}  // namespace

ContextId PointsTo::add_context(CallContext context) {
  context.results = inclusions_.node();
  context.rest = inclusions_.node();
  for (std::size_t k = 0; k < program_.functions[context.function].value_count(); ++k) {
    const NodeIndex made = inclusions_.node();
    if (k == 0) context.first = made;
  }
  const ContextId id = contexts_.add(context);
  contexts_of_[context.function.index()].push_back(id);
  to_walk_.push_back(id);
  return id;
}

ContextId PointsTo::common(FunctionId function) {
  ContextId& known = common_[function.index()];
  if (!known) known = add_context({.function = function, .is_common = true});
  return known;
}

bool PointsTo::is_within(ContextId context, FunctionId function) const {
  for (; context; context = contexts_[context].caller)
    if (contexts_[context].function == function) return true;
  return false;
}

/// Its own, if there is room for one more copy and it does not call itself. From a common context all go to common
/// ones.
ContextId PointsTo::context_for(const CallSite& site, FunctionId callee) {
  const auto key = std::tuple(site.context, site.instruction, callee);
  if (const auto known = callees_.find(key); known != callees_.end()) return known->second;
  const std::size_t size = program_.functions[callee].instructions.size();
  const bool is_first = contexts_of_[callee.index()].empty();
  const bool has_room = is_first || copied_instructions_ + size <= most_copied_instructions;
  ContextId out;
  if (!site.context || contexts_[site.context].is_common || !has_room || is_within(site.context, callee)) {
    out = common(callee);
  } else {
    if (!is_first) copied_instructions_ += size;
    out = add_context({.function = callee, .caller = site.context, .instruction = site.instruction});
  }
  callees_.emplace(key, out);
  return out;
}

/// One after the other: calls nest deeply.
void PointsTo::walk_new_contexts() {
  while (!to_walk_.empty()) {
    const ContextId next = to_walk_.back();
    to_walk_.pop_back();
    walk(next);
  }
}

std::optional<ContextId> PointsTo::root(FunctionId function) const {
  for (const ContextId id : contexts_of_[function.index()])
    if (!contexts_[id].caller && !contexts_[id].is_common) return id;
  return std::nullopt;
}

std::optional<ContextId> PointsTo::callee(ContextId caller, std::uint32_t instruction, FunctionId function) const {
  const auto known = callees_.find({caller, instruction, function});
  return known == callees_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace heddle::alias
