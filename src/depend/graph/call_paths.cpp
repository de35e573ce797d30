// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/graph/call_paths.h"

#include <algorithm>

namespace heddle::depend {
namespace {

constexpr std::size_t most_paths = 8, most_steps = 400;
constexpr std::uint32_t most_depth = 64;

}  // namespace

CallPaths::CallPaths(const AccessFacts& facts) : calls_(facts.calls), reached_(facts.reached) {
  for (const SystemEntry& entry : facts.system.entries()) begins_.push_back(entry.function);
}

/// What no entry reaches, `no_entry` does, for those who ask about it all the same.
bool CallPaths::reaches(std::uint32_t entry, FunctionId function) const {
  return entry >= reached_.size() || reached_[entry][function.index()];
}

PathId CallPaths::intern(const CallFrame& frame) {
  const auto [at, is_new] =
      ids_.try_emplace({frame.caller, frame.call, frame.function, frame.entry, frame.is_any}, PathId());
  if (is_new) at->second = frames_.add(frame);
  return at->second;
}

PathId CallPaths::begin(std::uint32_t entry) { return intern({.function = begins_[entry], .entry = entry}); }

PathId CallPaths::any(FunctionId function, std::uint32_t entry) {
  return intern({.function = function, .entry = entry, .is_any = true});
}

bool CallPaths::is_on(PathId path, FunctionId function) const {
  for (; path; path = frames_[path].caller)
    if (frames_[path].function == function) return true;
  return false;
}

PathId CallPaths::call(PathId caller, std::size_t instruction, FunctionId callee) {
  const CallFrame& from = frames_[caller];
  const std::uint32_t entry = from.entry;
  if (from.is_any || from.depth >= most_depth || is_on(caller, callee)) return any(callee, entry);
  return frames_[to(callee, entry).front()].is_any ? any(callee, entry) : below(caller, instruction, callee);
}

PathId CallPaths::below(PathId caller, std::size_t instruction, FunctionId callee) {
  const CallFrame& from = frames_[caller];
  return intern({.caller = caller,
                 .call = static_cast<std::uint32_t>(instruction),
                 .function = callee,
                 .entry = from.entry,
                 .depth = from.depth + 1});
}

const std::vector<PathId>& CallPaths::to(FunctionId function, std::uint32_t entry) {
  const auto known = to_.find({function, entry});
  if (known != to_.end()) return known->second;
  std::vector<PathId> found = find_paths(function, entry);
  return to_.emplace(std::pair(function, entry), std::move(found)).first->second;
}

/// Upwards from the function, and then down again along each chain of calls that came to the entry.
std::vector<PathId> CallPaths::find_paths(FunctionId function, std::uint32_t entry) {
  if (entry == no_entry) return {any(function, entry)};
  struct Chain {
    FunctionId top;
    std::vector<std::pair<std::size_t, FunctionId>> calls;  // the last one first
  };
  std::vector<PathId> found;
  std::vector<Chain> todo{{function, {}}};
  for (std::size_t steps = 0; !todo.empty(); ++steps) {
    const Chain chain = std::move(todo.back());
    todo.pop_back();
    if (chain.top == begins_[entry]) {
      PathId path = begin(entry);
      for (auto one = chain.calls.rbegin(); one != chain.calls.rend(); ++one)
        path = below(path, one->first, one->second);
      found.push_back(path);
    }
    if (found.size() > most_paths || steps > most_steps || todo.size() > most_steps || chain.calls.size() > most_depth)
      return {any(function, entry)};
    const auto& callers = calls_.callers(chain.top);
    for (auto from = callers.rbegin(); from != callers.rend(); ++from) {
      const auto is_caller = [&](const auto& one) { return one.second == from->caller; };
      if (!reaches(entry, from->caller) || from->caller == chain.top || std::ranges::any_of(chain.calls, is_caller))
        continue;
      todo.push_back({from->caller, chain.calls});
      todo.back().calls.emplace_back(from->instruction, chain.top);
    }
  }
  if (found.empty()) found.push_back(any(function, entry));
  return found;
}

std::vector<CallPaths::Caller> CallPaths::callers(PathId path) {
  const CallFrame frame = frames_[path];
  if (!frame.is_any) return frame.caller ? std::vector<Caller>{{frame.caller, frame.call}} : std::vector<Caller>{};
  std::vector<Caller> found;
  for (const CallPoint& from : calls_.callers(frame.function))
    if (reaches(frame.entry, from.caller)) found.push_back({any(from.caller, frame.entry), from.instruction});
  return found;
}

bool CallPaths::may_begin(PathId path) const {
  const CallFrame& frame = frames_[path];
  if (frame.caller) return false;
  return frame.entry == no_entry ? calls_.callers(frame.function).empty() : frame.function == begins_[frame.entry];
}

std::vector<CallPaths::Caller> CallPaths::all_callers(FunctionId function) {
  std::vector<Caller> found;
  for (const CallPoint& from : calls_.callers(function))
    for (std::uint32_t entry = 0; entry < begins_.size(); ++entry)
      if (reaches(entry, from.caller))
        for (const PathId path : to(from.caller, entry)) found.push_back({path, from.instruction});
  return found;
}

bool CallPaths::may_precede(PathId path, std::size_t instruction, PathId later, std::size_t later_instruction) const {
  // Up to the last function that both paths have in common.
  while (path != later) {
    const CallFrame &one = frames_[path], &other = frames_[later];
    if (one.is_any || other.is_any) return true;
    const bool is_deeper = one.depth >= other.depth;
    if (!(is_deeper ? one.caller : other.caller)) return true;
    if (is_deeper) {
      instruction = one.call;
      path = one.caller;
    } else {
      later_instruction = other.call;
      later = other.caller;
    }
  }
  return calls_.may_follow(frames_[path].function, instruction, later_instruction, Rounds::All);
}

}  // namespace heddle::depend
