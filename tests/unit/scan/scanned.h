// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "frontend/scratch_source.h"
#include "scan/keep/bottom_up.h"
#include "scan/names/lvalue_text.h"
#include "scan/scan.h"

namespace heddle::scan {

/// A C text and the summaries of its functions, in words.
class Summarised {
 public:
  explicit Summarised(const std::string& text, const Assumptions& assumptions = {}, const Limits& limits = {},
                      unsigned jobs = 1)
      : program_(std::make_unique<Program>(frontend::read_text(text))),
        models_(*api::ApiModels::shipped_for(*program_)),
        aliases_(
            std::make_unique<alias::AliasFacts>(alias::find_aliases(*program_, models_, assumptions.for_aliases()))),
        targets_(std::make_unique<CallTargets>(*program_, *aliases_, assumptions)),
        input_(make_input(*program_, models_, *targets_, *aliases_, limits, assumptions)) {
    BottomUpOptions options;
    options.jobs = jobs;
    summaries_ = summarise_all(input_, options);
  }

  /// `ai->stats.rx_p W ({},{ai->lock})`, one line per access that callers take over or that is settled, sorted. R, W, F
  /// (frees), A in front of atomic ones; ` if 0: zero` and ` if 0: other` behind those with a condition on parameter 0.
  [[nodiscard]] std::vector<std::string> accesses(const std::string& function) const {
    std::vector<std::string> out;
    const FunctionId id = find(function);
    const FunctionSummary& summary = summaries_[id.index()];
    for (const AccessGroup& group : summary.groups) list(id, group, summary, group, 0, out);
    std::ranges::sort(out);
    const auto rest = std::ranges::unique(out);
    out.erase(rest.begin(), rest.end());
    return out;
  }
  [[nodiscard]] bool has(const std::string& function, const std::string& access) const {
    return std::ranges::count(accesses(function), access) > 0;
  }
  /// The lockset when it returns: in any case, with zero, with something else.
  [[nodiscard]] std::string exit(const std::string& function) const {
    return lockset(find(function), summary(function).exit);
  }
  [[nodiscard]] std::string exit_zero(const std::string& function) const {
    return lockset(find(function), summary(function).exit_zero);
  }
  [[nodiscard]] std::string exit_other(const std::string& function) const {
    return lockset(find(function), summary(function).exit_other);
  }
  /// The locks held when a function calls another.
  [[nodiscard]] std::string at_call(const std::string& function, const std::string& callee) const {
    for (const SummaryCall& call : summary(function).calls)
      if (call.callee == find(callee)) return lockset(find(function), call.lockset);
    return "not called";
  }
  /// Which threads run when a function calls another: `worker by t, others`, and `many` behind those that are several.
  [[nodiscard]] std::string running(const std::string& function, const std::string& callee) const {
    const FunctionSummary& s = summary(function);
    for (const SummaryCall& call : s.calls)
      if (call.callee == find(callee)) return threads(find(function), s.thread_states[call.threads]);
    return "not called";
  }
  [[nodiscard]] std::string running_at_exit(const std::string& function) const {
    return threads(find(function), summary(function).thread_states[summary(function).exit_threads]);
  }
  /// What it starts: `worker`, `worker in a loop`, `? by parameter 0`.
  [[nodiscard]] std::vector<std::string> starts(const std::string& function) const {
    std::vector<std::string> out;
    for (const SummarySpawn& spawn : summary(function).spawns)
      out.push_back(entry(summary(function), spawn.entry) + (spawn.in_loop ? " in a loop" : "") +
                    (spawn.fresh_argument ? " with its own argument" : "") +
                    (spawn.has_handle ? "" : " without handle"));
    return out;
  }
  /// Where the result leads: `d->next`, or `unknown`, `3`, the name of a function.
  [[nodiscard]] std::string result(const std::string& function) const {
    const SymbolicValue& value = summary(function).result;
    switch (value.kind) {
      case SymbolicValue::Kind::Unknown: return "unknown";
      case SymbolicValue::Kind::Number: return std::to_string(value.number);
      case SymbolicValue::Kind::Code: return std::string(program_->functions[value.code].name);
      case SymbolicValue::Kind::Parameter: return "parameter " + std::to_string(value.number);
      case SymbolicValue::Kind::Address: return "in " + print(find(function), value.address);
    }
    return "";
  }
  [[nodiscard]] const FunctionSummary& summary(const std::string& function) const {
    return summaries_[find(function).index()];
  }

