// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Acquisition histories of scans: what summaries say, event by event, and which suspected races the judge refutes with
// it. Each fails when its step is weakened (tests/mutations/history.txt).
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "judge/history/history_judge.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string locks_h = threads_h + R"(
struct dev { pthread_mutex_t m, n; int x; struct dev *next; }; int rand(void); int number;
typedef struct { long word[6]; } pthread_cond_t; int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
pthread_mutex_t g, h; pthread_rwlock_t rw; pthread_cond_t c; pthread_t t1, t2, t3; int x;
void here(void) { number++; } void void_one(void) {} void (*pointer)(void) = void_one;
void swap(pthread_mutex_t *m) { give(m); take(m); } void touch(pthread_mutex_t *m) { take(m); give(m); }
void wait_for(pthread_mutex_t *m) { pthread_cond_wait(&c, m); }
int try(pthread_mutex_t *m) { return pthread_mutex_trylock(m); }
)";

class Histories : public Summarised {
 public:
  explicit Histories(const std::string& code) : Summarised(locks_h + code) {}

  /// `g:{h}` for each lock with a history, and `since` with what was taken since the entry, where f calls here().
  [[nodiscard]] std::string at_here() const {
    for (const SummaryCall& call : summary("f").calls)
      if (call.callee == find("here")) return text(summary("f").histories[call.history]);
    return "not called";
  }
  /// The locks of callers that f may give back on the way.
  [[nodiscard]] std::string interrupted() const {
    std::string out;
    for (const Interruption& gone : summary("f").interrupted)
      out += (out.empty() ? "" : ",") + print(find("f"), gone.lock);
    return summary("f").may_interrupt_any ? out + " and any" : out;
  }

 private:
  [[nodiscard]] std::string text(const AcquiredSet& set) const {
    std::set<std::string> names;
    for (const AcquiredLock& one : set)
      names.insert(print(find("f"), one.lock) + (one.mode == locks::Mode::Shared ? " shared" : ""));
    std::string out = "{";
    for (const std::string& name : names) out += (out.size() > 1 ? "," : "") + name;
    return out + "}";
  }
  [[nodiscard]] std::string text(const LockHistory& history) const {
    std::set<std::string> rows;
    for (const HistoryRow& row : history.rows) rows.insert(print(find("f"), row.lock) + ":" + text(row.since));
    std::string out;
    for (const std::string& row : rows) out += row + " ";
    return out + "since " + text(history.since_entry);
  }
};

std::string at(const std::string& body) {
  return Histories("void f(struct dev *d, struct dev *e, int n) { " + body + " }").at_here();
}
std::string gone(const std::string& body) {
  return Histories("void f(struct dev *d, struct dev *e, int n) { " + body + " }").interrupted();
}

TEST(ScanHistory, OfEvents) {
  EXPECT_EQ(at("here();"), "since {}");
  EXPECT_EQ(at("take(&g); take(&h); give(&h); here();"), "g:{h} since {g,h}");
  EXPECT_EQ(at("take(&d->m); take(&d->n); give(&d->n); here();"), "d->m:{d->n} since {d->m,d->n}");
  EXPECT_EQ(at("take(&g); take(&h); give(&g); here();"), "since {g,h}");
  EXPECT_EQ(at("take(&g); take(&h); give(&h); give(&g); take(&g); here();"), "since {g,h}") << "taken anew";
  EXPECT_EQ(at("take(&g); pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); here();"),
            "g:{rw shared} since {g,rw shared}");
  EXPECT_EQ(at("take(&g); if (pthread_mutex_trylock(&h) == 0) { give(&h); here(); }"), "g:{h} since {g,h}");
  EXPECT_EQ(at("take(&g); if (pthread_mutex_trylock(&h) != 0) here();"), "since {g}") << "it failed";
}

TEST(ScanHistory, WhereWaysMeet) {
  EXPECT_EQ(at("take(&g); if (rand()) { take(&h); give(&h); } here();"), "since {g}");
  EXPECT_EQ(at("take(&g); if (rand()) touch(&h); else { touch(&h); touch(&d->m); } here();"), "g:{h} since {g,h}");
  EXPECT_EQ(at("take(&g); while (rand()) touch(&h); here();"), "since {g}");
  EXPECT_EQ(at("take(&g); touch(&h); while (rand()) { give(&g); take(&g); } here();"), "since {g,h}");
  EXPECT_EQ(at("take(&g); for (struct dev *p = d; p; p = p->next) { if (rand()) here(); touch(&p->m); }"), "since {g}")
      << "of the round before";
}

