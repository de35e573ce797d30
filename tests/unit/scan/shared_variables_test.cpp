// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables are shared and by which rule (CAV07 §2), and why others are not.
#include <gtest/gtest.h>

#include "scan/scanned.h"
#include "scan/shared/shared_words.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string queue_h = threads_h + R"(
struct item { int len, id; struct item *next; };
struct queue { struct item *head; int count, limit, setup; pthread_mutex_t m; };
struct queue jobs, *chosen; int hits, other, rand(void); pthread_t t, u;
)";

class Shared {
 public:
  explicit Shared(const std::string& text)
      : models_(*api::ApiModels::shipped()),
        program_(std::make_unique<Program>(frontend::read_text(queue_h + text))),
        scan_(*program_, models_, {}),
        found_(scan_.shared_variables()) {}
  /// Two threads that do `body`, with `a` as argument; main does `beside` while they run.
  Shared(const std::string& before, const std::string& body, const std::string& beside)
      : Shared(before + "void *work(void *a) { " + body +
               " return 0; } int main(void) { jobs.head = malloc(sizeof *jobs.head); jobs.setup = 1;"
               "pthread_create(&t, 0, work, jobs.head); pthread_create(&u, 0, work, jobs.head); " +
               beside + " return 0; }") {}

  /// `jobs.count: written-global`, with ` locked` behind those that are accessed under a lock.
  [[nodiscard]] Lines shared() const {
    Lines out;
    for (const SharedVariable& v : found_.shared)
      out.push_back(v.name + ": " + std::string(to_word(v.rule)) + (v.is_ever_locked ? " locked" : ""));
    return out;
  }
  [[nodiscard]] Lines sequence(const std::string& name) const {
    Lines out;
    for (const SharedVariable& v : found_.shared)
      if (v.name == name)
        for (const UpdateStep& step : v.sequence)
          out.push_back(std::string(program_->functions[step.at.function].name) + " " + step.text);
    return out;
  }
  [[nodiscard]] std::string why_not(const std::string& name) const {
    for (const UnsharedVariable& v : found_.others)
      if (v.name == name) return std::string(to_word(v.reason));
    return "";
  }
  /// Every access of a warning that is in no shared variable with the other one.
  [[nodiscard]] std::size_t missing() {
    std::size_t count = 0;
    for (const race::CaseFile& one : scan_.docket().cases) {
      const auto has = [](const SharedVariable& v, const race::Access& a) {
        return std::ranges::any_of(
            v.accesses, [&](const AccessSpot& spot) { return spot.at == race::CallStep{a.function, a.instruction}; });
      };
      if (std::ranges::none_of(found_.shared, [&](const SharedVariable& v) {
            return has(v, one.warning.first) && has(v, one.warning.second);
          }))
        ++count;
    }
    return count;
  }
  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] const SharedVariables& found() const { return found_; }

 private:
  api::ApiModels models_;
  std::unique_ptr<Program> program_;
  Scan scan_;
  SharedVariables found_;
};

TEST(SharedVariables, GlobalsThatAreWritten) {
  EXPECT_EQ(Shared("", "hits++;", "").shared(), Lines{"hits: written-global"});
  // Also from another global: that is no propagation of a pointer.
  EXPECT_EQ(Shared("", "hits = other;", "").shared(), Lines{"hits: written-global"});
  EXPECT_EQ(Shared("", "hits = other;", "").why_not("other"), "only-read");
  EXPECT_EQ(Shared("", "take(&jobs.m); hits++; give(&jobs.m);", "").shared(), Lines{"hits: written-global locked"});
}

TEST(SharedVariables, OnlyMembersThatAreUpdated) {
  const Shared s("", "jobs.count++; if (jobs.limit > 3) hits++;", "");
  EXPECT_EQ(s.shared(), (Lines{"hits: written-global", "jobs.count: written-global"}));
  EXPECT_EQ(s.why_not("queue.limit"), "only-read");
  EXPECT_EQ(s.why_not("queue.setup"), "alone");
}

TEST(SharedVariables, HandingPointersOnIsNoUpdate) {
  EXPECT_EQ(Shared("", "struct item *p = jobs.head, *q = p, *r = q; if (r == a) return a;", "").shared(), Lines{});
  EXPECT_EQ(Shared("", "struct item *p = jobs.head, *q = p; q->len = 1;", "").shared(),
            Lines{"item.len: pointer-in-global"});
}

