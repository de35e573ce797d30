// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/keep/summary_store.h"

#include <gtest/gtest.h>

#include <optional>

#include "report/report_form.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

struct ScanRun {
  std::string report;
  std::uint64_t made = 0;  ///< functions with a body that had to be summarised
};

struct How {
  unsigned jobs = 1;
  std::uint64_t shuffle = 0;
};

/// Scans of one project, one after the other, as its text changes.
class Project {
 public:
  /// Also scans without a store: the reports have to be equal.
  ScanRun scan(const std::string& text, How how = {}) const {
    const ScanRun plain = run(text, how, false);
    const ScanRun kept = run(text, how, true);
    EXPECT_EQ(kept.report, plain.report);
    return kept;
  }

 private:
  ScanRun run(const std::string& text, How how, bool with_store) const {
    auto models = api::ApiModels::shipped();
    EXPECT_TRUE(models.has_value());
    std::optional<store::RecordStore> records;
    if (with_store) records.emplace(folder_.path("summaries"), "test");
    ScanOptions options;
    options.jobs = how.jobs;
    options.shuffle = how.shuffle;
    options.records = records ? &*records : nullptr;
    const std::string file = folder_.write("unit.c", text);
    const auto program = frontend::read_sources({{file, {}}}, {});
    EXPECT_TRUE(program.has_value());
    if (!program) return {};
    const ScanResult result = heddle::scan::scan(*program, *models, options);
    if (records) {
      records->commit();
      EXPECT_EQ(records->notes(), std::vector<std::string>{});
    }
    return {to_bytes(result.report), result.stats.functions - result.stats.summaries_reused};
  }

  frontend::ScratchFolder folder_;
};

struct Parts {
  std::string members = "long a; long b; struct box *next;";
  std::string leaf = "b->a++;";
  std::string locked = "take(&m); leaf(b); give(&m);";
  std::string table = "leaf, other";
  std::string extra;
  std::string before;
};

/// leaf and other; locked calls leaf, round calls itself and locked, through calls the table, worker calls all of them.
std::string text_of(const Parts& p) {
  return p.before + threads_h + "struct box { " + p.members + " };\npthread_mutex_t m; struct box *head; int plain;\n" +
         "void leaf(struct box *b) { " + p.leaf + " }\nvoid other(struct box *b) { b->b = 1; }\n" + p.extra +
         "static void (*const table[])(struct box *) = { " + p.table + " };\n" +
         "const char *word(int i) { return i ? \"one\" : \"two\"; }\n" + "void locked(struct box *b) { " + p.locked +
         " }\n" +
         "void odd(struct box *b, int n); void even(struct box *b, int n) { if (n) odd(b->next, n - 1); locked(b); "
         "}\n" +
         "void odd(struct box *b, int n) { if (n) even(b, n - 1); plain++; }\n" +
         "void through(struct box *b, int i) { table[i](b); }\n" +
         "void *worker(void *arg) { struct box *b = head; locked(b); even(b, 3); through(b, plain); b->b++; leaf(arg); "
         "return 0; }\n" +
         "int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, malloc(sizeof(struct "
         "box))); "
         "head->a = word(1)[0]; }\n";
}

constexpr std::uint64_t all = 9;

TEST(SummaryStore, UnchangedFunctionsAreNotSummarisedAgain) {
  const Project project;
  EXPECT_EQ(project.scan(text_of({})).made, all);
  EXPECT_EQ(project.scan(text_of({})).made, 0U);
}

TEST(SummaryStore, LinesFunctionsAndLiteralsElsewhereDoNotMatter) {
  const Project project;
  project.scan(text_of({}));
  Parts p;
  p.before = "\n\n\nint first_global; struct first { int x; }; void first_function(struct first *f) { f->x = 0; }\n";
  EXPECT_EQ(project.scan(text_of(p)).made, 1U);
  p.before += "const char *another(void) { return \"zero\"; }\n";
  EXPECT_EQ(project.scan(text_of(p)).made, 1U);
}

TEST(SummaryStore, SummaryThatCallersCannotTellFromTheOldWakesNone) {
  const Project project;
  project.scan(text_of({}));
  Parts p;
  p.leaf = "b->a++; b->a += 2;";
  EXPECT_EQ(project.scan(text_of(p)).made, 1U);
}

TEST(SummaryStore, SummaryThatTouchesMoreWakesItsCallers) {
  const Project project;
  project.scan(text_of({}));
  Parts p;
  p.leaf = "b->a++; b->next->a = 1;";
  EXPECT_EQ(project.scan(text_of(p)).made, all - 2);  // other and word have nothing to do with leaf
  EXPECT_EQ(project.scan(text_of({})).made, 0U);      // what was kept first is still there
}

TEST(SummaryStore, LockThatIsNotHeldAnyMoreIsSeenByCallers) {
  const Project project;
  const std::string with = project.scan(text_of({})).report;
  Parts p;
  p.locked = "leaf(b); take(&m); give(&m);";
  const ScanRun without = project.scan(text_of(p));
  EXPECT_NE(without.report, with);
  EXPECT_GE(without.made, 4U);
}

