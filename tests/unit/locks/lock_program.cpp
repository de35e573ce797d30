// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "locks/lock_program.h"

namespace heddle::locks::test {
namespace {

class Generator {
 public:
  Generator(std::mt19937& random, const ProgramShape& shape) : random_(random), shape_(shape) {}

  LockProgram make() {
    LockProgram out;
    for (int f = 0; f < shape_.functions; ++f) {
      function_ = f;
      out.functions.push_back(body(shape_.depth));
    }
    out.points = points_;
    return out;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::vector<Step> body(int depth) {
    std::vector<Step> out;
    const int length = 1 + below(shape_.length);
    while (static_cast<int>(out.size()) < length) {
      Step s = step(depth);
      // Most locks that are taken are given back; the others make what callers and callees leave to each other.
      const bool is_block = s.kind == Step::Kind::Acquire && below(3) != 0;
      const int lock = s.lock;
      out.push_back(std::move(s));
      if (!is_block) continue;
      if (depth > 0)
        for (Step& inner : body(depth - 1)) out.push_back(std::move(inner));
      Step back;
      back.kind = Step::Kind::Release;
      back.lock = lock;
      back.point = points_++;
      out.push_back(std::move(back));
    }
    return out;
  }

  Step step(int depth) {
    Step s;
    s.lock = below(shape_.locks);
    // Reader-writer locks are those with even numbers, so that most paths do not mix modes.
    s.mode = shape_.has_shared && s.lock % 2 == 0 && below(3) != 0 ? Mode::Shared : Mode::Exclusive;
    const int dice = below(20);
    s.kind = dice < 7    ? Step::Kind::Acquire
             : dice < 8  ? Step::Kind::TryAcquire
             : dice < 11 ? Step::Kind::Release
             : dice < 12 ? Step::Kind::Wait
             : dice < 15 ? Step::Kind::Call
             : dice < 18 ? Step::Kind::Choice
                         : Step::Kind::Loop;
    if (s.kind == Step::Kind::Wait && shape_.has_shared) s.lock = 1;
    if (s.kind == Step::Kind::Call && function_ + 1 >= shape_.functions) s.kind = Step::Kind::Acquire;
    if (s.kind >= Step::Kind::Choice && depth == 0) s.kind = Step::Kind::Acquire;
    if (s.kind == Step::Kind::Call) s.callee = function_ + 1 + below(shape_.functions - function_ - 1);
    if (s.kind >= Step::Kind::Choice) s.first = body(depth - 1);
    if (s.kind == Step::Kind::Choice && below(2) == 0) s.second = body(depth - 1);
    s.point = points_++;
    return s;
  }

  std::mt19937& random_;
  ProgramShape shape_;
  int function_ = 0;
  int points_ = 0;
};

class Runner {
 public:
  Runner(const LockProgram& program, std::mt19937& random,
         const std::function<void(const Place&, const ConcreteLocks&)>& at)
      : program_(program), random_(random), at_(at) {}

  bool body(const std::vector<Step>& steps) {
    for (const Step& s : steps) {
      if (!step(s)) return false;
      if (s.kind == Step::Kind::Call) continue;  // its point is the one before the call
      place_.push_back(s.point);
      at_(place_, locks_);
      place_.pop_back();
    }
    return true;
  }

 private:
  bool step(const Step& s) {
    switch (s.kind) {
      case Step::Kind::Acquire: return locks_.acquire(s.lock, s.mode);
      case Step::Kind::TryAcquire: return random_() % 2 == 0 || locks_.acquire(s.lock, s.mode);
      case Step::Kind::Release: return locks_.release(s.lock);
      case Step::Kind::Wait: return locks_.wait(s.lock);
      case Step::Kind::Choice: return body(random_() % 2 == 0 ? s.first : s.second);
      case Step::Kind::Loop:
        for (auto rounds = random_() % 4; rounds > 0; --rounds)
          if (!body(s.first)) return false;
        return true;
      case Step::Kind::Call: {
        place_.push_back(s.point);
        const bool goes_on = body(program_.functions[static_cast<std::size_t>(s.callee)]);
        place_.pop_back();
        return goes_on;
      }
    }
    return false;
  }

  const LockProgram& program_;
  std::mt19937& random_;
  const std::function<void(const Place&, const ConcreteLocks&)>& at_;
  ConcreteLocks locks_;
  Place place_;
};

}  // namespace

LockProgram random_program(std::mt19937& random, const ProgramShape& shape) { return Generator(random, shape).make(); }

bool ConcreteLocks::acquire(int lock, Mode mode) {
  const auto own = held_.find(lock);
  if (own != held_.end() && own->second.mode != mode) return false;
  for (auto& [other, held] : held_)
    if (other != lock) {
      const auto [at, is_new] = held.since.try_emplace(lock, mode);
      if (!is_new) at->second = stronger(at->second, mode);
    }
  if (own == held_.end())
    held_[lock] = {.count = 1, .mode = mode, .since = {}};
  else
    ++own->second.count;
  return true;
}

bool ConcreteLocks::release(int lock) {
  const auto own = held_.find(lock);
  if (own == held_.end()) return false;
  if (--own->second.count == 0) held_.erase(own);
  return true;
}

bool ConcreteLocks::wait(int lock) {
  const auto own = held_.find(lock);
  return own != held_.end() && own->second.mode == Mode::Exclusive && release(lock) && acquire(lock, Mode::Exclusive);
}

void run(const LockProgram& program, std::mt19937& random,
         const std::function<void(const Place&, const ConcreteLocks&)>& at) {
  Runner(program, random, at).body(program.functions[0]);
}

}  // namespace heddle::locks::test