 protected:
  [[nodiscard]] FunctionId find(const std::string& function) const { return program_->find_function(function); }
  [[nodiscard]] std::string print(FunctionId id, Lvalue lvalue) const {
    return LvalueText(*program_).print(summaries_[id.index()].nodes, id, lvalue);
  }
  [[nodiscard]] std::string entry(const FunctionSummary& s, const SymbolicValue& value) const {
    if (value.is_code()) return std::string(program_->functions[value.code].name);
    if (!value.is_address()) return "?";
    const Node& node = s.nodes[value.address.node.index()];
    return node.kind == NodeKind::Formal ? "? by parameter " + std::to_string(node.index) : "? by memory";
  }
  [[nodiscard]] std::string threads(FunctionId id, const ThreadState& state) const {
    const FunctionSummary& s = summaries_[id.index()];
    std::vector<std::string> parts;
    for (const std::uint32_t t : state.running)
      parts.push_back(entry(s, s.started[t].entry) + " by " + print(id, s.started[t].handle) +
                      (s.started[t].is_many ? " many" : ""));
    if (state.others) parts.emplace_back("others");
    if (state.detached) parts.emplace_back("detached");
    std::ranges::sort(parts);
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
    return !out.empty() ? out : state.spawned ? "none any more" : "none";
  }

  std::string lockset(FunctionId id, std::uint32_t number) const {
    const FunctionSummary& summary = summaries_[id.index()];
    std::string out = "({";
    for (const HeldLock& held : summary.locksets[number].acquired)
      out += (out.size() > 2 ? "," : "") + print(id, held.lock) + (held.is_shared() ? " shared" : "");
    out += "},{";
    const std::size_t begin = out.size();
    for (const ReleasedLock& gone : summary.locksets[number].released)
      out += (out.size() > begin ? "," : "") + print(id, gone.lock);
    return out + "})";
  }

  void list(FunctionId holder, const AccessGroup& top, const FunctionSummary& summary, const AccessGroup& group,
            std::int32_t offset, std::vector<std::string>& out) const {
    for (std::uint32_t i = group.first_own; i < group.first_own + group.own_count; ++i) {
      const OwnAccess& own = summary.own[i];
      const FunctionSummary& named = summaries_[holder.index()];
      const char* kind = own.kind == AccessKind::Read ? "R " : own.kind == AccessKind::Free ? "F " : "W ";
      std::string line = LvalueText(*program_).print(named.nodes, holder, {top.node, offset + own.offset}, own.size) +
                         (own.is_atomic ? " A" : " ") + kind + lockset(holder, top.lockset);
      if (top.when.asks_for_zero())
        line += " if " + std::to_string(top.when.parameter()) + (top.when.wants_zero() ? ": zero" : ": other");
      out.push_back(std::move(line));
    }
    for (std::uint32_t i = group.first_inherited; i < group.first_inherited + group.inherited_count; ++i) {
      const InheritedAccesses& row = summary.inherited[i];
      const FunctionSummary& callee = summaries_[row.callee.index()];
      if (const AccessGroup* theirs = callee.find_group(row.group))
        list(holder, top, callee, *theirs, offset + row.offset, out);
    }
  }

  std::unique_ptr<Program> program_;
  api::ApiModels models_;
  std::unique_ptr<alias::AliasFacts> aliases_;
  std::unique_ptr<CallTargets> targets_;
  ScanInput input_;
  std::vector<FunctionSummary> summaries_;
};

/// And with everything the scan says about it.
class Scanned : public Summarised {
 public:
  explicit Scanned(const std::string& text, unsigned jobs = 1, const Assumptions& assumptions = {})
      : Summarised(text, assumptions, {}, jobs) {
    ScanOptions how;
    how.jobs = jobs;
    how.assumptions = assumptions;
    result_ = scan(*program_, models_, how);
  }

  /// `x: write f / read g`, with `?` in front of an unlikely one; in the order of the report.
  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    for (const ReportRace& race : result_.report.races)
      out.push_back((race.verdict == RaceVerdict::Unlikely ? "? " : "") + race.variable + ": " + race.accesses[0].kind +
                    " " + race.accesses[0].function + " / " + race.accesses[1].kind + " " + race.accesses[1].function);
    return out;
  }
  [[nodiscard]] const RaceReport& report() const { return result_.report; }

 private:
  ScanResult result_;
};

using Lines = std::vector<std::string>;

/// What the texts of the tests begin with.
inline const std::string threads_h = R"(
typedef unsigned long pthread_t; typedef struct { long word[5]; } pthread_mutex_t; typedef struct { long word[7]; } pthread_rwlock_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_wrlock(pthread_rwlock_t *); int pthread_rwlock_unlock(pthread_rwlock_t *);
void *malloc(unsigned long); void free(void *);
#define take pthread_mutex_lock
#define give pthread_mutex_unlock
)";

/// A hundred functions that call each other, more than Limits::component: `f0(p)` to `f99(p)`. One of them has a body.
inline std::string ring(int which, const std::string& body) {
  constexpr int count = 100;
  std::string out;
  const auto name = [](int i) { return "f" + std::to_string(i % count) + "(p);"; };
  for (int i = 0; i < count; ++i) out += "void f" + std::to_string(i) + "(struct box *p);\n";
  for (int i = 0; i < count; ++i)
    out += "void f" + std::to_string(i) + "(struct box *p) { if (p->more) { " + name(i + 1) + name(7 * i + 3) +
           (i == which ? "} " + body : "}") + " }\n";
  return out;
}

}  // namespace heddle::scan