TEST(SummaryStore, MemberAtTheEndOfAStructWakesWhoKnowsItsSize) {
  const Project project;
  project.scan(text_of({}));
  Parts p;
  p.members = "long a; long b; struct box *next; long more;";
  EXPECT_EQ(project.scan(text_of(p)).made, 1U);  // main: malloc(sizeof(struct box))
}

TEST(SummaryStore, MemberInFrontMovesTheOthers) {
  const Project project;
  project.scan(text_of({}));
  Parts p;
  p.members = "long more; long a; long b; struct box *next;";
  EXPECT_GE(project.scan(text_of(p)).made, 6U);
}

TEST(SummaryStore, MemberThatBecomesAStructIsAskedAboutAgain) {
  const Project project;
  project.scan(text_of({}));
  Parts p;
  // The same bytes and the same instructions in `other`; only the innermost struct that an access touches is another.
  p.members = "long a; union { long b; struct { long inner; } s; }; struct box *next;";
  const ScanRun changed = project.scan(text_of(p));
  EXPECT_GE(changed.made, 2U);
  EXPECT_LT(changed.made, all);
}

TEST(SummaryStore, ConstantTableOfFunctionsIsPartOfWhoReadsIt) {
  const Project project;
  project.scan(text_of({}));
  Parts p;
  p.extra = "void third(struct box *b) { take(&m); b->a = 3; give(&m); }\n";
  p.table = "leaf, third";
  const ScanRun changed = project.scan(text_of(p));
  EXPECT_GE(changed.made, 3U);  // third, through, worker
  EXPECT_LT(changed.made, all);
}

TEST(SummaryStore, ReportDoesNotDependOnWhoSummarisesFirst) {
  const std::string expected = Project().scan(text_of({})).report;
  for (const unsigned jobs : {1U, 2U, 3U})
    for (const std::uint64_t shuffle : {0U, 1U, 2U, 3U, 4U, 5U}) {
      const Project project;
      const How how{jobs, shuffle};
      EXPECT_EQ(project.scan(text_of({}), how).report, expected);
      const ScanRun warm = project.scan(text_of({}), how);
      EXPECT_EQ(warm.report, expected);
      EXPECT_EQ(warm.made, 0U);
    }
}

TEST(SummaryStore, NorDoesThatOfALargeComponentWhichSeveralSummarise) {
  const std::string text = threads_h + R"(
struct box { int more; long n; pthread_mutex_t m; } all;
)" + ring(40, "take(&p->m); p->n++; give(&p->m); if (p->n > 3) p->n = 0;") +
                           R"(
void *worker(void *arg) { f12(arg); f60(&all); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, &all); f3(&all); }
)";
  const std::string expected = Project().scan(text).report;
  EXPECT_NE(expected.find("f40"), std::string::npos);
  for (const std::uint64_t shuffle : {0U, 1U, 2U, 3U}) {
    const Project project;
    EXPECT_EQ(project.scan(text, {2, shuffle}).report, expected);
    const ScanRun warm = project.scan(text, {3, shuffle});
    EXPECT_EQ(warm.report, expected);
    EXPECT_EQ(warm.made, 0U);
  }
}

TEST(SummaryStore, BytesThatAreNoSummariesAreRefused) {
  const Program program =
      frontend::read_text("struct s { int a; struct s *n; } *g; void f(struct s *p) { p->n->a = 1; g = p; }");
  auto models = api::ApiModels::shipped();
  const alias::AliasFacts aliases = alias::find_aliases(program, *models, {});
  const CallTargets targets(program, aliases, Assumptions{});
  const ScanInput input = make_input(program, *models, targets, aliases, {}, {});
  const std::vector<FunctionSummary> summaries = summarise_all(input, {});
  const std::vector<FunctionId> members = {program.find_function("f")};
  MemberKeys keys(program);
  SummaryWriter writer(program, input.ids);
  const std::vector<ContentHash> faces = {{1, 2}};
  const std::vector<MemberQuestion> asked = {{program.globals[program.find_global("g")].source_type, 0}};
  const std::string bytes = writer.write(members, summaries, faces, asked, keys);
  ASSERT_FALSE(bytes.empty());
  KeptComponent kept;
  ASSERT_TRUE(read_summaries(bytes, program, input.ids, members, keys, kept));
  EXPECT_EQ(kept.faces, faces);
  EXPECT_EQ(writer.write(
                members,
                [&] {
                  std::vector<FunctionSummary> rows(summaries.size());
                  rows[members[0].index()] = kept.summaries[0];
                  return rows;
                }(),
                faces, asked, keys),
            bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(read_summaries(bytes.substr(0, size), program, input.ids, members, keys, kept)) << size;
  // Whatever a byte becomes: refused, or a summary whose every number is in its table.
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ 1 << bit);
      if (!read_summaries(other, program, input.ids, members, keys, kept)) continue;
      for (const AccessGroup& group : kept.summaries[0].groups) {
        EXPECT_LT(group.node.index(), kept.summaries[0].nodes.size());
        EXPECT_LT(group.lockset, kept.summaries[0].locksets.size());
        EXPECT_LE(group.first_own + group.own_count, kept.summaries[0].own.size());
      }
    }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