TEST(ScanHistory, Waits) {
  EXPECT_EQ(at("take(&g); take(&h); pthread_cond_wait(&c, &h); here();"), "g:{h} since {g,h}");
  EXPECT_EQ(at("take(&g); take(&h); pthread_cond_wait(&c, &g); here();"), "h:{g} since {g,h}");
  EXPECT_EQ(at("take(&g); take(&h); wait_for(&g); here();"), "h:{g} since {g,h}") << "by a wrapper";
  EXPECT_EQ(gone("pthread_cond_wait(&c, &d->m);"), "d->m");
  EXPECT_EQ(gone("take(&d->m); pthread_cond_wait(&c, &d->m); give(&d->m);"), "");
  EXPECT_EQ(gone("wait_for(&d->m);"), "d->m");
}

TEST(ScanHistory, OfCalls) {
  EXPECT_EQ(at("take(&g); touch(&h); here();"), "g:{h} since {g,h}");
  EXPECT_EQ(at("take(&g); touch(&d->m); here();"), "g:{d->m} since {d->m,g}");
  EXPECT_EQ(at("take(&g); touch(&h); swap(&g); here();"), "since {g,h}") << "given back on the way";
  EXPECT_EQ(at("take(&g); touch(&h); swap(&d->m); here();"), "g:{d->m,h} since {d->m,g,h}");
  EXPECT_EQ(at("take(&d->m); touch(&h); swap(&e->m); here();"), "since {d->m,e->m,h}") << "it may be the same";
  EXPECT_EQ(at("take(&g); if (try(&h) == 0) { give(&h); here(); }"), "g:{h} since {g,h}");
  EXPECT_EQ(gone("swap(&d->m); touch(&g);"), "d->m");
  EXPECT_EQ(gone("give(&d->m); take(&d->m);"), "d->m");
  EXPECT_EQ(gone("if (rand()) f(d->next, e, 1); else swap(&g);"), "g");
}

/// The lines of the pairs that are suspected, with `!` in front of those that the judge refutes; sorted.
std::vector<std::string> judged(const std::string& code) {
  const api::ApiModels models = *api::ApiModels::shipped();
  const Program program = frontend::read_text(locks_h + "\n#line 1\n" + code);
  Scan scan(program, models, {});
  judge::HistoryJudge().judge(scan.docket(), scan.evidence());
  std::vector<std::string> out;
  const auto line = [&](const race::Access& access) {
    return program.locations[program.functions[access.function].instructions[access.instruction].location].line;
  };
  for (const race::CaseFile& one : scan.docket().cases) {
    const auto [first, second] = std::minmax(line(one.warning.first), line(one.warning.second));
    out.push_back((one.find<race::Refuted>() != nullptr ? "!" : "") + std::to_string(first) + "/" +
                  std::to_string(second));
  }
  std::ranges::sort(out);
  return out;
}

const std::string start_both = "\nint main(void) { pthread_create(&t1, 0, one, 0); pthread_create(&t2, 0, two, 0);\n";

/// The lines of the pairs that are covered, each with those of its covers, if covers are found so and the judge is
/// asked or not; sorted.
std::vector<std::string> covered(const std::string& code, CoverBy by, bool with_judge) {
  const api::ApiModels models = *api::ApiModels::shipped();
  const Program program = frontend::read_text(locks_h + "\n#line 1\n" + code);
  ScanOptions how;
  how.cover = by;
  Scan scan(program, models, how);
  if (with_judge) judge::HistoryJudge().judge(scan.docket(), scan.evidence());
  scan.place_covered_cases();
  const auto line = [&](const race::Access& access) {
    return program.locations[program.functions[access.function].instructions[access.instruction].location].line;
  };
  std::map<std::uint32_t, std::string> lines;
  for (const race::CaseFile& one : scan.docket().cases) {
    const auto [first, second] = std::minmax(line(one.warning.first), line(one.warning.second));
    lines[one.warning.number] = std::to_string(first) + "/" + std::to_string(second);
  }
  std::vector<std::string> out;
  std::set<std::uint32_t> above;
  for (const race::CaseFile& one : scan.docket().cases) {
    std::string text = lines[one.warning.number] + " under";
    std::set<std::string> names;
    for (const std::uint32_t by_one : one.covered_by) {
      names.insert(lines[by_one]);
      EXPECT_TRUE(above.contains(by_one)) << "it stands above";
    }
    for (const std::string& name : names) text += " " + name;
    if (!one.covered_by.empty()) out.push_back(text);
    above.insert(one.warning.number);
  }
  std::ranges::sort(out);
  return out;
}

