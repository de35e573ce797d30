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

/// A C text with everything the scan says about it, in words.
class Scanned {
 public:
  explicit Scanned(const std::string& text, unsigned jobs = 1, const Assumptions& assumptions = {}) {
    auto models = api::ApiModels::shipped();
    EXPECT_TRUE(models.has_value());
    program_ = std::make_unique<Program>(frontend::read_text(text));
    aliases_ = std::make_unique<alias::AliasFacts>(alias::find_aliases(*program_, *models, {}));
    targets_ = std::make_unique<CallTargets>(*program_, *aliases_, assumptions);
    input_ = std::make_unique<ScanInput>(make_input(*program_, *models, *targets_, *aliases_, {}, assumptions));
    BottomUpOptions options;
    options.jobs = jobs;
    summaries_ = summarise_all(*input_, options);
    ScanOptions how;
    how.jobs = jobs;
    how.assumptions = assumptions;
    result_ = scan(*program_, *models, how);
  }

  /// `ai->stats.rx_p W ({},{ai->lock})`, one line an access that callers take over or that is settled, sorted.
  [[nodiscard]] std::vector<std::string> accesses(const std::string& function) const {
    std::vector<std::string> out;
    const FunctionId id = program_->find_function(function);
    const FunctionSummary& summary = summaries_[id.index()];
    for (const AccessGroup& group : summary.groups) list(id, group, summary, group, 0, out);
    std::ranges::sort(out);
    const auto rest = std::ranges::unique(out);
    out.erase(rest.begin(), rest.end());
    return out;
  }
  [[nodiscard]] std::string exit(const std::string& function) const {
    const FunctionId id = program_->find_function(function);
    return lockset(id, summaries_[id.index()].exit);
  }
  [[nodiscard]] const FunctionSummary& summary(const std::string& function) const {
    return summaries_[program_->find_function(function).index()];
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
  std::string lockset(FunctionId id, std::uint32_t number) const {
    const FunctionSummary& summary = summaries_[id.index()];
    LvalueText text(*program_);
    std::string out = "({";
    for (const HeldLock& held : summary.locksets[number].acquired)
      out += (out.size() > 2 ? "," : "") + text.print(summary.nodes, id, held.lock);
    out += "},{";
    const std::size_t begin = out.size();
    for (const auto& [lock, count, weakened] : summary.locksets[number].released)
      out += (out.size() > begin ? "," : "") + text.print(summary.nodes, id, lock);
    return out + "})";
  }

  void list(FunctionId holder, const AccessGroup& top, const FunctionSummary& summary, const AccessGroup& group,
            std::int32_t offset, std::vector<std::string>& out) const {
    LvalueText text(*program_);
    for (std::uint32_t i = group.first_own; i < group.first_own + group.own_count; ++i) {
      const OwnAccess& own = summary.own[i];
      const FunctionSummary& named = summaries_[holder.index()];
      out.push_back(text.print(named.nodes, holder, {top.node, offset + own.offset}, own.size) +
                    (own.kind == AccessKind::Read ? " R " : " W ") + lockset(holder, top.lockset));
    }
    for (std::uint32_t i = group.first_inherited; i < group.first_inherited + group.inherited_count; ++i) {
      const InheritedAccesses& row = summary.inherited[i];
      const FunctionSummary& callee = summaries_[row.callee.index()];
      if (const AccessGroup* theirs = callee.find_group(row.group))
        list(holder, top, callee, *theirs, offset + row.offset, out);
    }
  }

  std::unique_ptr<Program> program_;
  std::unique_ptr<alias::AliasFacts> aliases_;
  std::unique_ptr<CallTargets> targets_;
  std::unique_ptr<ScanInput> input_;
  std::vector<FunctionSummary> summaries_;
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
