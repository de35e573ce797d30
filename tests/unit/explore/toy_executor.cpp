// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/toy_executor.h"

#include <sstream>

namespace heddle::explore::toy {
namespace {

constexpr std::uint64_t locks = 1000, semaphores = 2000, ends = 3000;

Operation parse_word(const std::string& word) {
  static const std::map<char, Kind> kinds{
      {'r', Kind::Read},    {'w', Kind::Write}, {'x', Kind::Update}, {'l', Kind::Lock},  {'u', Kind::Unlock},
      {'t', Kind::TryLock}, {'p', Kind::Post},  {'s', Kind::Take},   {'a', Kind::Await}, {'c', Kind::Toss},
      {'f', Kind::Spawn},   {'j', Kind::Join},  {'R', Kind::Read}};
  Operation operation;
  operation.kind = kinds.at(word[0]);
  const std::size_t equals = word.find('=');
  if (word.size() > 1 && word[1] != '=') operation.object = std::stoull(word.substr(1, equals));
  if (equals != std::string::npos) operation.value = static_cast<std::uint32_t>(std::stoul(word.substr(equals + 1)));
  if (word[0] == 'R') operation.value = 1;
  return operation;
}

Touch touch(std::uint64_t object, TouchKind kind) { return {.object = object, .begin = 0, .end = 1, .kind = kind}; }

}  // namespace

Threads parse(const std::vector<std::string>& threads) {
  Threads result;
  for (const std::string& text : threads) {
    std::istringstream in(text);
    std::vector<Operation> operations;
    for (std::string word; in >> word;) operations.push_back(parse_word(word));
    result.push_back(std::move(operations));
  }
  return result;
}

void ToyExecutor::restart() {
  at_.assign(threads_.size(), 0);
  started_.assign(threads_.size(), true);
  for (const std::vector<Operation>& thread : threads_)
    for (const Operation& operation : thread)
      if (operation.kind == Kind::Spawn) started_[operation.object] = false;
  variables_.clear();
  semaphores_.clear();
  owner_.clear();
  path_.clear();
}

void ToyExecutor::rewind(std::size_t length) {
  const std::vector<Event> path(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(length));
  restart();
  for (const Event& event : path) step(event.thread, event.choice);
}

bool ToyExecutor::can_run(ThreadIndex t) const {
  const Operation& operation = threads_[t][at_[t]];
  switch (operation.kind) {
    case Kind::Lock: return !owner_.contains(operation.object);
    case Kind::Take: {
      const auto count = semaphores_.find(operation.object);
      return count != semaphores_.end() && count->second > 0;
    }
    case Kind::Await: {
      const auto value = variables_.find(operation.object);
      return (value == variables_.end() ? 0 : value->second) == operation.value;
    }
    case Kind::Join: return started_[operation.object] && finished(static_cast<ThreadIndex>(operation.object));
    default: return true;
  }
}

std::vector<ThreadIndex> ToyExecutor::enabled() const {
  std::vector<ThreadIndex> result;
  for (ThreadIndex t = 0; t < threads_.size(); ++t)
    if (started_[t] && !finished(t) && can_run(t)) result.push_back(t);
  return result;
}

std::vector<Event> ToyExecutor::blocked() const {
  std::vector<Event> result;
  for (ThreadIndex t = 0; t < threads_.size(); ++t)
    if (started_[t] && !finished(t) && !can_run(t)) result.push_back(describe(t));
  return result;
}

Event ToyExecutor::describe(ThreadIndex t) const {
  const Operation& operation = threads_[t][at_[t]];
  Event event;
  event.thread = t;
  switch (operation.kind) {
    case Kind::Read: event.touches.push_back(touch(operation.object, TouchKind::Read)); break;
    case Kind::Write:
    case Kind::Update: event.touches.push_back(touch(operation.object, TouchKind::Write)); break;
    case Kind::Lock: event.touches.push_back(touch(locks + operation.object, TouchKind::Acquire)); break;
    case Kind::Unlock: {
      const auto owner = owner_.find(operation.object);
      const bool owns = owner != owner_.end() && owner->second == t;
      event.touches.push_back(touch(locks + operation.object, owns ? TouchKind::Release : TouchKind::Write));
      break;
    }
    case Kind::TryLock: event.touches.push_back(touch(locks + operation.object, TouchKind::Write)); break;
    case Kind::Post: event.touches.push_back(touch(semaphores + operation.object, TouchKind::Write)); break;
    case Kind::Take:
      event.conditional = true;
      event.touches.push_back(touch(semaphores + operation.object, TouchKind::Write));
      break;
    case Kind::Await:
      event.conditional = true;
      event.touches.push_back(touch(operation.object, TouchKind::Read));
      break;
    case Kind::Toss: event.choices = operation.value; break;
    case Kind::Spawn: event.spawned.push_back(static_cast<ThreadIndex>(operation.object)); break;
    case Kind::Join: event.touches.push_back(touch(ends + operation.object, TouchKind::Acquire)); break;
  }
  return event;
}

void ToyExecutor::perform(ThreadIndex t, const Operation& operation) {
  switch (operation.kind) {
    case Kind::Read:
      if (operation.value == 1 && variables_[operation.object] % 2 == 1) ++at_[t];
      break;
    case Kind::Write: variables_[operation.object] = operation.value; break;
    case Kind::Update: ++variables_[operation.object]; break;
    case Kind::Lock: owner_[operation.object] = t; break;
    case Kind::Unlock:
      if (const auto owner = owner_.find(operation.object); owner != owner_.end() && owner->second == t)
        owner_.erase(owner);
      break;
    case Kind::TryLock:
      if (owner_.contains(operation.object))
        at_[t] += 2;  // skips its critical section of one operation and the unlock
      else
        owner_[operation.object] = t;
      break;
    case Kind::Post: ++semaphores_[operation.object]; break;
    case Kind::Take: --semaphores_[operation.object]; break;
    case Kind::Spawn: started_[operation.object] = true; break;
    case Kind::Await:
    case Kind::Toss:
    case Kind::Join: break;
  }
}

Event ToyExecutor::step(ThreadIndex thread, std::uint32_t choice) {
  Event event = describe(thread);
  event.choice = choice;
  const Operation operation = threads_[thread][at_[thread]];
  perform(thread, operation);
  ++at_[thread];
  // An outcome decides how many of the operations behind it are skipped.
  if (operation.kind == Kind::Toss) at_[thread] += choice;
  if (finished(thread)) event.touches.push_back(touch(ends + thread, TouchKind::Release));
  path_.push_back(event);
  return event;
}

}  // namespace heddle::explore::toy