/// What thread `one` does in line 1, against a thread that took the two locks the other way round.
std::vector<std::string> against(const std::string& body, const std::string& before = "") {
  return judged(before + "void *one(void *p) { " + body +
                " return p; }\n"
                "void *two(void *p) { take(&h); take(&g); give(&g); x = 2; give(&h); return p; }" +
                start_both + "return 0; }");
}

TEST(ScanHistory, FigureTwo) {
  EXPECT_EQ(judged("void *one(void *p) { take(&g); take(&h); give(&h);\n"
                   "  x = 3;\n"
                   "  give(&g); return p; }\n"
                   "void *two(void *p) { take(&h);\n"
                   "  x = 0;\n"
                   "  take(&g); give(&g);\n"
                   "  x = 2;\n"
                   "  give(&h); take(&h);\n"
                   "  x = 1;\n"
                   "  give(&h); return p; }" +
                   start_both + "return 0; }"),
            (Lines{"!2/7", "2/5", "2/9"}));
}

TEST(ScanCovers, FigureTwo) {
  const std::string code =
      "void *one(void *p) { take(&g); take(&h); give(&h);\n"
      "  x = 3;\n"
      "  give(&g); return p; }\n"
      "void *two(void *p) { take(&h);\n"
      "  x = 0;\n"
      "  take(&g); give(&g);\n"
      "  x = 2;\n"
      "  give(&h); take(&h);\n"
      "  x = 1;\n"
      "  give(&h); return p; }" +
      start_both + "return 0; }";
  EXPECT_EQ(covered(code, CoverBy::History, true), Lines{"2/9 under 2/5"});
  EXPECT_EQ(covered(code, CoverBy::Lockset, false), (Lines{"2/7 under 2/5", "2/9 under 2/7"})) << "which is bogus";
  EXPECT_EQ(covered(code, CoverBy::Lockset, true), Lines{}) << "its cover is refuted";
  EXPECT_EQ(covered(code, CoverBy::Nothing, true), Lines{});
}

/// Of the accesses of thread `one`, against a write without a lock in line 9.
std::vector<std::string> covers_in(const std::string& body) {
  return covered("void *two(void *p);\nvoid *one(void *p) { " + body +
                     " return p; }\n#line 9\nvoid *two(void *p) { x = 9; return p; }" + start_both + "return 0; }",
                 CoverBy::History, true);
}

TEST(ScanCovers, OfOneThread) {
  EXPECT_EQ(covers_in("x = 1;\n take(&g); x = 2; give(&g);"), Lines{"3/9 under 2/9"});
  EXPECT_EQ(covers_in("take(&g); x = 1; give(&g);\n x = 2;"), Lines{}) << "the second has fewer locks";
  EXPECT_EQ(covers_in("if (rand()) x = 1;\n x = 2;"), Lines{}) << "there is a way around it";
  EXPECT_EQ(covers_in("if (rand()) x = 1;\n else x = 2;\n x = 3;"), Lines{"4/9 under 2/9 3/9"}) << "a set";
  EXPECT_EQ(covers_in("if (rand()) take(&g);\n x = 1;\n x = 2;"), Lines{}) << "at most {g}, at least nothing";
  EXPECT_EQ(covers_in("touch(&g); x = 1;\n x = 2;"), Lines{}) << "what a call takes has no upper bound";
  EXPECT_EQ(covers_in("number = x;\n x = 2;"), Lines{}) << "a read is no write";
  EXPECT_EQ(covers_in("x = 2;\n number = x;"), Lines{"3/9 under 2/9"});
}

TEST(ScanHistory, RefutesWhatCannotBe) {
  EXPECT_EQ(against("take(&g); take(&h); give(&h); x = 1; give(&g);"), Lines{"!1/2"});
  EXPECT_EQ(against("take(&g); touch(&h); x = 1; give(&g);"), Lines{"!1/2"});
  EXPECT_EQ(against("take(&g); if (try(&h) == 0) { give(&h); x = 1; } give(&g);"), Lines{"!1/2"});
  EXPECT_EQ(against("take(&g); set(); give(&g);", "void set(void) { touch(&h); x = 1; } "), Lines{"!1/2"});
  EXPECT_EQ(against("take(&g); touch(&h); set(&x); give(&g);", "void set(int *p) { *p = 1; } "), Lines{"!1/2"});
}