TEST(SharedVariables, StrongUpdatesEndASequence) {
  const std::string local = "struct queue own; struct queue *q = &jobs; ";
  EXPECT_EQ(Shared("", local + "q->count = 1;", "").shared(), Lines{"jobs.count: written-global"});
  EXPECT_EQ(Shared("", local + "q = &own; q->count = 1;", "").shared(), Lines{});
  EXPECT_EQ(Shared("", local + "if (rand()) q = &own; q->count = 1;", "").shared().size(), 1U);
  // Through memory, too.
  const std::string cell = "void set(struct queue **to, struct queue *q) { *to = q; } ";
  EXPECT_EQ(Shared(cell, "struct queue own, *q; set(&q, &jobs); q->count = 1;", "").shared(),
            Lines{"jobs.count: written-global"});
  EXPECT_EQ(Shared(cell, "struct queue own, *q; set(&q, &jobs); set(&q, &own); q->count = 1;", "").shared(),
            Lines{"queue.count: escaped-pointer"});  // `own`, of which set might have told others; no longer jobs
}

TEST(SharedVariables, SequencesGoThroughFunctions) {
  const Shared s("void put(struct queue *q) { q->head->len = 1; q->count = 2; }", "put(&jobs);", "");
  EXPECT_EQ(s.shared(), (Lines{"item.len: pointer-in-global", "jobs.count: pointer-to-global"}));
  EXPECT_EQ(s.sequence("jobs.count"), (Lines{"work passes &jobs to put as q", "put writes q->count"}));
  EXPECT_EQ(s.sequence("item.len"),
            (Lines{"work passes &jobs to put as q", "put follows q->head", "put writes q->head->len"}));
}

TEST(SharedVariables, Arguments) {
  EXPECT_EQ(Shared("", "((struct item *)a)->len = 1;", "").shared(), Lines{"item.len: thread-argument"});
  EXPECT_EQ(Shared("", "((struct item *)a)->len = 1;", "chosen->head->len = 2;").shared(),
            Lines{"item.len: pointer-in-global"});
  // A library: who calls it, does so from several threads.
  EXPECT_EQ(Shared("void put(struct item *i) { i->len = 1; }").shared(), Lines{"item.len: api-parameter"});
}

TEST(SharedVariables, EscapedPointers) {
  const std::string fresh = "struct item *i = malloc(sizeof *i); i->id = 1; ";
  EXPECT_EQ(Shared("", fresh + "free(i);", "").shared(), Lines{});
  EXPECT_EQ(Shared("", fresh + "chosen->head = i; i->len = 2;", "").shared(),
            (Lines{"item.len: escaped-pointer", "queue.head: pointer-in-global"}));
}

TEST(SharedVariables, WhyNot) {
  const std::string more =
      "int main_only, boot = 1; static int nothing; __thread int mine; int *use(void) { return &nothing; }";
  const Shared s(more, "mine++; if (boot) hits = 1;", "main_only = 1;");
  EXPECT_EQ(s.why_not("main_only"), "no-thread");
  EXPECT_EQ(s.why_not("mine"), "thread-local");
  EXPECT_EQ(s.why_not("boot"), "only-read");
  EXPECT_EQ(s.why_not("nothing"), "unused");
  EXPECT_EQ(s.why_not("hits"), "");
  const Shared one(
      "void *work(void *a) { hits++; return 0; } int main(void) { pthread_create(&t, 0, work, 0); "
      "pthread_join(t, 0); return hits; }");
  EXPECT_EQ(one.shared(), Lines{});
  EXPECT_EQ(one.why_not("hits"), "one-at-a-time");
}

TEST(SharedVariables, WarningsAreOfSharedVariables) {
  Shared s("void put(struct queue *q) { q->head->len++; q->count++; }",
           "put(&jobs); hits++; struct item *p = jobs.head; while (p) { p->id = 1; p = p->next; } *(int *)a = 3;",
           "put(&jobs); hits = 1; free(jobs.head);");
  EXPECT_GT(s.found().shared.size(), 3U);
  EXPECT_EQ(s.missing(), 0U);
}

TEST(SharedVariables, Words) {
  const Shared s("", "hits++;", "");
  const std::string text = shared_text(s.program(), s.found(), Listed::Shared);
  EXPECT_NE(text.find("hits\n    a global that is written by its name: 'hits'\n"), std::string::npos) << text;
  EXPECT_NE(text.find("never under a lock"), std::string::npos);
  EXPECT_EQ(text.find("not shared"), std::string::npos);
  EXPECT_NE(shared_text(s.program(), s.found(), Listed::AlsoOthers).find("queue.setup"), std::string::npos);
  const std::string json = shared_json(s.program(), s.found(), Listed::AlsoOthers);
  EXPECT_NE(json.find("\"rule\": \"written-global\""), std::string::npos);
  EXPECT_NE(json.find("\"never_locked\": true"), std::string::npos);
  EXPECT_NE(json.find("\"reason\": \"alone\""), std::string::npos);
  EXPECT_EQ(shared_count(s.found()), "1 shared variable, 1 of them never accessed under a lock");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