TEST(ScanHistory, LeavesWhatMayBe) {
  EXPECT_EQ(against("take(&g); x = 1; give(&g);"), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); touch(&h); swap(&g); x = 1; give(&g);"), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); touch(&h); wait_for(&g); x = 1; give(&g);"), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); if (rand()) touch(&h); x = 1; give(&g);"), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); try(&h); x = 1; give(&g);"), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); set(); give(&g);", "void set(void) { touch(&h); swap(&g); x = 1; } "), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); set(); give(&g);", "void set(void) { touch(&h); wait_for(&g); x = 1; } "), Lines{"1/2"});
}

TEST(ScanHistory, ACallbackMayNotBeCalled) {
  const std::string once =
      "typedef int pthread_once_t; int pthread_once(pthread_once_t *, void (*)(void)); "
      "pthread_once_t o; void brief(void) { touch(&h); } ";
  EXPECT_EQ(against("take(&g); pthread_once(&o, brief); x = 1; give(&g);", once), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); brief(); x = 1; give(&g);", once), Lines{"!1/2"});
}

TEST(ScanHistory, NothingIsClaimedWhereFunctionsAreLeftByJumps) {
  const std::string jump = "void longjmp(void *, int) __attribute__((noreturn)); void *buffer; ";
  EXPECT_EQ(against("take(&g); touch(&h); x = 1; give(&g); if (rand()) longjmp(buffer, 1);", jump), Lines{"1/2"});
  EXPECT_EQ(against("take(&g); touch(&h); x = 1; give(&g);", jump), Lines{"!1/2"});
}

TEST(ScanHistory, EveryWayHasToBeRefuted) {
  const std::string set = "void set(void) { x = 1; } ", set_at = "void set(int *p) { *p = 1; } ";
  const std::string good = "take(&g); touch(&h); set(ARG); give(&g);", bad = "take(&g); set(ARG); give(&g);";
  const auto with = [](std::string body, const std::string& argument) {
    for (std::size_t at; (at = body.find("ARG")) != std::string::npos;) body.replace(at, 3, argument);
    return body;
  };
  EXPECT_EQ(against(with(good + good, ""), set), Lines{"!1/2"});
  EXPECT_EQ(against(with(good + bad, ""), set), Lines{"1/2"});
  EXPECT_EQ(against(with(bad + good, ""), set), Lines{"1/2"});
  EXPECT_EQ(against(with(good + bad, "&x"), set_at), Lines{"1/2"});
  EXPECT_EQ(against(with(bad + good, "&x"), set_at), Lines{"1/2"});
}

TEST(ScanHistory, ReadersDoNotExcludeEachOther) {
  const auto with = [](const std::string& hold, const std::string& brief) {
    return judged("void *one(void *p) { pthread_rwlock_" + hold +
                  "(&rw); take(&h); give(&h); x = 1; pthread_rwlock_unlock(&rw); return p; }\n"
                  "void *two(void *p) { take(&h); pthread_rwlock_" +
                  brief + "(&rw); pthread_rwlock_unlock(&rw); x = 2; give(&h); return p; }" + start_both +
                  "return 0; }");
  };
  EXPECT_EQ(with("rdlock", "rdlock"), Lines{"1/2"});
  EXPECT_EQ(with("rdlock", "wrlock"), Lines{"!1/2"});
  EXPECT_EQ(with("wrlock", "rdlock"), Lines{"!1/2"});
}

TEST(ScanHistory, ALockThatAnotherThreadGivesBackIsNotHeld) {
  const auto with = [](const std::string& in_main) {
    return judged(
        "void *one(void *p) { take(&g); touch(&h); x = 1; give(&g); return p; }\n"
        "void *two(void *p) { take(&h); take(&g); give(&g); x = 2; give(&h); return p; }" +
        start_both + in_main + " return 0; }");
  };
  EXPECT_EQ(with(""), Lines{"!1/2"});
  EXPECT_EQ(with("give(&g);"), Lines{"1/2"});
  EXPECT_EQ(with("give(&g); take(&g);"), Lines{"1/2"});
}

TEST(ScanHistory, LocksBesideTheData) {
  const std::string two =
      "void *two(void *p) { struct dev *d = p; take(&d->n); take(&d->m); give(&d->m);\n"
      "  d->x = 2; give(&d->n); return p; }\nstruct dev *shared;";
  const std::string start =
      "\nint main(void) { pthread_create(&t1, 0, one, shared); pthread_create(&t2, 0, two, shared); return 0; }";
  const auto with = [&](const std::string& other) {
    return judged("void *one(void *p) { struct dev *d = p; take(&d->m); take(&" + other + "); give(&" + other +
                  "); d->x = 1; give(&d->m); return p; }\n" + two + start);
  };
  EXPECT_EQ(with("d->n"), Lines{"!1/3"});
  EXPECT_EQ(with("d->next->n"), Lines{"1/3"});
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
